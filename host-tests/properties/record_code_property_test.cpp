// Properties of the code of records, for any words.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "rebuild/coded_records.h"

namespace barefxt::test::record_code_property_test {
namespace {

rc::Gen<uint64_t> byte() { return rc::gen::inRange<uint64_t>(0, 256); }

// Few values each, so that they meet again, among records and within them.
rc::Gen<uint64_t> header() {
  return rc::gen::map(
      rc::gen::tuple(rc::gen::element<uint64_t>(4, 4, 8, 8, 8, 9, 10, 13, 15, 5, 7, 0),
                     rc::gen::inRange<uint64_t>(0, 24),
                     rc::gen::element<uint64_t>(0, 1, 2, 3, 4, 5, 6, 15),
                     rc::gen::inRange<uint64_t>(0, 3), rc::gen::inRange<uint64_t>(0, 3),
                     rc::gen::inRange<uint64_t>(0, 3), rc::gen::element<uint64_t>(0, 0, 0, 1, 2)),
      [](const auto& part) {
        const auto [type, words, state, outgoing, incoming, priority, subtype] = part;
        return type | words << 4 | state << 24 | outgoing << 28 | incoming << 36 | priority << 44 |
               (priority ^ incoming) << 52 | subtype << 60;
      });
}
// By thread in bits 24 to 31.
rc::Gen<uint64_t> event() {
  return rc::gen::map(
      rc::gen::tuple(rc::gen::inRange<uint64_t>(0, 8), rc::gen::inRange<uint64_t>(0, 4),
                     rc::gen::inRange<uint64_t>(0, 50)),
      [](const auto& part) {
        const auto [words, thread, name] = part;
        return 4 | words << 4 | thread << 24 | name << 48;
      });
}
rc::Gen<uint64_t> number() {
  return rc::gen::map(rc::gen::pair(byte(), rc::gen::inRange<unsigned>(0, 8)),
                      [](const auto& part) { return part.first << 8 * part.second; });
}
rc::Gen<uint64_t> word() {
  return rc::gen::oneOf(header(), event(), number(), byte(), rc::gen::arbitrary<uint64_t>());
}
rc::Gen<Words> words() {
  return rc::gen::oneOf(rc::gen::container<Words>(word()), rc::gen::container<Words>(event()),
                        rc::gen::container<Words>(rc::gen::oneOf(header(), byte())),
                        rc::gen::container<Words>(rc::gen::arbitrary<uint64_t>()));
}

RC_GTEST_PROP(RecordCode, AnyWordsComeBackExactly, ()) {
  const Words original = *words();
  const Bytes code = code_of(original);
  RC_ASSERT(4 * code.size() >= original.size());
  RC_ASSERT(code.size() <= Coder::most_for(8 * original.size()));
  const auto found = words_of(code);
  RC_ASSERT(found.has_value());
  RC_ASSERT(*found == original);
}

// Any words that a reader accepts can be coded again.
RC_GTEST_PROP(RecordCode, AnyBytesAreRefusedOrWords, ()) {
  const auto code = *rc::gen::arbitrary<Bytes>();
  const auto found = words_of(code);
  if (!found) return;
  RC_ASSERT(found->size() <= 4 * code.size());
  RC_ASSERT(words_of(code_of(*found)) == found);
}

}  // namespace
}  // namespace barefxt::test::record_code_property_test
