// The kind of build that the tests are, for those that measure.
#pragma once

#include <cstddef>
#include <cstdlib>

namespace barefxt::test {

#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool kSanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif
#else
inline constexpr bool kSanitized = false;
#endif

#if defined(__OPTIMIZE__)
inline constexpr bool kOptimized = true;
#else
inline constexpr bool kOptimized = false;
#endif

// toolchain/test.sh --full sets it: tests do at length what they cut short otherwise.
inline bool is_full_run() { return std::getenv("BAREFXT_FULL") != nullptr; }

// Sanitized code runs about eight times as long, so a short run under sanitizers tries an eighth of
// `all` cases. A short run without sanitizers tries them all.
inline size_t sampled(size_t all) { return kSanitized && !is_full_run() ? all / 8 : all; }

// The step of tests that cut or interrupt at every place: 1 tries all of them.
inline size_t places_apart() { return kSanitized && !is_full_run() ? 7 : 1; }

// The step of tests that flip every bit. 5 and 101 have no factor in common with 8, so a short run
// still reaches each place in a byte.
inline size_t bits_apart() {
  if (is_full_run()) return 1;
  return kSanitized ? 101 : 5;
}

}  // namespace barefxt::test
