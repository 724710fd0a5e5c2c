// Anything, taken for an archive in the form that is guessed: print in both forms, lint, stats.
#include "every_verb.h"
#include "fuzzing.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  barefxt::test::die_of(barefxt::test::use_everything({data, size}));
  return 0;
}
