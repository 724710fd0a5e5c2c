// Anything, taken for an archive in the form that is guessed: print in both forms, lint, stats.
#include "cli/every_verb.h"
#include "fuzzing.h"

namespace barefxt::test::fuzz_archive_guessed {
namespace {

void try_input(const uint8_t* data, size_t size) { die_of(use_everything({data, size})); }

const Fuzzer fuzzer("archive_guessed", try_input);

}  // namespace
}  // namespace barefxt::test::fuzz_archive_guessed
