// Functions that have a probe and nothing else, or the same operands and no probe. Before and
// behind it all registers are clobbered, so that each does its work from scratch and both kinds
// save and restore the same.
#pragma once

#include <barefxt/barefxt.h>

namespace sites {

BAREFXT_CATEGORY(probe, 0);
BAREFXT_CATEGORY(silent, 1);
inline constexpr uint32_t kCategories =
    BAREFXT_CATEGORY_BIT(probe) | BAREFXT_CATEGORY_BIT(sched) | BAREFXT_CATEGORY_BIT(irq);

extern barefxt_thread* outgoing;
extern barefxt_thread* incoming;

using Site = void (*)();

void nothing();
void instant();
void disabled_probe();
void threads();  // the operands of a switch
void context_switch();

// The necessary minimum of a record: a counter that is read in order, a locked compare-and-swap,
// two stores. They go into memory of its own, which it goes through as a ring does.
struct alignas(128) Floor {
  static constexpr uint64_t kBytes = uint64_t{1} << 18;
  uint64_t position = 0;
  uint8_t* memory = nullptr;
};
void floor_of_a_record(Floor& floor);

}  // namespace sites
