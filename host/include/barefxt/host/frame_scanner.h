// Finds the frames of wire/frame.h in the bytes from a line: binary frames between zero bytes
// anywhere among console text, and lines of text that hold `barefxt:` and a frame in base64. Both
// forms may be mixed.
//
// Invariants: bytes may be fed in pieces of any size and the frames found are the same; memory is
// bounded for any input; a frame is handed on only when its CRC-32C is right.
//
// Bytes between two zero bytes are tried as a binary frame, unless they are too long for one. If
// that fails they are text, and the scanner searches their lines.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <barefxt/wire/frame.h>

namespace barefxt::host {

// A frame of a known version with a correct CRC. Its payload may be nonsense all the same.
struct Frame {
  uint8_t version = wire::kVersion;
  uint8_t type = 0;  // wire::FrameType, or a number that this version does not know
  uint8_t flags = 0;
  uint32_t capture = 0;
  uint32_t sequence = 0;
  uint32_t crc = 0;
  uint64_t input_offset = 0;  // where its coded form starts
  std::span<const uint8_t> payload;
};

class FrameSink {
 public:
  virtual ~FrameSink() = default;
  virtual void on_frame(const Frame& frame) = 0;
  // Something that was meant for a frame and is none: its CRC or its coding is wrong.
  virtual void on_damaged(uint64_t input_offset) = 0;
  // A frame whose CRC is right and whose version we do not know.
  virtual void on_other_version(uint8_t version, uint64_t input_offset) = 0;
};

class FrameScanner {
 public:
  // Bytes of the longest frame, and of its two coded forms.
  static constexpr size_t kMaxFrameBytes = wire::kMinFrameBytes + wire::kMaxPayloadBytes;
  static constexpr size_t kMaxCobsBytes = kMaxFrameBytes + kMaxFrameBytes / 254 + 1;
  static constexpr size_t kMaxTextBytes = (kMaxFrameBytes + 2) / 3 * 4;

  explicit FrameScanner(FrameSink& sink);

  void feed(std::span<const uint8_t> bytes);
  // The input is over: what is unfinished is judged as it stands.
  void finish();

 private:
  // Returns the length of the run of zeros at the front if it is outside all chunks, else 0.
  size_t zeros_between_chunks(std::span<const uint8_t> bytes) const;
  // Decodes chunks that are whole in `bytes`, several at once: this is where the time of long
  // captures goes. Returns how many bytes they are; 0 where there is none.
  size_t feed_several(std::span<const uint8_t> bytes);
  void end_chunk(std::span<const uint8_t> chunk, uint64_t offset);
  // One that is no frame.
  void end_text_chunk(std::span<const uint8_t> chunk, uint64_t offset);
  void scan_text(std::span<const uint8_t> bytes, uint64_t offset);
  void end_text();
  void scan_line(std::span<const uint8_t> line, uint64_t offset);
  // Scans and drops the front of a line longer than any frame; keeps bytes that may still become
  // one.
  void shorten_line();
  bool judge(std::span<const uint8_t> frame, uint64_t offset);

  FrameSink& sink_;
  std::vector<uint8_t> decoded_;  // a frame, or several, kRoom bytes apart

  std::vector<uint8_t> chunk_;  // since the last zero byte, from earlier feeds
  bool chunk_is_text_ = false;  // it grew too long for a binary frame
  uint64_t position_ = 0;       // of the next byte to be fed
  uint64_t chunk_offset_ = 0;

  std::vector<uint8_t> line_;  // since the last line feed, from earlier calls
  uint64_t line_offset_ = 0;
};

}  // namespace barefxt::host
