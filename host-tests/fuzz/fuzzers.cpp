// Chooses the fuzz target by the name that the executable is called by: fuzz_TARGET.
#include <cstring>
#include <map>
#include <string_view>

#include "fuzzing.h"

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv);
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace barefxt::test {
namespace {

std::map<std::string_view, Fuzzer::TryInput>& fuzzers() {
  static std::map<std::string_view, Fuzzer::TryInput> all;
  return all;
}

Fuzzer::TryInput chosen = nullptr;

}  // namespace

Fuzzer::Fuzzer(const char* name, TryInput try_input) { fuzzers().emplace(name, try_input); }

}  // namespace barefxt::test

int LLVMFuzzerInitialize(int*, char*** argv) {
  using namespace barefxt::test;
  constexpr std::string_view kPrefix = "fuzz_";
  std::string_view name = (*argv)[0];
  name.remove_prefix(name.rfind('/') + 1);
  if (name.starts_with(kPrefix)) name.remove_prefix(kPrefix.size());
  if (!fuzzers().contains(name)) die_of("no target " + std::string(name));
  chosen = fuzzers().at(name);
  return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  barefxt::test::chosen(data, size);
  return 0;
}
