// What the ways in which functions tell of their calls share: hooks (functions.cpp) and sleds
// (sleds.cpp).
#pragma once

#include <stdint.h>

#include <barefxt/fxt/ring_record.h>

extern "C" {

// Its name is the compilers'; its address is the anchor that functions are told by.
// NOLINTNEXTLINE(bugprone-reserved-identifier)
void __cyg_profile_func_enter(void* function, void* caller);

// Records a call with this header: that of the short form (CallRecord), without the counter. For
// the trampolines of sleds. Context: any.
void barefxt_record_sled(uint64_t header);
// An entry with the function's first argument.
void barefxt_record_sled_argument(uint64_t header, uint64_t argument);

}  // extern "C"

namespace barefxt {

// The header of a call in one word, without the counter.
inline fxt::Word short_call(fxt::CallAction action, const void* function) {
  return fxt::CallRecord::make_short(action,
                                     reinterpret_cast<uintptr_t>(function) -
                                         reinterpret_cast<uintptr_t>(&__cyg_profile_func_enter));
}

}  // namespace barefxt
