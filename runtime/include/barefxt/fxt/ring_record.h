// Record type 13, which the format leaves free, is the runtime's own inside a ring: it never leaves
// the project, and the host never lets it into an archive.
//
// Invariant: it keeps the common header, so that a walker steps over it by its size like over any
// other record.
#pragma once

#include <barefxt/fxt/record.h>

namespace barefxt::fxt {

inline constexpr RecordType kRingRecordType = static_cast<RecordType>(13);

enum class RingRecordType : uint8_t {
  // Reserved and not yet committed: the first store after a reservation. The size is the true one.
  // With RingRecord::GivenUp its writer is gone: it counts as lost.
  kUnfinished = 0,
  // Header, ticks, then one whole record of the format that has no time of its own (a blob, an
  // object). So it keeps its place among the records of all CPUs; the host unwraps it.
  kTimed = 1,
  // The clock of the records behind it, if that changed since recording started: header, then the
  // words of ClockWords. Stands at the change, and first in every segment opened after. It counts
  // as no record, and is not sent as one.
  kClock = 2,
  // An address at which the CPU was interrupted, see SampleRecord.
  kSample = 3,
  // A block that a heap gave out or took back, see HeapRecord. One bit apart from a sample.
  kHeap = 7,
  // A function's entry or exit: these and all above, see CallRecord.
  kCall = 8,
};

// A change of the clock: from `since` on the counter runs at another rate, or did not run before.
// Nominal ticks are those of the rate that recording started with, without any time left out.
struct ClockWords {
  static constexpr size_t kSince = 0;  // the counter then
  static constexpr size_t kTicksPerSecond = 1;
  static constexpr size_t kNominal = 2;               // nominal ticks then, behind the gap
  static constexpr size_t kTicksPerSecondBefore = 3;  // until then
  static constexpr size_t kGoneBy = 4;  // nominal ticks of the gap: while the counter stood still
  static constexpr size_t kCount = 5;
};

struct RingRecord : RecordHeader {
  using Subtype = Field<16, 19>;

  using GivenUp = Field<20, 20>;  // of an unfinished one

  static constexpr size_t kTimedWords = 2;  // header and ticks, before the record within
  static constexpr size_t kClockWords = 1 + ClockWords::kCount;
  using ClockNumber = Field<32, 63>;  // of a clock: which change it is

  static constexpr Word make(RingRecordType subtype, size_t words) {
    return RecordHeader::make(kRingRecordType, words) | Subtype::of(static_cast<Word>(subtype));
  }
  static constexpr bool is(Word header, RingRecordType subtype) {
    return type(header) == kRingRecordType && Subtype::in(header) == static_cast<Word>(subtype);
  }
  static constexpr Word make_given_up(size_t words) {
    return make(RingRecordType::kUnfinished, words) | GivenUp::of(1);
  }
  static constexpr bool is_given_up(Word header) {
    return is(header, RingRecordType::kUnfinished) && GivenUp::in(header) != 0;
  }
  // The bits that all kinds of compact records share. A compact record becomes a longer record of
  // the format in an archive: samples and the heap's.
  static constexpr Word kCompactMask =
      Type::kMask | (Subtype::kMask & ~(Subtype::of(static_cast<Word>(RingRecordType::kSample)) ^
                                        Subtype::of(static_cast<Word>(RingRecordType::kHeap))));
  static constexpr bool is_compact(Word header) {
    return (header & kCompactMask) == make(RingRecordType::kSample, 0);
  }
};

// A sample of one address, in two words. The host makes a profiler's backtrace of it.
//
//   [0 .. 15] type and size  [16 .. 19] subtype  [20 .. 23] address, bits 32 to 35
//   [24 .. 31] thread ref    [32 .. 63] address, its low bits
//
// Then the ticks, and, if the thread has no index, the koids of its process and of itself. The
// address is sign-extended from 36 bits.
struct SampleRecord : RingRecord {
  using High = Field<20, 23>;
  using Thread = Field<24, 31>;
  using Low = Field<32, 63>;

