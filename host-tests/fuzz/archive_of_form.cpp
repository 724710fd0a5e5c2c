// The first byte selects byte order and dialect; the rest is read as an archive in that form.
#include "every_verb.h"
#include "fuzzing.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace barefxt;
  if (size == 0) return 0;
  host::Form form;
  form.byte_order = (data[0] & 1) != 0 ? host::ByteOrder::kBig : host::ByteOrder::kLittle;
  form.dialect = (data[0] & 2) != 0 ? host::Dialect::k2017 : host::Dialect::kToday;
  test::die_of(test::use_everything({data + 1, size - 1}, form));
  return 0;
}
