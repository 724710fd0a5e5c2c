// The records of a torture. A check can prove them whole: each has its writer's number, its own,
// the time when its writer set about it, and a word over all of that.
//
// Freestanding: the test kernel writes them, and the host's torture of the same runtime does.
#pragma once

#include <stdint.h>

#include <barefxt/barefxt.h>

namespace barefxt::torture {

BAREFXT_CATEGORY(torture, 6);
inline constexpr uint32_t kCategories = BAREFXT_CATEGORY_BIT(torture);

inline constexpr uint32_t kMaxWriters = 64;

// A writer: a thread, or the interrupts of one level at one place. Only one of these interrupts is
// at work at a time. So a writer's records are in order, even if it is interrupted.
struct Writer {
  uint32_t number = 0;
  uint32_t attempted = 0;  // records, also the number of the next
  uint32_t migrated = 0;   // of these, that its writer was on another CPU after it than before
  uint32_t contended = 0;  // and during which another reserved in the same ring: the position
                           // moved by more than the record
};

// Writes one record. It uses several sizes and all ways of reserving one. Context: any.
void write(Writer& writer);

// The check word over a record's content.
constexpr uint32_t check_word(uint64_t identity, uint64_t begun) {
  const uint64_t mixed = (identity ^ begun >> 7 ^ begun << 23) * 0x9e3779b97f4a7c15;
  return static_cast<uint32_t>(mixed >> 32);
}

// How much the position moves by a record without text, of a thread that has an index.
inline constexpr uint32_t kMinBytes = 56;

// Gives some records text. Its length and its one letter follow from the check word, so that a
// reader can verify every byte.
constexpr bool has_text(uint32_t number) { return number % 8 == 7; }
constexpr uint32_t text_bytes(uint32_t check) { return check % 90; }
constexpr char text_letter(uint32_t check) { return static_cast<char>('a' + check % 16); }
inline constexpr uint32_t kMaxTextBytes = 89;

}  // namespace barefxt::torture
