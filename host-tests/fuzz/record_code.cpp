// The code of records: any words come back from it exactly; any bytes are words, or are refused.
#include <cstring>

#include "coded_records.h"
#include "fuzzing.h"

namespace barefxt::test {
namespace {

void any_words(const Bytes& bytes) {
  Words words(bytes.size() / 8);
  if (!words.empty()) std::memcpy(words.data(), bytes.data(), 8 * words.size());
  const Bytes code = code_of(words);
  if (code.size() > Coder::most_for(8 * words.size()))
    die_of("a code that is longer than it may be");
  if (words_of(code) != words) die_of("words that come back as others");
}

void any_code(const Bytes& code) {
  const auto words = words_of(code);
  if (!words) return;
  if (words->size() > code.size()) die_of("more words than bytes of code");
  if (words_of(code_of(*words)) != words) die_of("words of a code that come back as others");
}

}  // namespace
}  // namespace barefxt::test

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const barefxt::test::Bytes bytes(data, data + size);
  barefxt::test::any_words(bytes);
  barefxt::test::any_code(bytes);
  return 0;
}
