// How many cases each property is tried on. RapidCheck reads RC_PARAMS once, before its first
// property.
#include <cstdlib>
#include <string>

#include "build_kind.h"

namespace barefxt::test {
namespace {

int set_case_count() {
  const size_t cases = is_full_run() ? 5000 : sampled(1000);
  // 0: a value from the environment wins, to repeat a failure or to try more.
  return ::setenv("RC_PARAMS", ("max_success=" + std::to_string(cases)).c_str(), 0);
}

[[maybe_unused]] const int kSet = set_case_count();

}  // namespace
}  // namespace barefxt::test
