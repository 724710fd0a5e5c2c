// The codes of the line: what is coded decodes to itself, what is not is refused without harm.
#include <string_view>

#include "fuzzing.h"
#include "rebuild/base64.h"
#include "rebuild/capture_builder.h"
#include "rebuild/cobs.h"
#include "rebuild/crc32c.h"

namespace barefxt::test::fuzz_wire {
namespace {

void cobs(const Bytes& bytes) {
  const Bytes coded = plain_cobs(bytes);
  Bytes decoded(coded.size() + host::kCobsReach);
  const auto size = host::cobs_decode({coded.data() + 1, coded.size() - 2}, decoded.data());
  if (!size || *size != bytes.size()) return die_of("COBS of another size");
  decoded.resize(*size);
  if (decoded != bytes) die_of("COBS of other bytes");
}

void anything_as_cobs(Bytes bytes) {
  std::erase(bytes, 0);
  Bytes decoded(bytes.size() + host::kCobsReach);
  const auto size = host::cobs_decode(bytes, decoded.data());
  if (size && *size > bytes.size()) die_of("COBS that grows");
  // Its parts at once, as one by one.
  constexpr size_t kParts = host::kCobsTogether + 3;
  std::array<host::CobsTask, kParts> tasks;
  std::array<Bytes, kParts> decoded_together;
  std::span<const uint8_t> left(bytes);
  for (size_t i = 0; i < tasks.size(); ++i) {
    tasks[i].coded = left.first(left.size() / (tasks.size() - i));
    left = left.subspan(tasks[i].coded.size());
    decoded_together[i].resize(tasks[i].coded.size() + host::kCobsReach);
    tasks[i].decoded = decoded_together[i].data();
  }
  host::cobs_decode_together(tasks);
  for (const host::CobsTask& task : tasks)
    if (task.bytes != host::cobs_decode(task.coded, decoded.data()))
      die_of("COBS of several at once");
}

void base64(const Bytes& bytes) {
  const std::string text = plain_base64(bytes);
  Bytes decoded(text.size() / 4 * 3);
  const auto size = host::base64_decode(text, decoded.data());
  if (!size || *size != bytes.size()) return die_of("base64 of another size");
  decoded.resize(*size);
  if (decoded != bytes) die_of("base64 of other bytes");
}

void anything_as_base64(const Bytes& bytes) {
  const std::string text(bytes.begin(), bytes.end());
  Bytes decoded(text.size() / 4 * 3);
  const auto size = host::base64_decode(text, decoded.data());
  if (!size) return;
  decoded.resize(*size);
  if (plain_base64(decoded) != text) die_of("base64 with two texts for the same bytes");
}

void try_input(const uint8_t* data, size_t size) {
  const Bytes bytes(data, data + size);
  cobs(bytes);
  anything_as_cobs(bytes);
  base64(bytes);
  anything_as_base64(bytes);
  if (host::crc32c(bytes) != plain_crc32c(bytes)) die_of("CRC-32C");
  if (host::crc32c_by_table(bytes) != plain_crc32c(bytes)) die_of("CRC-32C by table");
}

const Fuzzer fuzzer("wire", try_input);

}  // namespace
}  // namespace barefxt::test::fuzz_wire
