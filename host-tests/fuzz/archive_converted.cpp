// The first byte selects byte order and dialect. The rest is read as an archive in that form and
// converted. The output keeps its promises for any input.
#include "conversion.h"
#include "fuzzing.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace barefxt;
  if (size == 0) return 0;
  host::FormOverrides overrides;
  overrides.byte_order = (data[0] & 1) != 0 ? host::ByteOrder::kBig : host::ByteOrder::kLittle;
  overrides.dialect = (data[0] & 2) != 0 ? host::Dialect::k2017 : host::Dialect::kToday;
  test::die_of(test::broken_promise(std::string(data + 1, data + size), overrides));
  return 0;
}
