// The input decides how a sound archive is made, which the plain decoder and the library then must
// read alike, field by field.
#include "comparison.h"
#include "fuzzing.h"
#include "random_archive.h"

namespace barefxt::test::fuzz_archive_made {
namespace {

void try_input(const uint8_t* data, size_t size) {
  FuzzInput input(data, size);
  const uint64_t flags = input.byte();
  const PlainForm form{(flags & 1) != 0, (flags & 2) != 0};
  std::vector<Numbers> records;
  while (!input.empty() && records.size() < 64) {
    Numbers& numbers = records.emplace_back();
    // A byte holds how many numbers a record gets, and a byte for each holds its width.
    for (uint64_t left = input.byte(); left > 0 && !input.empty(); --left) {
      numbers.push_back(input.number(static_cast<unsigned>(input.byte() % 9)));
    }
  }
  die_of(difference(random_archive(records, form).bytes(form), form));
}

const Fuzzer fuzzer("archive_made", try_input);

}  // namespace
}  // namespace barefxt::test::fuzz_archive_made
