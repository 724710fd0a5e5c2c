// Arguments of events and objects: made at the probe, written behind the record's fixed part.
//
// Three shapes, so that few instances of the writer exist: what fits the header, what takes a word
// more, and text. Names are always interned.
#pragma once

#include <barefxt/event_c.h>
#include <barefxt/fxt/argument.h>
#include <barefxt/segment.h>

namespace barefxt {

// Inline text is cut at this many bytes, at a character's boundary.
inline constexpr uint32_t kMaxTextBytes = kSegmentBytes / 4;

struct HeaderArgument {
  fxt::Word header;

  uint32_t bytes() const { return fxt::kWordBytes; }
  barefxt_argument in_memory() const { return {header, 0, nullptr}; }
  fxt::Word* write(fxt::Word* at) const {
    *at = header;
    return at + 1;
  }
};

struct WordArgument {
  fxt::Word header;
  fxt::Word value;

  uint32_t bytes() const { return 2 * fxt::kWordBytes; }
  barefxt_argument in_memory() const { return {header, value, nullptr}; }
  fxt::Word* write(fxt::Word* at) const {
    at[0] = header;
    at[1] = value;
    return at + 2;
  }
};

// Bytes as a stream: padded with zeros to the next word. In the byte order of memory.
inline fxt::Word* write_stream(fxt::Word* at, const char* text, uint32_t bytes) {
  for (uint32_t done = 0; done < bytes; done += fxt::kWordBytes) {
    const uint32_t left = bytes - done;
    fxt::Word word = 0;
    for (uint32_t i = 0; i < fxt::kWordBytes && i < left; ++i) {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
      const unsigned shift = 8 * (fxt::kWordBytes - 1 - i);
#else
      const unsigned shift = 8 * i;
#endif
      word |= static_cast<fxt::Word>(static_cast<unsigned char>(text[done + i])) << shift;
    }
    *at++ = word;
  }
  return at;
}

struct TextArgument {
  fxt::Word header;
  const char* text;
  uint32_t text_bytes;

  uint32_t bytes() const {
    return static_cast<uint32_t>((1 + fxt::words_for_bytes(text_bytes)) * fxt::kWordBytes);
  }
  barefxt_argument in_memory() const { return {header, text_bytes, text}; }
  fxt::Word* write(fxt::Word* at) const {
    *at = header;
    return write_stream(at + 1, text, text_bytes);
  }
};

namespace argument {

constexpr fxt::Word header(fxt::ArgumentType type, size_t words, uint32_t name) {
  return fxt::ArgumentHeader::make(type, words, fxt::StringRef::index(name));
}
inline HeaderArgument null(uint32_t name) { return {header(fxt::ArgumentType::kNull, 1, name)}; }
inline HeaderArgument int32(uint32_t name, int32_t value) {
  return {header(fxt::ArgumentType::kInt32, 1, name) |
          fxt::ArgumentHeader::Int32::of(static_cast<uint32_t>(value))};
}
inline HeaderArgument uint32(uint32_t name, uint32_t value) {
  return {header(fxt::ArgumentType::kUint32, 1, name) | fxt::ArgumentHeader::Uint32::of(value)};
}
inline HeaderArgument boolean(uint32_t name, bool value) {
  return {header(fxt::ArgumentType::kBool, 1, name) |
          fxt::ArgumentHeader::Bool::of(static_cast<fxt::Word>(value))};
}
inline HeaderArgument literal(uint32_t name, uint32_t text) {
  return {header(fxt::ArgumentType::kString, 1, name) | fxt::ArgumentHeader::String::of(text)};
}
inline WordArgument int64(uint32_t name, int64_t value) {
  return {header(fxt::ArgumentType::kInt64, 2, name), static_cast<fxt::Word>(value)};
}
inline WordArgument uint64(uint32_t name, uint64_t value) {
  return {header(fxt::ArgumentType::kUint64, 2, name), value};
}
inline WordArgument double_bits(uint32_t name, uint64_t bits) {
  return {header(fxt::ArgumentType::kDouble, 2, name), bits};
}
inline WordArgument pointer(uint32_t name, const volatile void* value) {
  return {header(fxt::ArgumentType::kPointer, 2, name), reinterpret_cast<uintptr_t>(value)};
}
inline WordArgument koid(uint32_t name, uint64_t value) {
  return {header(fxt::ArgumentType::kKoid, 2, name), value};
}
// Cuts the text to what a record holds, at a character's boundary.
TextArgument text(uint32_t name, const char* text, size_t bytes);

}  // namespace argument

}  // namespace barefxt
