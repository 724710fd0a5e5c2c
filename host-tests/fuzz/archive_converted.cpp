// The first byte says byte order and dialect, the rest is taken for an archive in that form and
// converted: what comes out keeps its promises, whatever went in.
#include "conversion.h"
#include "fuzzing.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace barefxt;
  if (size == 0) return 0;
  host::FormOverrides overrides;
  overrides.byte_order = (data[0] & 1) != 0 ? host::ByteOrder::kBig : host::ByteOrder::kLittle;
  overrides.dialect = (data[0] & 2) != 0 ? host::Dialect::k2017 : host::Dialect::kToday;
  test::die_of(test::broken_promise(std::string(data + 1, data + size), overrides));
  return 0;
}
