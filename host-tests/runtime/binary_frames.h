// Takes a dump in the binary form apart into frames, as it comes, for content of frames that no
// archive shows. The line loses nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <barefxt/wire/frame.h>

namespace barefxt::test {

class BinaryFrames {
 public:
  // Gives each frame that is complete then, header and CRC included.
  template <typename Each>
  void take(const uint8_t* bytes, size_t count, Each each) {
    for (size_t i = 0; i < count; ++i) {
      if (bytes[i] != 0) {
        coded_.push_back(bytes[i]);
        continue;
      }
      if (!coded_.empty()) each(decoded());
      coded_.clear();
    }
  }

 private:
  // COBS: blocks, each with its length ahead and a zero behind it, unless it is the longest.
  std::vector<uint8_t> decoded() const {
    std::vector<uint8_t> frame;
    for (size_t at = 0; at < coded_.size();) {
      const size_t block = coded_[at];
      for (size_t i = 1; i < block && at + i < coded_.size(); ++i) frame.push_back(coded_[at + i]);
      at += block;
      if (block != 255 && at < coded_.size()) frame.push_back(0);
    }
    return frame;
  }

  std::vector<uint8_t> coded_;
};

inline wire::FrameType type_of(const std::vector<uint8_t>& frame) {
  return frame.size() < wire::kMinFrameBytes
             ? wire::FrameType{}
             : static_cast<wire::FrameType>(frame[wire::FrameHeader::kType]);
}

}  // namespace barefxt::test
