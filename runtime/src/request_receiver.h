// Finds requests (wire/request.h) among the bytes of a line, one byte at a time. It removes COBS
// and computes the CRC on the way, so that a byte costs a few instructions, and the last of a frame
// no more than the others.
//
// Invariant: with any input, nothing is written beyond the bytes of one request, and only a whole
// request with a right CRC is handed on.
#pragma once

#include <barefxt/wire/crc32c.h>
#include <barefxt/wire/request.h>

namespace barefxt {

class RequestReceiver {
 public:
  // Returns the frame, good until the next byte, if this was its last; else null.
  const uint8_t* add(uint8_t byte) {
    if (byte == 0) return end();
    if (left_in_block_ == 0) {
      // A block ends with a zero of the frame, unless it is full or the last.
      if (zero_is_due_) put(0);
      left_in_block_ = static_cast<uint8_t>(byte - 1);
      zero_is_due_ = byte != kFullBlock;
    } else {
      --left_in_block_;
      put(byte);
    }
    return nullptr;
  }

 private:
  static constexpr uint8_t kFullBlock = 255;
  static constexpr size_t kCoveredBytes = wire::kRequestFrameBytes - wire::kCrcBytes;
  static constexpr uint8_t kTooLong = wire::kRequestFrameBytes + 1;

  const uint8_t* end() {
    const bool is_request =
        left_in_block_ == 0 && bytes_ == wire::kRequestFrameBytes &&
        wire::load_u32(frame_ + kCoveredBytes) == crc_.value() &&
        frame_[wire::FrameHeader::kVersion] == wire::kVersionOfRequests &&
        frame_[wire::FrameHeader::kType] == static_cast<uint8_t>(wire::FrameType::kRequest);
    left_in_block_ = 0;
    zero_is_due_ = false;
    bytes_ = 0;
    crc_ = wire::Crc32c();
    return is_request ? frame_ : nullptr;
  }

  void put(uint8_t byte) {
    if (bytes_ >= wire::kRequestFrameBytes) {
      bytes_ = kTooLong;
      return;
    }
    if (bytes_ < kCoveredBytes) crc_.add(byte);
    frame_[bytes_++] = byte;
  }

  wire::Crc32c crc_;
  uint8_t left_in_block_ = 0;
  bool zero_is_due_ = false;
  uint8_t bytes_ = 0;
  uint8_t frame_[wire::kRequestFrameBytes] = {};
};

}  // namespace barefxt
