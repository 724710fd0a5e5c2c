// A probe between two readings of the clock, which give the test bounds for its time.
#include "workload/bracketed.h"

#include <barefxt/clock.h>

#include "kernel/board.h"
#include "kernel/categories.h"
#include "kernel/scheduler.h"
#include "kernel/tally.h"

namespace kernel::workload {

// Interrupts are off so that the readings lie close.
void bracketed_probe() {
  const uint32_t id = tally::take_bracket();
  if (id == tally::kMaxBrackets) return;
  tally::probe(TALLY_INSTANT);
  const CriticalSection section;
  tally::Bracket bracket = {};
  bracket.cpu = scheduler::this_cpu().number;
  bracket.from = board::ticks();
  bracket.before = barefxt_ticks();
  BAREFXT_INSTANT(probe, "bracketed", BAREFXT_ARG_U32("bracket", id));
  bracket.after = barefxt_ticks();
  bracket.own = barefxt::clock_now();
  bracket.to = board::ticks();
  tally::keep_bracket(id, bracket);
}

}  // namespace kernel::workload
