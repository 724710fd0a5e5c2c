// The code of records: any words come back from it exactly; any bytes are words, or are refused.
#include <cstring>

#include "fuzzing.h"
#include "rebuild/coded_records.h"

namespace barefxt::test::fuzz_record_code {
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
  if (words->size() > 4 * code.size()) die_of("more words than the code has room for");
  if (words_of(code_of(*words)) != words) die_of("words of a code that come back as others");
}

void try_input(const uint8_t* data, size_t size) {
  const Bytes bytes(data, data + size);
  any_words(bytes);
  any_code(bytes);
}

const Fuzzer fuzzer("record_code", try_input);

}  // namespace
}  // namespace barefxt::test::fuzz_record_code
