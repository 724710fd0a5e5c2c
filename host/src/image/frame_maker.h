// Frames of the wire (wire/frame.h) made on the host, for a sink that takes the target's.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include <barefxt/host/frame_scanner.h>
#include <barefxt/host/source.h>
#include <barefxt/host/words.h>
#include <barefxt/wire/frame.h>

#include "../rebuild/crc32c.h"

namespace barefxt::host {

class FrameMaker {
 public:
  FrameMaker(FrameSink& sink, uint32_t capture, ByteOrder words)
      : sink_(sink),
        capture_(capture),
        flags_(words == ByteOrder::kBig ? wire::FrameFlags::kBigEndianWords : uint8_t{0}) {}

  void begin(wire::FrameType type, uint8_t version = wire::kVersion) {
    type_ = type;
    version_ = version;
    payload_.clear();
  }
  void u8(uint64_t value) { number(value, 1); }
  void u16(uint64_t value) { number(value, 2); }
  void u32(uint64_t value) { number(value, 4); }
  void u64(uint64_t value) { number(value, 8); }
  void bytes(Bytes bytes) { payload_.insert(payload_.end(), bytes.begin(), bytes.end()); }
  // The payload's size so far.
  size_t size() const { return payload_.size(); }
  void end() {
    sink_.on_frame(Frame{.version = version_,
                         .type = static_cast<uint8_t>(type_),
                         .flags = flags_,
                         .capture = capture_,
                         .sequence = sequence_++,
                         .crc = crc32c(payload_),
                         .input_offset = 0,
                         .payload = payload_});
  }

 private:
  void number(uint64_t value, size_t count) {
    for (size_t i = 0; i < count; ++i) payload_.push_back(static_cast<uint8_t>(value >> (8 * i)));
  }

  FrameSink& sink_;
  uint32_t capture_;
  uint8_t flags_;
  wire::FrameType type_{};
  uint8_t version_ = wire::kVersion;
  uint32_t sequence_ = 0;
  std::vector<uint8_t> payload_;
};

}  // namespace barefxt::host
