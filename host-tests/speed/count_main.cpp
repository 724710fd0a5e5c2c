// Does one of what is measured, twice: what is set up once is not to count. For a tool that counts
// the instructions in `counted_work` the second time, see speed_test.cpp.
#include <cstdio>
#include <cstring>

#include "measured.h"

namespace {

const barefxt::test::Work* work = nullptr;

}  // namespace

extern "C" [[gnu::noinline]] void counted_work() { work->run(); }

int main(int count, char** arguments) {
  for (const barefxt::test::Measured& each : barefxt::test::all_measured()) {
    if (count != 2 || std::strcmp(each.name, arguments[1]) != 0) continue;
    const barefxt::test::Work prepared = each.prepare(barefxt::test::Amount::kToCount);
    prepared.run();
    work = &prepared;
    counted_work();
    std::printf("units %.0f\n", prepared.units);
    return 0;
  }
  std::fprintf(stderr, "usage: speed_count NAME\n");
  return 2;
}
