// CPUs: whether those that should record do, and those that do should.
#include <algorithm>
#include <unordered_set>

#include "checks.h"

namespace barefxt::host {

void check_cpus(const CaptureFacts& facts, Diagnoses& diagnoses) {
  const auto& hello = facts.capture.hello();
  if (!hello) return;
  uint64_t lost = 0;
  std::unordered_set<unsigned> busy;
  for (const RingSurvey& ring : facts.rings) {
    lost += ring.lost_records + ring.line_lost_records + (ring.line_lost_unknown ? 1 : 0);
    if (ring.records != 0) busy.insert(ring.cpu);
    if (ring.has_no_ring())
      diagnoses.add("cpu-not-counted", facts.cpu(ring),
                    "it has no ring, since barefxt_start was given fewer CPUs; " +
                        counted(ring.lost_records, "record") + " dropped for that",
                    "count it in barefxt_config's `cpus`, or let barefxt_port_cpu number the CPUs "
                    "from 0 without a gap");
  }
  if (facts.records() == 0 && lost == 0) {
    diagnoses.add("no-records", facts.name, "tables and an end, and no record in between",
                  "record between barefxt_start and barefxt_stop, with the categories of the "
                  "probes enabled (barefxt_config's `categories`), and let the image's probes not "
                  "be compiled with BAREFXT_DISABLED");
    return;
  }
  // A CPU without records proves nothing if records were left out, or lost.
  static constexpr uint64_t kEnough = 64;
  if (hello->interval_begin != 0 || lost != 0 || facts.records() < kEnough) return;
  for (unsigned cpu = 0; cpu < std::min(hello->cpu_count, kMaxCpus); ++cpu) {
    if (busy.contains(cpu)) continue;
    diagnoses.add("cpu-silent", formatted("{}, cpu {}", facts.name, cpu),
                  formatted("it recorded nothing, and {} {}", counted(busy.size(), "other"),
                            counted(facts.records(), "record")),
                  "is it running, does its scheduler call the hooks, and does barefxt_port_cpu "
                  "return its own number on it? If it is never used, start with fewer CPUs: it has "
                  "its share of the memory");
    return;  // once: the rest is the same
  }
}

}  // namespace barefxt::host
