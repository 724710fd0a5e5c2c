// Consistent overhead byte stuffing (Cheshire and Baker, 1997): a frame without zero bytes, between
// zero bytes, for binary lines.
//
// The encoder needs 254 bytes of memory and no knowledge of the frame's length: it collects up to
// 254 bytes that are not zero and sends them behind a code byte, which is their number plus one. A
// code below 255 stands for a zero after its bytes, but for the last of a frame.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace barefxt::wire {

// Sink: any type with `void write(const uint8_t* bytes, size_t count)`.
template <typename Sink>
class CobsEncoder {
 public:
  explicit CobsEncoder(Sink& sink) : sink_(sink) {}

  // The largest frame that takes at most `room` bytes on the line, with any content: a code byte
  // for each 254 (here for each 128, which needs no division), one more, and two zeros.
  static constexpr size_t frame_bytes_in(size_t room) {
    const size_t codes = room / 128 + 1 + 2;
    return room < codes ? 0 : room - codes;
  }

  void begin() { send(0, 1); }
  [[gnu::always_inline]] void add(uint8_t byte) {
    if (byte == 0) {
      flush();
      return;
    }
    block_[used_++] = byte;
    if (used_ == kFull) flush();
  }
  [[gnu::always_inline]] void end() {
    flush();
    send(0, 1);
  }

 private:
  static constexpr size_t kFull = 255;

  // Not inlined, so that most bytes take a path without a call.
  [[gnu::noinline]] void flush() { send(used_, used_); }

  // The first byte is a code, or the zero before and behind each frame.
  void send(size_t first, size_t bytes) {
    block_[0] = static_cast<uint8_t>(first);
    sink_.write(block_, bytes);
    used_ = 1;
  }

  Sink& sink_;
  size_t used_ = 1;
  uint8_t block_[kFull];  // written before it is read; clearing it would be a call
};

}  // namespace barefxt::wire
