// Runs each case on inputs of one, two and four times BYTES. linear_test.cpp counts the
// instructions of each call of `counted_case`. Prints one name for each three calls. Runs short
// cases, all of them (`full`), or one.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "grown.h"

namespace {

const std::function<void()>* work = nullptr;

}  // namespace

extern "C" [[gnu::noinline]] void counted_case() { (*work)(); }

int main(int count, char** arguments) {
  const size_t size = count >= 2 ? std::strtoul(arguments[1], nullptr, 10) : 0;
  if (size == 0) {
    std::fprintf(stderr, "usage: linear_count BYTES [full|NAME]\n");
    return 2;
  }
  const std::string which = count >= 3 ? arguments[2] : "";
  for (const barefxt::test::Grown& grown : barefxt::test::all_grown()) {
    if (which.empty() ? grown.only_full : which != "full" && which != grown.name) continue;
    for (const size_t times : {1U, 2U, 4U}) {
      const std::function<void()> prepared =
          grown.prepare(std::min(size * grown.scale, grown.most) * times);
      work = &prepared;
      counted_case();
    }
    std::printf("%s\n", grown.name.c_str());
  }
  return 0;
}
