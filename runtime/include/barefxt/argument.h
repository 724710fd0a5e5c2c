// Arguments of events as C++'s probes make them.
//
// Four shapes: a value that fits the header, one that takes a word more, text, and any other
// argument in C's form. The first two are words that only have to be stored. Names are interned,
// except in the last one.
#pragma once

#include <barefxt/argument_c.h>
#include <barefxt/fxt/argument.h>
#include <barefxt/segment.h>
#include <barefxt/stream.h>

namespace barefxt {

// Inline text is cut at this many bytes, at a character's boundary.
inline constexpr uint32_t kMaxTextBytes = kSegmentBytes / 4;

// Return the bytes of an argument in memory, of any type and with any name, and write it. A value
// that is inline text is cut to `text_limit` bytes.
uint32_t argument_bytes(const barefxt_argument& argument, uint32_t text_limit);
fxt::Word* write_argument(fxt::Word* at, const barefxt_argument& argument, uint32_t text_limit);

// `kWords` is the number of words of the shape, 0 if that depends on the value. `kAsInC`: it has
// C's form.

// Such a one by its address: a copy may become a call of memcpy.
struct AnyArgument {
  static constexpr uint32_t kWords = 0;
  static constexpr bool kAsInC = true;
  const barefxt_argument* argument;

  operator barefxt_argument() const {
    return {argument->header, argument->value, argument->payload, argument->name};
  }
};

struct HeaderArgument {
  static constexpr uint32_t kWords = 1;
  static constexpr bool kAsInC = false;
  fxt::Word header;

  operator barefxt_argument() const { return {header, 0, nullptr, nullptr}; }
  fxt::Word* write(fxt::Word* at) const {
    *at = header;
    return at + 1;
  }
};

struct WordArgument {
  static constexpr uint32_t kWords = 2;
  static constexpr bool kAsInC = false;
  fxt::Word header;
  fxt::Word value;

  operator barefxt_argument() const { return {header, value, nullptr, nullptr}; }
  fxt::Word* write(fxt::Word* at) const {
    at[0] = header;
    at[1] = value;
    return at + 2;
  }
};

struct TextArgument {
  static constexpr uint32_t kWords = 0;
  static constexpr bool kAsInC = false;
  fxt::Word header;
  const char* text;
  uint32_t text_bytes;

  fxt::Word* write(fxt::Word* at) const {
    *at = header;
    return write_stream(at + 1, text, text_bytes);
  }
  operator barefxt_argument() const { return {header, text_bytes, text, nullptr}; }
};

// Overloads turn an argument of a probe into the shape that the writer takes.
inline HeaderArgument shape_of(HeaderArgument argument) { return argument; }
inline WordArgument shape_of(WordArgument argument) { return argument; }
inline TextArgument shape_of(TextArgument argument) { return argument; }
inline AnyArgument shape_of(const barefxt_argument& argument) { return {&argument}; }

namespace argument {

// Sums of parts that do not overlap: adding a shifted register is one instruction on many machines.
constexpr fxt::Word header(fxt::ArgumentType type, size_t words, uint32_t name,
                           uint32_t upper = 0) {
  return fxt::ArgumentHeader::make(type, words, {}) +
         (fxt::Word{name} << fxt::ArgumentHeader::Name::kFirst) +
         (fxt::Word{upper} << fxt::ArgumentHeader::Uint32::kFirst);
}
inline HeaderArgument null(uint32_t name) { return {header(fxt::ArgumentType::kNull, 1, name)}; }
inline HeaderArgument int32(uint32_t name, int32_t value) {
  return {header(fxt::ArgumentType::kInt32, 1, name, static_cast<uint32_t>(value))};
}
inline HeaderArgument uint32(uint32_t name, uint32_t value) {
  return {header(fxt::ArgumentType::kUint32, 1, name, value)};
}
inline HeaderArgument boolean(uint32_t name, bool value) {
  return {header(fxt::ArgumentType::kBool, 1, name, value ? 1 : 0)};
}
inline HeaderArgument literal(uint32_t name, uint32_t text) {
  return {header(fxt::ArgumentType::kString, 1, name, text)};
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
