#include "sweep/called.h"

#include <barefxt/fxt/ring_record.h>

#include "kernel/panic.h"
#include "sweep/sled_calls.h"

extern "C" {
// NOLINTBEGIN(bugprone-reserved-identifier)
[[gnu::weak]] void __cyg_profile_func_enter(void* function, void* caller);
[[gnu::weak]] void __cyg_profile_func_exit(void* function, void* caller);
// NOLINTEND(bugprone-reserved-identifier)
}

namespace kernel::sweep {
namespace {

using barefxt::fxt::CallRecord;

void target() { asm volatile(""); }

// Clang has no sleds for events in A32 code.
#if defined(__aarch64__) || defined(__x86_64__)
constexpr uint32_t kEvents = 1;
#else
constexpr uint32_t kEvents = 0;
#endif

constexpr Way kByHooks[] = {
    {"hooks", nullptr, 0, false, Within::kNothing},
    {"hooks_within", nullptr, 0, false, Within::kCall},
    {"hooks_unended", nullptr, 0, false, Within::kUnended},
};
constexpr Way kBySleds[] = {
    {"sleds", [] { sled_calls.returning(); }, 0, false, Within::kNothing},
    {"sleds_jumping", [] { sled_calls.jumping(); }, 0, false, Within::kNothing},
    {"sleds_jumping_to", [] { sled_calls.jumping_to(&target); }, 0, false, Within::kNothing},
    {"sleds_taking", [] { sled_calls.taking(kSweptArgument); }, 0, true, Within::kNothing},
    {"sleds_noting", [] { sled_calls.noting(); }, kEvents, false, Within::kNothing},
};

// The addresses that hooks are called with: by their distance from the first of them, in which no
// other function begins.
uint8_t* hooked(Called called) {
  return reinterpret_cast<uint8_t*>(&__cyg_profile_func_enter) +
         (uintptr_t{called + 1U} << CallRecord::kUnit);
}

void enter(Called called) { __cyg_profile_func_enter(hooked(called), nullptr); }
void leave(Called called) { __cyg_profile_func_exit(hooked(called), nullptr); }

const void* address_of(const Way& way, Called called) {
  if (way.call == nullptr) return hooked(called);
  switch (called) {
    case kCalledBefore:
      return reinterpret_cast<const void*>(sled_calls.before);
    case kCalledByHandler:
      return reinterpret_cast<const void*>(sled_calls.by_handler);
    case kCalledByOther:
      return reinterpret_cast<const void*>(sled_calls.by_other_thread);
    default:
      break;
  }
  const void* const interrupted[] = {reinterpret_cast<const void*>(sled_calls.returning),
                                     reinterpret_cast<const void*>(sled_calls.jumping),
                                     reinterpret_cast<const void*>(sled_calls.jumping_to),
                                     reinterpret_cast<const void*>(sled_calls.taking),
                                     reinterpret_cast<const void*>(sled_calls.noting)};
  static_assert(sizeof interrupted / sizeof interrupted[0] == sizeof kBySleds / sizeof kBySleds[0]);
  return interrupted[&way - kBySleds];
}

}  // namespace

bool records_calls() { return &__cyg_profile_func_enter != nullptr; }

Ways ways() {
  if (!records_calls()) return {nullptr, 0};
  if (&sled_calls == nullptr) return {kByHooks, sizeof kByHooks / sizeof kByHooks[0]};
  return {kBySleds, sizeof kBySleds / sizeof kBySleds[0]};
}

void call(const Way& way, Called called) {
  if (way.call == nullptr) {
    const bool is_within = called == kCalledInterrupted && way.within != Within::kNothing;
    if (is_within) enter(kCalledBefore);
    if (is_within && way.within == Within::kUnended) {
      leave(kCalledByOther);
      enter(kCalledByHandler);
    }
    enter(called);
    leave(called);
    if (is_within) leave(kCalledBefore);
    return;
  }
  switch (called) {
    case kCalledBefore:
      return sled_calls.before();
    case kCalledByHandler:
      return sled_calls.by_handler();
    case kCalledByOther:
      return sled_calls.by_other_thread();
    default:
      return way.call();
  }
}

Called called_by_number(const Way& way, uint64_t number) {
  for (uint32_t called = 0; called < kCalled; ++called) {
    const uintptr_t distance = reinterpret_cast<uintptr_t>(address_of(way, Called(called))) -
                               reinterpret_cast<uintptr_t>(&__cyg_profile_func_enter);
    if (number == (distance >> CallRecord::kUnit & CallRecord::Function::kMax))
      return Called(called);
  }
  return kCalled;
}

}  // namespace kernel::sweep
