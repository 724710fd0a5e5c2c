// Room in the rings: what it was too small for, and records that were never finished.
#include <algorithm>

#include "checks.h"

namespace barefxt::host {
namespace {

// Bytes of each segment that hold no records: its header, its last word, the clock words, the long
// form of the first call, and the wrapping of a record without a time.
constexpr uint64_t kTakenOfSegment = 64 + 8 + 48 + 32 + 16;

// Bytes of a ring that would have held all of it.
uint64_t sufficient_ring(const RingSurvey& ring, uint64_t segment_bytes) {
  const uint64_t most_wasted = std::min(kTakenOfSegment + ring.largest_bytes, segment_bytes / 2);
  const uint64_t usable = segment_bytes - most_wasted;
  const uint64_t segments = (ring.recorded_bytes + ring.lost_bytes + usable - 1) / usable + 1;
  return segments * segment_bytes;
}

void were_large_enough(const CaptureFacts& facts, Diagnoses& diagnoses) {
  const auto& hello = facts.capture.hello();
  if (!hello || hello->mode == wire::Mode::kCircular) return;
  uint64_t records = 0;
  uint64_t bytes = 0;
  uint64_t most_bytes = 0;
  uint64_t sufficient = 0;
  uint64_t cpus = std::max(hello->cpu_count, 1u);
  for (const RingSurvey& ring : facts.rings) {
    if (ring.has_no_ring()) {  // see cpu-not-counted
      if (cpus > 1) --cpus;
      continue;
    }
    records += ring.lost_records;
    bytes += ring.lost_bytes;
    most_bytes = std::max(most_bytes, ring.lost_bytes);
    sufficient = std::max(sufficient, sufficient_ring(ring, std::max(hello->segment_bytes, 512u)));
  }
  if (records == 0) return;
  const std::string what = formatted("{} ({}) dropped: the ring was full",
                                     counted(records, "record"), counted(bytes, "byte"));
  if (hello->mode == wire::Mode::kStreaming)
    diagnoses.add("ring-too-small", facts.name, what,
                  "drain more often, over a faster line, or coded; or give barefxt_start " +
                      counted((most_bytes / std::max(hello->segment_bytes, 512u) + 2) *
                                  std::max(hello->segment_bytes, 512u) * cpus,
                              "byte") +
                      " more of memory, which would have held it all");
  else
    diagnoses.add(
        "ring-too-small", facts.name, what,
        formatted("give barefxt_start {} of memory ({} for each of {}), which would have held it "
                  "all; or enable fewer categories, or record in a circle (BAREFXT_MODE_CIRCULAR)",
                  counted(sufficient * cpus, "byte"), counted(sufficient, "byte"),
                  counted(cpus, "CPU")));
}

}  // namespace

void check_room(const CaptureFacts& facts, Diagnoses& diagnoses) {
  were_large_enough(facts, diagnoses);
  uint64_t unfinished = 0;
  for (const RingSurvey& ring : facts.rings) unfinished += ring.unfinished_records;
  const auto& hello = facts.capture.hello();
  // The kernel ran on while these were taken, or had died.
  const bool is_of_moment = hello && hello->kind != wire::TraceKind::kSession;
  if (unfinished == 0 || is_of_moment) return;
  diagnoses.add("unfinished-records", facts.name,
                counted(unfinished, "record") +
                    " begun and not finished when it was dumped: the writers were interrupted, or "
                    "their CPUs stopped, in the middle",
                "between barefxt_stop and barefxt_dump wait with barefxt_wait_unfinished, from a "
                "thread; and halt other CPUs only after barefxt_stop");
}

}  // namespace barefxt::host
