// "String References" and "Thread References" of the specification.
#pragma once

#include <barefxt/fxt/field.h>

namespace barefxt::fxt {

inline constexpr unsigned kMaxStringIndex = 0x7fff;
inline constexpr unsigned kMaxStringBytes = 32000;  // the specification's conservative limit
inline constexpr unsigned kMaxThreadIndex = 0xff;

// 16 bits: 0 is the empty string, a clear top bit an index into the string table, a set top bit the
// length in bytes of a string that stands inline further down in the record.
struct StringRef {
  uint16_t value = 0;

  static constexpr uint16_t kInline = 0x8000;

  static constexpr StringRef empty() { return {0}; }
  static constexpr StringRef index(unsigned table_index) {
    return {static_cast<uint16_t>(table_index & kMaxStringIndex)};
  }
  static constexpr StringRef inline_bytes(size_t bytes) {
    return {static_cast<uint16_t>(kInline | (bytes & kMaxStringIndex))};
  }

  constexpr bool is_empty() const { return value == 0; }
  constexpr bool is_inline() const { return (value & kInline) != 0; }
  constexpr bool is_indexed() const { return value != 0 && !is_inline(); }
  constexpr size_t bytes() const { return is_inline() ? value & kMaxStringIndex : 0; }
  constexpr size_t inline_words() const { return words_for_bytes(bytes()); }
};

// 8 bits: 0 if process and thread koid stand inline further down, else a table index.
struct ThreadRef {
  uint8_t value = 0;

  static constexpr ThreadRef in_line() { return {0}; }
  static constexpr ThreadRef index(unsigned table_index) {
    return {static_cast<uint8_t>(table_index)};
  }

  constexpr bool is_inline() const { return value == 0; }
  // Words that the koids take inline: process and thread, or the process alone if a record refers
  // to a process (userspace objects).
  constexpr size_t inline_words() const { return is_inline() ? 2 : 0; }
};

}  // namespace barefxt::fxt
