// The first byte selects byte order and dialect; the rest is read as an archive in that form.
#include "cli/every_verb.h"
#include "fuzzing.h"

namespace barefxt::test::fuzz_archive_of_form {
namespace {

void try_input(const uint8_t* data, size_t size) {
  if (size == 0) return;
  host::Form form;
  form.byte_order = (data[0] & 1) != 0 ? host::ByteOrder::kBig : host::ByteOrder::kLittle;
  form.dialect = (data[0] & 2) != 0 ? host::Dialect::k2017 : host::Dialect::kToday;
  die_of(test::use_everything({data + 1, size - 1}, form));
}

const Fuzzer fuzzer("archive_of_form", try_input);

}  // namespace
}  // namespace barefxt::test::fuzz_archive_of_form
