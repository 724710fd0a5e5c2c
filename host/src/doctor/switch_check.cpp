// Context switches: their presence, missing ones, and rings that mix the switches of several CPUs.

#include "checks.h"

namespace barefxt::host {
namespace {

void are_there(const CaptureFacts& facts, Diagnoses& diagnoses) {
  uint64_t switches = 0;
  for (const RingSurvey& ring : facts.rings) switches += ring.switches.count;
  uint64_t threads = 0;
  for (const ThreadFacts& thread : facts.capture.threads())
    if (thread.kind == static_cast<uint8_t>(wire::ThreadsEntryKind::kThread)) ++threads;
  static constexpr uint64_t kEnough = 16;
  if (switches != 0 || threads < 2 || facts.records() < kEnough) return;
  diagnoses.add("no-switches", facts.name,
                formatted("{} and {}, and no context switch among them", counted(threads, "thread"),
                          counted(facts.records(), "record")),
                "call barefxt_context_switch where the scheduler switches, on the CPU that does, "
                "and enable the category sched (BAREFXT_CATEGORY_BIT(sched), or all: ~0u)");
}

}  // namespace

void check_switches(const CaptureFacts& facts, Diagnoses& diagnoses) {
  are_there(facts, diagnoses);
  for (const RingSurvey& ring : facts.rings) {
    const SwitchSurvey& switches = ring.switches;
    if (switches.broken == 0) continue;
    const std::string seen = formatted(
        "in {} of {} switches the thread that leaves is not the one that came in last, first at "
        "tick {}",
        switches.broken, switches.count, switches.first_broken);
    static constexpr uint64_t kEnough = 4;
    const bool has_chains = switches.broken >= kEnough &&
                            switches.of_another_chain * 10 >= switches.broken * 9 &&
                            switches.came_in_twice * 10 <= switches.broken;
    if (has_chains)
      diagnoses.add("two-cpus-one-number", facts.cpu(ring),
                    seen +
                        ", but one that came in earlier and had not left: these are the "
                        "switches of several CPUs",
                    "let barefxt_port_cpu return another number on each CPU, from 0 to cpus - 1, "
                    "from the first probe on");
    else
      diagnoses.add("switches-missing", facts.cpu(ring), seen,
                    "call barefxt_context_switch on every path that switches: from interrupts, at "
                    "a yield, when a thread ends, and to the idle thread; with the thread that "
                    "really comes in, on the CPU that it comes in on");
  }
}

}  // namespace barefxt::host
