// The code of records on the line. Sender and reader share this.
//
// Record words repeat: headers in full, times nearly, arguments from one record of a kind to the
// next. So each word is coded as its difference from a guess, and both sides make the same guesses
// from the words before. docs/reference/coded-records.md is this file in prose, with a worked
// example.
//
// Invariants:
// - Any words at all are coded exactly. A wrong guess costs bits, never content: a word's kind,
//   and its record's number of words, only choose guesses.
// - Both sides change this state by the same calls, with words that both have by then. So their
//   guesses are the same for as long as the code arrives whole, which the frame's CRC shows.
// - The state is made anew for each frame, which therefore stands alone.
// - A record takes kMinBits at least, and all of its words but header and time a byte. A word takes
//   kMaxBytesOfWord at most. So the frame's length bounds the words that a reader makes of it.
//
// About 1000 bytes, no constructor: it lies on the coder's stack.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include <barefxt/fxt/event.h>
#include <barefxt/fxt/scheduling.h>

namespace barefxt::wire {

// A record begins with a token. Bits fill bytes from the lowest on, and numbers come lowest bit
// first.
struct RecordToken {
  // A header that was coded before: a bit 0, and its slot.
  static constexpr unsigned kSlotBits = 5;
  static constexpr unsigned kKnownBits = 1 + kSlotBits;

  // All others: a bit 1, and one of these. A plain switch from the thread that runs, which
  // blocks, to the thread that came after it the last time.
  static constexpr unsigned kPredicted = 0;
  static constexpr unsigned kSeen = 1;    // to another one that the model has: then its class
  static constexpr unsigned kUnseen = 2;  // to any: then its index and its priority
  // Three more from a thread that stays runnable.
  static constexpr unsigned kOfRunnable = 3;
  // In any state: kStateBits for that, then as kUnseen.
  static constexpr unsigned kAnyState = 6;
  static constexpr unsigned kOther = 7;
  static constexpr unsigned kKindBits = 3;
  static constexpr unsigned kBits = 1 + kKindBits;
  static constexpr unsigned kStateBits = 4;
  static constexpr unsigned kRunnable = 0;
  static constexpr unsigned kBlocked = 3;

  // Behind kOther: below kNewHeaders a new header, coded as a word. Its guess is the last new
  // header with the same number, which the sender chooses.
  static constexpr unsigned kOtherBits = 3;
  static constexpr unsigned kNewHeaders = 4;
  // A plain switch between any threads: kStateBits for the state; index and priority of either.
  static constexpr unsigned kAnySwitch = 4;

  // An index and a priority: a bit 1 if all bits of both follow, otherwise the lower kThreadBits.
  static constexpr unsigned kThreadBits = 13;

  // The shortest record: its time has no bits.
  static constexpr unsigned kMinBits = kBits + 1;

  // A time's form: as many bits 1, and a bit 0 if it is not the last form. Below kTimeAsWord there
  // follows what was added to the last time: more_bits() more than the width that the model has.
  // Otherwise a word with the last time as its guess.
  static constexpr unsigned kTimeAsWord = 4;
  static constexpr unsigned more_bits(unsigned form) { return (1U << form) & ~1U; }

