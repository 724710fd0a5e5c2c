#include "coded_records.h"

namespace barefxt::test {
namespace {

void add(Coder& coder, const Words& words) {
  for (size_t at = 0; at < words.size();)
    at += coder.record(words.data() + at, static_cast<uint32_t>(words.size() - at));
}

Bytes coded(const Bytes& frame) {
  constexpr size_t kHeader = 12;
  constexpr size_t kNumbers = kHeader + 8;
  constexpr size_t kNumberBytes = 32;
  constexpr size_t kClockBytes = 40;
  constexpr size_t kCrc = 4;
  const bool big = (frame[2] & 1) != 0;
  const size_t words_at = kNumbers + kNumberBytes + (frame[kHeader + 3] == 0 ? 0 : kClockBytes);
  const auto integer = [&](size_t at, size_t bytes, bool big_endian) {
    uint64_t value = 0;
    for (size_t i = 0; i < bytes; ++i)
      value |= uint64_t{frame[at + i]} << 8 * (big_endian ? bytes - 1 - i : i);
    return value;
  };

  CodeSink sink;
  sink.bytes.assign(frame.begin() + kHeader, frame.begin() + kNumbers);
  sink.bytes[2] = 2;
  Coder coder(sink, static_cast<uint32_t>(integer(kHeader, 2, false)));
  for (size_t at = kNumbers; at < words_at; at += 8) coder.number(integer(at, 8, false));
  Words words;
  for (size_t at = words_at; at + kCrc < frame.size(); at += 8)
    words.push_back(integer(at, 8, big));
  add(coder, words);
  coder.end();
  return make_frame(frame[1], frame[2], static_cast<uint32_t>(integer(4, 4, false)),
                    static_cast<uint32_t>(integer(8, 4, false)), sink.bytes, 8);
}

}  // namespace

Bytes code_of(const Words& words) {
  CodeSink sink;
  Coder coder(sink, 0);
  add(coder, words);
  coder.end();
  return sink.bytes;
}

std::optional<Words> words_of(const Bytes& code) {
  Words words;
  if (!host::RecordDecoder(code, 0).records(words)) return {};
  return words;
}

std::vector<Bytes> coded(std::vector<Bytes> frames) {
  constexpr uint8_t kRecords = 4;
  for (Bytes& frame : frames)
    if (frame[1] == kRecords) frame = coded(frame);
  return frames;
}

}  // namespace barefxt::test
