// The first byte selects byte order and dialect. The rest is read as an archive in that form and
// converted. The output keeps its promises for any input.
#include "conversion.h"
#include "fuzzing.h"

namespace barefxt::test::fuzz_archive_converted {
namespace {

void try_input(const uint8_t* data, size_t size) {
  if (size == 0) return;
  host::FormOverrides overrides;
  overrides.byte_order = (data[0] & 1) != 0 ? host::ByteOrder::kBig : host::ByteOrder::kLittle;
  overrides.dialect = (data[0] & 2) != 0 ? host::Dialect::k2017 : host::Dialect::kToday;
  die_of(test::broken_promise(std::string(data + 1, data + size), overrides));
}

const Fuzzer fuzzer("archive_converted", try_input);

}  // namespace
}  // namespace barefxt::test::fuzz_archive_converted
