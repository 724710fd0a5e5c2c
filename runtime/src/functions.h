// Shared by the two ways in which functions report their calls: hooks (functions.cpp) and sleds
// (sleds.cpp).
#pragma once

#include <stdint.h>

#include <barefxt/fxt/ring_record.h>
#include <barefxt/ring.h>

extern "C" {

// Compilers give it this name. Its address is the anchor: records have the distance of a function
// from it.
void __cyg_profile_func_enter(void* function, void* caller);

// Records a call with this header: that of the short form (CallRecord), without the counter. For
// the trampolines of sleds. Context: any.
void barefxt_record_sled(uint64_t header);
// An entry with the function's first argument.
void barefxt_record_sled_argument(uint64_t header, uint64_t argument);

}  // extern "C"

namespace barefxt {

// The rings, while calls are recorded, and null while they are not: one load that a hook needs
// anyway answers both questions. Follows the category's bit, see follow_categories.
[[gnu::visibility("hidden")]] extern Atomic<Ring*> rings_of_calls;

// Sets both that calls are led by: rings_of_calls, and the targets of sleds. Context: any.
void lead_calls(bool are_recorded);

// After every change of the mask of categories. Context: any.
void follow_categories();

namespace sleds {

// True where sleds lead through a pointer (sleds/x86_64.h).
#if defined(__x86_64__)
inline constexpr bool kHaveTargets = true;
#else
inline constexpr bool kHaveTargets = false;
#endif
// Lets sleds lead to a trampoline, or back. Null in an image that never patches sleds.
[[gnu::weak]] void set_targets(bool calls_are_recorded);

}  // namespace sleds

// The header of a call in one word, without the counter.
[[gnu::always_inline]] inline fxt::Word short_call(fxt::CallAction action, const void* function) {
  const auto address = reinterpret_cast<uintptr_t>(function);
  auto anchor = reinterpret_cast<uintptr_t>(&__cyg_profile_func_enter);
#if defined(__x86_64__)
  return fxt::CallRecord::make_short(action, (address - anchor) | 1);
#else
  // If code is aligned, distances are even. So the bit that means call may as well come from the
  // anchor, and costs nothing. In a register, or the compiler takes the sum apart again.
  --anchor;
  __asm__("" : "+r"(anchor));
  return fxt::CallRecord::make_short(action, address - anchor);
#endif
}

}  // namespace barefxt
