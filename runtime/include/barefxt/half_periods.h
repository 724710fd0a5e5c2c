// A count that is wider than the counter it is made from: an epoch beside it counts half periods.
//
// The counter's top bit shows the parity of its half period, and so whether one went by since the
// epoch was stored. Invariants, with H for the number of half periods that went by:
// - H - 1 <= epoch <= H, at every moment: at most one is missing, and the parity shows if one is.
// - The epoch never falls. It is stored by compare and swap from the value that the new one was
//   made from, so a context that slept over another's store cannot set it back.
#pragma once

#include <stdint.h>

namespace barefxt {

// Half periods of a counter of `bits`, at most 32, whose value has nothing above them.
template <unsigned bits>
struct HalfPeriods {
  static constexpr unsigned kTopBit = bits - 1;

  // That went by until the counter was read.
  static constexpr uint32_t gone_by(uint32_t epoch, uint32_t counter) {
    return epoch + ((epoch ^ (counter >> kTopBit)) & 1);
  }
  // Two half periods are one more of the bits above the counter's; the odd half period is its top
  // bit. A missing half period matters only if the top bit is clear: then the epoch is odd, and one
  // more makes it even. If the epoch is even already, one more has the same half.
  static constexpr uint64_t extend(uint32_t epoch, uint32_t counter) {
#ifdef __m68k__
    // The top bit takes it an instruction less than its opposite.
    const uint32_t is_top_clear = 1 - (counter >> kTopBit);
#else
    const uint32_t is_top_clear = ~counter >> kTopBit & 1;
#endif
    const uint32_t periods = (epoch + is_top_clear) >> 1;
    return static_cast<uint64_t>(periods) << bits | counter;
  }
};

}  // namespace barefxt
