// Compiled with sleds.
#include "sweep/sled_calls.h"

#include <barefxt/barefxt.h>

namespace kernel::sweep {
namespace {

[[gnu::noinline, clang::xray_never_instrument]] void target() { asm volatile(""); }

[[gnu::noinline]] void before() { asm volatile(""); }
[[gnu::noinline]] void by_handler() { asm volatile(""); }
[[gnu::noinline]] void by_other_thread() { asm volatile(""); }
[[gnu::noinline]] void returning() { asm volatile(""); }
[[gnu::noinline]] void jumping() { target(); }
[[gnu::noinline]] void jumping_to(void (*to)()) { to(); }
[[gnu::noinline, clang::xray_always_instrument, clang::xray_log_args(1)]] void taking(
    uint64_t /*argument*/) {
  asm volatile("");
}
[[gnu::noinline]] void noting() {
  __xray_customevent(kSweptPayload, sizeof kSweptPayload);
  __xray_typedevent(kSweptType, kSweptPayload, sizeof kSweptPayload);
}

// Here, so that no other image has these strings.
[[clang::xray_never_instrument]] EventNames event_names() {
  return {BAREFXT_STRING("xray"), BAREFXT_STRING("custom event"), BAREFXT_STRING("typed event")};
}

}  // namespace

const SledCalls sled_calls = {&before,     &by_handler, &by_other_thread, &returning,  &jumping,
                              &jumping_to, &taking,     &noting,          &event_names};

}  // namespace kernel::sweep
