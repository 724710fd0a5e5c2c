// Sends frames (wire/frame.h) byte by byte, without a buffer for a frame: the CRC is made and the
// line's coding done on the way.
#pragma once

#include <barefxt/features.h>
#include <barefxt/types.h>
#include <barefxt/wire/cobs.h>
#include <barefxt/wire/crc32c.h>
#include <barefxt/wire/frame.h>

namespace barefxt {

// Properties of a form.
constexpr bool is_text(barefxt_dump_form form) {
  return form == BAREFXT_DUMP_TEXT || form == BAREFXT_DUMP_TEXT_CODED;
}
constexpr bool is_coded(barefxt_dump_form form) {
  return form == BAREFXT_DUMP_BINARY_CODED || form == BAREFXT_DUMP_TEXT_CODED;
}

// Returns true if the image has that form of a dump.
constexpr bool has_form(barefxt_dump_form form) {
  return (is_text(form) ? kDumpsText : kDumpsBinary) && (kDumpsCoded || !is_coded(form));
}

// A writer of the caller as the sink of a coder.
class WriterSink {
 public:
  explicit WriterSink(const barefxt_writer& writer) : writer_(writer) {}
  void write(const uint8_t* bytes, size_t count) { writer_.write(writer_.context, bytes, count); }

 private:
  const barefxt_writer& writer_;
};

// The text form: a line of prefix, base64 (RFC 4648, section 4) and newline a frame.
class TextCoder {
 public:
  explicit TextCoder(WriterSink& sink) : sink_(sink) {}

  // The largest frame that takes no more than `room` bytes on the line.
  static constexpr size_t frame_bytes_in(size_t room) {
    constexpr size_t kLine = sizeof wire::kTextPrefix - 1 + 2;  // and two newlines
    return room < kLine ? 0 : (room - kLine) / 4 * 3;
  }

  void begin() {
    // A newline first: the console may be in the middle of a line.
    put('\n');
    for (const char* c = wire::kTextPrefix; *c != 0; ++c) put(*c);
  }
  void add(uint8_t byte) {
    group_ = group_ << 8 | byte;
    if (++in_group_ == 3) flush();
  }
  void end() {
    if (in_group_ != 0) flush();
    put('\n');
    sink_.write(line_, used_);
    used_ = 0;
  }

 private:
  // As that of CobsEncoder.
  [[gnu::noinline]] void flush() {
    constexpr const char* kAlphabet =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned digits = in_group_ + 1;
    group_ <<= 8 * (3 - in_group_);
    for (unsigned i = 0; i < 4; ++i)
      put(i < digits ? kAlphabet[group_ >> (18 - 6 * i) & 0x3f] : '=');
    group_ = 0;
    in_group_ = 0;
  }
  void put(char c) {
    line_[used_++] = static_cast<uint8_t>(c);
    if (used_ < sizeof line_) return;
    sink_.write(line_, used_);
    used_ = 0;
  }

  WriterSink& sink_;
  uint32_t group_ = 0;
  unsigned in_group_ = 0;
  size_t used_ = 0;
  uint8_t line_[128];
};

// In place of a coder that the image has not.
struct NoCoder {
  explicit NoCoder(WriterSink&) {}
  void begin() {}
  void add(uint8_t) {}
  void end() {}
};
template <bool is_there, typename Coder>
struct CoderIf {
  using Type = Coder;
};
template <typename Coder>
struct CoderIf<false, Coder> {
  using Type = NoCoder;
};

// The line's coding, in the form that the caller wants. Chosen at run time, byte by byte: the line
// is slower, and everything above exists once.
class FrameCoder {
 public:
  FrameCoder(WriterSink& sink, barefxt_dump_form form)
      : is_text_(sends_text(is_text(form))), text_(sink), binary_(sink) {}

  void begin() { sends_text(is_text_) ? text_.begin() : binary_.begin(); }
  [[gnu::noinline]] void add(uint8_t byte) {
    sends_text(is_text_) ? text_.add(byte) : binary_.add(byte);
  }
  [[gnu::noinline]] void end() { sends_text(is_text_) ? text_.end() : binary_.end(); }

  // Returns the largest frame that takes at most `room` bytes on the line, with any content.
  static size_t frame_bytes_in(size_t room, barefxt_dump_form form) {
    return sends_text(is_text(form)) ? TextCoder::frame_bytes_in(room)
                                     : wire::CobsEncoder<WriterSink>::frame_bytes_in(room);
  }

 private:
  // If the image has one kind only, nothing asks.
  static constexpr bool sends_text(bool is_asked_for) {
    return kDumpsText && (!kDumpsBinary || is_asked_for);
  }

  bool is_text_;
  CoderIf<kDumpsText, TextCoder>::Type text_;
  CoderIf<kDumpsBinary, wire::CobsEncoder<WriterSink>>::Type binary_;
};

class FrameWriter {
 public:
  // `sequence`: the number of the first frame.
  FrameWriter(const barefxt_writer& writer, barefxt_dump_form form, uint32_t capture,
              uint32_t sequence)
      : capture_(capture), sequence_(sequence), sink_(writer), coder_(sink_, form) {}

#if BAREFXT_WAY_BACK
  // Frames are from here on such as the host asked for.
  void begin_asked() { asked_ = wire::FrameFlags::kAsked; }
#endif

  // The number of the next frame.
  uint32_t sequence() const { return sequence_; }

  [[gnu::noinline]] void begin(wire::FrameType type, uint8_t flags,
                               uint8_t version = wire::kVersion) {
    crc_ = wire::Crc32c();
#if BAREFXT_WAY_BACK
    flags |= asked_;
    if (asked_ != 0 && version == wire::kVersion) version = wire::kVersionOfRequests;
#endif
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    flags |= wire::FrameFlags::kBigEndianWords;
#endif
    coder_.begin();
    u32(version | static_cast<uint32_t>(type) << 8 | static_cast<uint32_t>(flags) << 16);
    u32(capture_);
    u32(sequence_++);
  }
  [[gnu::noinline]] void end() {
    u32(crc_.value());
    coder_.end();
  }

  // Not inlined: the dump is called seldom, and its size counts.
  [[gnu::noinline]] void u8(uint8_t value) {
    crc_.add(value);
    coder_.add(value);
  }
  void u16(uint16_t value) { little_endian(value, 2); }
  void u32(uint32_t value) { little_endian(value, 4); }
  [[gnu::noinline]] void u64(uint64_t value) {
    u32(static_cast<uint32_t>(value));
    u32(static_cast<uint32_t>(value >> 32));
  }
  [[gnu::noinline]] void bytes(const void* from, size_t count) {
    const auto* at = static_cast<const uint8_t*>(from);
    for (size_t i = 0; i < count; ++i) u8(at[i]);
  }

 private:
  [[gnu::noinline]] void little_endian(uint32_t value, unsigned count) {
    for (unsigned i = 0; i < count; ++i) u8(static_cast<uint8_t>(value >> (8 * i)));
  }

  // The coder has a buffer: what stands ahead of it is reached by shorter instructions.
  wire::Crc32c crc_;
  uint32_t capture_;
  uint32_t sequence_;
#if BAREFXT_WAY_BACK
  uint8_t asked_ = 0;
#endif
  WriterSink sink_;
  FrameCoder coder_;
};

}  // namespace barefxt