  // This fills the last byte of a code: no record and no word begins with it.
  static constexpr unsigned kFill = 0x7f;
  static constexpr unsigned kFillBits = 7;
};

// A word against its guess, in bytes. Below kStep: a bit for each of the lower seven bytes that is
// another than the guess's; then those bytes, lowest first.
struct WordCode {
  // Plus a step: that is added to the guess. A step is even for 1, 2 .., odd for -1, -2 ..
  static constexpr uint8_t kStep = 0x80;
  static constexpr unsigned kSteps = 0x80;
  // No step is coded as no byte that differs. So this value is free: then a bit for each of all
  // eight bytes, then those.
  static constexpr uint8_t kEightBits = kStep;
};

// Made by begin(), not by a constructor or an initializer, which may become a call of memset.
class RecordModel {
 public:
  static constexpr unsigned kSlots = 1U << RecordToken::kSlotBits;
  static constexpr unsigned kNoSlot = kSlots;
  static constexpr unsigned kWords = 64;  // a power of two, as is the next
  // Threads have classes, by index. The model has the last thread of each class.
  static constexpr unsigned kClasses = 32;
  static constexpr unsigned kClassBits = 5;
  // Words of a record from here on are text or a blob: the guess is the one before.
  static constexpr uint32_t kFirstOfMany = 20;
  static constexpr size_t kMaxBytesOfWord = 11;  // a new header: token, kEightBits, bits, 8 bytes
  // Limits of a time's bits in its first form. The last form has eight more: no more than 25.
  static constexpr uint8_t kFirstWidth = 8;
  static constexpr uint8_t kMaxWidth = 13;

  // `cpu`: that of the frame.
  void begin(uint32_t cpu) {
    auto* bytes = reinterpret_cast<volatile uint8_t*>(this);
    for (size_t i = 0; i < sizeof *this; ++i) bytes[i] = 0;
    using Switch = fxt::LegacyContextSwitch;
    switch_ = static_cast<uint32_t>(fxt::RecordType::kScheduling) |
              Switch::kFixedWords << fxt::RecordHeader::SizeWords::kFirst |
              (cpu << Switch::Cpu::kFirst & static_cast<uint32_t>(Switch::Cpu::kMask));
    last_width_ = kFirstWidth;
    widths_[kNoSlot] = kFirstWidth;
  }

  // ---- Headers. Events are kept as if the running thread made them: its index is swapped with 0.
  // So a header stays the same from thread to thread. ----

  uint64_t swapped(uint64_t header) const {
    const auto low = static_cast<uint32_t>(header);
    if ((low & 0xf) != static_cast<uint32_t>(fxt::RecordType::kEvent)) return header;
    const uint32_t thread = low >> fxt::Event::Thread::kFirst;
    const uint32_t running = running_ & 0xff;
    return thread == 0 || thread == running ? header ^ running << fxt::Event::Thread::kFirst
                                            : header;
  }

  // All of these are for swapped headers.
  unsigned slot_of(uint64_t header) const {
    unsigned slot = 0;
    while (slot < kSlots && headers_[slot] != header) ++slot;
    return slot;
  }
  uint64_t header_in(unsigned slot) const { return headers_[slot]; }
  // The guess of a new header, to become that header.
  uint64_t& newest(unsigned token) { return newest_[token]; }
  // Returns its slot: they are filled in turn, the oldest makes room.
  unsigned keep(uint64_t header) {
    const unsigned slot = next_slot_;
    headers_[slot] = header;
    widths_[slot] = last_width_;
    next_slot_ = (slot + 1) % kSlots;
    return slot;
  }

  // ---- Context switches ----

