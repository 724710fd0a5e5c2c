// Interrupts: whether each that is entered is left.

#include "checks.h"

namespace barefxt::host {

void check_interrupts(const CaptureFacts& facts, Diagnoses& diagnoses) {
  for (const RingSurvey& ring : facts.rings) {
    const InterruptSurvey& interrupts = ring.interrupts;
    if (interrupts.never_left == 0 && interrupts.never_entered == 0) continue;
    std::string what;
    if (interrupts.never_left != 0)
      what = counted(interrupts.never_left, "interrupt") + " entered and never left";
    if (interrupts.never_entered != 0)
      what += (what.empty() ? "" : ", ") + counted(interrupts.never_entered, "interrupt") +
              " left and never entered";
    diagnoses.add(
        "interrupts-unbalanced", facts.cpu(ring),
        formatted("{}, the first called `{}`", what, interrupts.example),
        "give every way out of a handler its BAREFXT_IRQ_EXIT, with the name of the "
        "BAREFXT_IRQ_ENTER: early returns, handlers that switch threads, and tail-chained "
        "ones");
  }
}

}  // namespace barefxt::host