  static constexpr size_t kWords = 2;
  static constexpr unsigned kUnused = 64 - High::kBits - Low::kBits;

  template <typename Address>
  static constexpr bool holds(Address address) {
    return sizeof address <= 4 || extended(address) == address;
  }
  // Without the thread.
  template <typename Address>
  static constexpr Word make(Address address) {
    const Word low = RingRecord::make(RingRecordType::kSample, kWords) | Low::low(address);
    if constexpr (sizeof address <= 4)
      return low;
    else
      return low | High::low(address >> 32);
  }
  static constexpr Word address(Word header) {
    return extended(High::in(header) << 32 | Low::in(header));
  }
  static constexpr bool is_sample(Word header) { return is(header, RingRecordType::kSample); }

 private:
  static constexpr uint64_t extended(uint64_t address) {
    return static_cast<uint64_t>(static_cast<int64_t>(address << kUnused) >> kUnused);
  }
};

// `kResize`: the block stays where it is.
enum class HeapAction : uint8_t { kAlloc = 0, kFree = 1, kResize = 2 };

struct HeapBlock {
  uint64_t address;
  uint64_t bytes;   // 0 of a free
  uint64_t caller;  // 0: unknown
};

// A block that a heap gave out or took back, in three words if it may. The host makes an event of
// it.
//
//   [0 .. 15] type and size  [16 .. 19] subtype  [20, 21] action  [22, 23] form
//   [24 .. 31] thread ref    [32 .. 63] caller, its low bits
//
// Then the ticks, and, if the thread has no index, the koids of its process and of itself. Then the
// block, by form:
//
//   kNarrow       [0 .. 31] address  [32 .. 63] bytes; address and caller lie below 4 GiB
//   kLow, kNear   [0 .. 18] bytes    [19 .. 63] address / 8, sign-extended; the caller's upper half
//                 is 0, or that of the address
//   kLong         three words: address, bytes, caller
struct HeapRecord : RingRecord {
  using Action = Field<20, 21>;
  using Form = Field<22, 23>;
  using Thread = Field<24, 31>;
  using Caller = Field<32, 63>;

  static constexpr Word kNarrow = 0;
  static constexpr Word kLow = 1;
  static constexpr Word kNear = 2;
  static constexpr Word kLong = 3;
  using NarrowAddress = Field<0, 31>;
  using NarrowBytes = Field<32, 63>;
  using WideBytes = Field<0, 18>;
  static constexpr unsigned kWideShift = 16;  // of the address, whose 3 lowest bits are 0

  static constexpr size_t kFixedWords = 2;
  static constexpr size_t kWords = kFixedWords + 1;
  static constexpr size_t kLongWords = kFixedWords + 3;

  static constexpr bool is_heap(Word header) { return is(header, RingRecordType::kHeap); }
  static constexpr size_t block_words(Word header) {
    return (Form::in(header) == kLong ? kLongWords : kWords) - kFixedWords;
  }
  // Without the thread and the caller.
  static constexpr Word make(HeapAction action, Word form) {
    return RingRecord::make(RingRecordType::kHeap, kWords) | Action::of(static_cast<Word>(action)) |
           Form::of(form);
  }
  // Turns the `header` of either short form into that of a long one.
  static constexpr Word make_long(Word header) {
    return (header | Form::of(kLong)) + SizeWords::of(kLongWords - kWords);
  }
  static constexpr bool is_narrow(const HeapBlock& block) {
    return (block.address | block.bytes | block.caller) >> 32 == 0;
  }
  static constexpr Word narrow_word(Word address, Word bytes) {
    return NarrowBytes::low(bytes) | NarrowAddress::low(address);
  }
  // kLow, kNear or kLong.
  static constexpr Word wide_form(const HeapBlock& block) {
    const Word word = wide_word(block.address, block.bytes);
    if (wide_address(word) != block.address || WideBytes::in(word) != block.bytes) return kLong;
    if (block.caller >> 32 == 0) return kLow;
    return block.caller >> 32 == block.address >> 32 ? kNear : kLong;
  }
  static constexpr Word wide_word(Word address, Word bytes) {
    return address << kWideShift | bytes;
  }
  // `words` are those of the block.
  static constexpr HeapBlock block(Word header, const Word* words) {
    const Word low = Caller::in(header);
    switch (Form::in(header)) {
      case kNarrow:
        return {NarrowAddress::in(words[0]), NarrowBytes::in(words[0]), low};
      case kLong:
        return {words[0], words[1], words[2]};
      default: {
        const Word address = wide_address(words[0]);
        const Word upper = Form::in(header) == kNear ? address >> 32 << 32 : 0;
        return {address, WideBytes::in(words[0]), upper | low};
      }
    }
  }