  // A thread, as one number: its index, and from kPriority on the priority that it came in with.
  static constexpr unsigned kPriority = 8;
  static uint32_t outgoing(uint64_t header) {
    using Switch = fxt::LegacyContextSwitch;
    const auto high = static_cast<uint32_t>(header >> 32);
    return (static_cast<uint32_t>(header >> Switch::OutgoingThread::kFirst) & 0xff) |
           (high >> (Switch::OutgoingPriority::kFirst - 32 - kPriority) & 0xff00);
  }
  static uint32_t incoming(uint64_t header) {
    using Switch = fxt::LegacyContextSwitch;
    const auto high = static_cast<uint32_t>(header >> 32);
    return (high >> (Switch::IncomingThread::kFirst - 32) & 0xff) |
           (high >> (Switch::IncomingPriority::kFirst - 32 - kPriority) & 0xff00);
  }
  // A switch on the CPU of the frame, of the kind that names threads by index, and has a time and
  // no more. All others are coded as other records are, and change nothing here.
  bool is_plain_switch(uint64_t header) const {
    using Switch = fxt::LegacyContextSwitch;
    constexpr uint32_t kAheadOfState = (1U << Switch::OutgoingState::kFirst) - 1;
    return (static_cast<uint32_t>(header) & kAheadOfState) == switch_ &&
           static_cast<uint32_t>(header >> 32) >> (fxt::SchedulingHeader::Subtype::kFirst - 32) ==
               fxt::SchedulingHeader::kLegacyContextSwitch;
  }
  uint64_t switch_of(uint32_t state, uint32_t out, uint32_t in) const {
    using Switch = fxt::LegacyContextSwitch;
    return switch_ | uint64_t{state} << Switch::OutgoingState::kFirst |
           uint64_t{out & 0xff} << Switch::OutgoingThread::kFirst |
           uint64_t{in & 0xff} << Switch::IncomingThread::kFirst |
           uint64_t{out >> kPriority} << Switch::OutgoingPriority::kFirst |
           uint64_t{in >> kPriority} << Switch::IncomingPriority::kFirst;
  }
  // The thread that runs: the one that came in last.
  uint32_t running() const { return running_; }
  static unsigned class_of(uint32_t thread) { return thread % kClasses; }
  uint32_t last_of(unsigned thread_class) const { return threads_[thread_class]; }
  // The class of the thread that came after the running one the last time.
  unsigned successor() const { return successors_[class_of(running_)]; }
  // A plain switch came to this thread.
  void run(uint32_t in) {
    successors_[class_of(running_)] = static_cast<uint8_t>(class_of(in));
    threads_[class_of(in)] = static_cast<uint16_t>(in);
    running_ = in;
  }

  // ---- A record, once its header is known ----

  // Returns its words, header included, or 0. Large records have what 12 bits hold.
  static uint32_t words_of(uint64_t header) {
    return static_cast<uint32_t>(header) >> fxt::RecordHeader::SizeWords::kFirst &
           fxt::kMaxRecordWords;
  }
  // Returns true if its second word is a time.
  static bool has_time(uint64_t header) {
    constexpr uint32_t kTimed = 1 << 4 | 1 << 8 | 1 << 9 | 1 << 10 | 1 << 13;
    return (kTimed >> (static_cast<uint32_t>(header) & 0xf) & 1) != 0;
  }

  // Its header's slot, or kNoSlot, which has words as well.
  void enter(unsigned slot) { slot_ = slot; }
  // The bits of its time in the first form, to be adapted.
  uint8_t& width() { return widths_[slot_]; }
  // Once its time is known. `since`: what was added, in one of the forms of bits.
  void adapt(uint8_t& width, unsigned form, uint32_t since) {
    if (form != 0) {
      if (width < kMaxWidth) ++width;
    } else if (since < (1U << width) >> 1) {
      --width;
    }
    last_width_ = width;
  }
  // The guess of a time, and of the word at another place, from 1 on: to become that word.
  uint64_t& time() { return time_; }
  uint64_t& word(uint32_t place) {
    if (place > kFirstOfMany) place = kFirstOfMany;
    return words_[(3 * slot_ + place) % kWords];
  }

 private:
  // The small ones first: that makes small code.
  uint32_t running_;
  uint32_t switch_;  // the bits ahead of the state, of a plain switch
  uint32_t next_slot_;
  uint32_t slot_;  // of this record's header
  uint64_t time_;
  uint8_t last_width_;
  uint8_t widths_[kSlots + 1];
  uint8_t successors_[kClasses];
  uint16_t threads_[kClasses];
  uint64_t newest_[RecordToken::kNewHeaders];
  uint64_t headers_[kSlots];
  uint64_t words_[kWords];  // by a header's slot, and the place in its record
};

static_assert(1U << RecordModel::kClassBits == RecordModel::kClasses);
static_assert(sizeof(RecordModel) <= 1024);

}  // namespace barefxt::wire
