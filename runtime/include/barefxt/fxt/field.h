// The two ways a bit field of an FXT word is used: put a value in, take a value out.
//
// The specification writes fields as [first .. last], both inclusive, bit 0 the least significant.
// Every record struct beside this file names its fields with exactly those numbers, so that a
// reader can hold the header against the specification line by line; writer and reader share them.
#pragma once

#include <stddef.h>
#include <stdint.h>

// 1: a value that is too wide for its field ends the program. 2: so does a reservation that goes
// out of scope without a commit. Debug builds set 2; builds with sanitizers, whose tests leave
// records unfinished on purpose, set 1.
#ifndef BAREFXT_CHECKS
#define BAREFXT_CHECKS 0
#endif

namespace barefxt::fxt {

using Word = uint64_t;
inline constexpr size_t kWordBytes = sizeof(Word);

template <unsigned First, unsigned Last>
struct Field {
  static_assert(First <= Last && Last < 64, "a field lies within one 64-bit word");
  static constexpr unsigned kFirst = First;
  static constexpr unsigned kLast = Last;
  static constexpr unsigned kBits = Last - First + 1;
  static constexpr Word kMax = kBits == 64 ? ~Word{0} : (Word{1} << (kBits % 64)) - 1;
  static constexpr Word kMask = kMax << First;

  // The value in its place. A value that is too wide is the caller's fault; its other bits are cut
  // off, and never reach a neighbour.
  static constexpr Word of(Word value) {
    if (BAREFXT_CHECKS && value > kMax) __builtin_trap();
    return (value & kMax) << First;
  }

  // The bits of a longer number that fit.
  static constexpr Word low(Word value) { return (value & kMax) << First; }

  // The value taken out of a word.
  static constexpr Word in(Word word) { return (word >> First) & kMax; }
};

// A reserved field: written as zero, ignored when read, reported by `barefxt lint`.
template <unsigned First, unsigned Last>
struct Reserved : Field<First, Last> {};

// Streams are padded with zeros to the next word.
constexpr size_t words_for_bytes(size_t bytes) { return (bytes + kWordBytes - 1) / kWordBytes; }

}  // namespace barefxt::fxt