 private:
  static constexpr Word wide_address(Word word) {
    return static_cast<Word>(static_cast<int64_t>(word & ~WideBytes::kMask) >> kWideShift);
  }
};

// Entry or exit of a function, with XRay's numbers.
enum class CallAction : uint8_t { kEntry = 0, kExit = 1, kTailExit = 2, kEntryWithArgument = 3 };

// A function's entry or exit, in one word:
//
//   [0 .. 15] type and size  [16, 17] action  [18] 0  [19] 1  [20 .. 43] function  [44 ..] counter
//
// The long form has the counter's upper bits and the thread: header, the whole counter, and, if the
// thread has no index, the koids of its process and of itself. It stands ahead of the first such
// word in a segment, and wherever the upper bits have changed. The thread of a word is that of the
// last long form or context switch in the segment, whichever comes later.
//
// An entry with an argument has the long form, and the argument in a word at its end.
//
// A call that one record describes, at its end, is complete: it has the long form, with bit 18 set,
// no action, and the begin in a word at its end.
//
// The function is its distance from the runtime's anchor, see functions.cpp.
struct CallRecord : RingRecord {
  using Action = Field<16, 17>;
  using Complete = Field<18, 18>;
  using Function = Field<20, 43>;
  using Counter = Field<44, 63>;  // its low bits, in one word
  using Thread = Field<44, 51>;   // thread ref, in the long form

  static constexpr size_t kWords = 1;
  static constexpr size_t kLongWords = 2;  // then the koids, where Thread is 0
  static constexpr unsigned kUnit = 1;     // functions count by 2 to the power of this, in bytes

  static constexpr Word make(CallAction action, size_t words) {
    return RecordHeader::make(kRingRecordType, words) |
           RingRecord::Subtype::of(static_cast<Word>(RingRecordType::kCall)) |
           Action::of(static_cast<Word>(action));
  }
  static constexpr bool is_call(Word header) {
    constexpr Word kKind = Type::kMask | Field<19, 19>::kMask;
    return (header & kKind) == make(CallAction::kEntry, 0);
  }
  static constexpr Word make_complete(size_t words) {
    return make(CallAction::kEntry, words) | Complete::of(1);
  }
  static constexpr bool is_complete(Word header) { return Complete::in(header) != 0; }
  static constexpr bool is_long(Word header) { return SizeWords::in(header) != kWords; }
  // The header of one word, without the counter. The lowest bit of a function's distance is left
  // out if functions count by units. In its place stands the bit that marks a call, which the
  // argument has set already. Inserted together, they are one instruction on some machines.
  static constexpr Word make_short(CallAction action, uintptr_t distance_and_1) {
    using IsCallAndFunction = Field<19, 43>;
    static_assert(IsCallAndFunction::kFirst + kUnit == Function::kFirst);
    return RecordHeader::make(kRingRecordType, kWords) | Action::of(static_cast<Word>(action)) |
           IsCallAndFunction::of(static_cast<Word>(distance_and_1));
  }
};

}  // namespace barefxt::fxt
