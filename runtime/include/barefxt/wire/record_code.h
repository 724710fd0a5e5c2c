// The code of records on the line. Sender and reader share this.
//
// Record words repeat: headers in full, times nearly, arguments from one record of a kind to the
// next. So each word is coded as its difference from a guess, and both sides make the same guesses
// from the words before. docs/reference/coded-records.md is this file in prose, with a worked
// example.
//
// Invariants:
// - Any words at all are coded exactly. A wrong guess costs bytes, never content: a word's kind,
//   and its record's number of words, only choose guesses.
// - Both sides change this state by the same calls, with words that both have by then. So their
//   guesses are the same for as long as the code arrives whole, which the frame's CRC shows.
// - The state is made anew for each frame, which therefore stands alone.
// - Each word takes a byte at least and kMaxBytesOfWord at most. So the frame's length bounds the
//   words that a reader makes of it.
//
// About 1000 bytes, no constructor: it lies on the coder's stack.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include <barefxt/fxt/event.h>
#include <barefxt/fxt/scheduling.h>

namespace barefxt::wire {

// A record begins with a token: the two bits on top code its time, the others its header.
struct RecordToken {
  static constexpr unsigned kTimeShift = 6;
  static constexpr uint8_t kHeaderMask = 0x3f;

  // By time: 0 to 2: that much was added to the last one, in 1 to 3 bytes. 3: as a word, with the
  // last one as its guess.
  static constexpr unsigned kTimeAsWord = 3;

  // The header is new, and coded as a word. Its guess is the last new header with the same token;
  // the sender chooses the token.
  static constexpr uint8_t kNew = 0;
  static constexpr uint8_t kNewTokens = 4;
  // A context switch from the thread that runs, plus its state: one of kStates numbers. Then the
  // incoming thread's index. Its priority is that of its last switch in.
  static constexpr uint8_t kSwitch = kNew + kNewTokens;
  static constexpr uint8_t kStates = 6;
  // As that; then the priority.
  static constexpr uint8_t kSwitchWithPriority = kSwitch + kStates;
  // A header coded before; plus its slot.
  static constexpr uint8_t kKnown = kSwitchWithPriority + kStates;
};

// A word against its guess. Below kStep: a bit for each of the lower seven bytes that is another
// than the guess's; then those bytes, lowest first.
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
  static constexpr unsigned kSlots = 40;
  static constexpr unsigned kNoSlot = kSlots;
  static constexpr unsigned kWords = 64;  // a power of two, as is the next
  static constexpr unsigned kPriorities = 64;
  // Words of a record from here on are text or a blob: the guess is the one before.
  static constexpr uint32_t kFirstOfMany = 20;
  static constexpr size_t kMaxBytesOfWord = 11;  // a new header: token, kEightBits, bits, 8 bytes

  void begin() {
    auto* bytes = reinterpret_cast<volatile uint8_t*>(this);
    for (size_t i = 0; i < sizeof *this; ++i) bytes[i] = 0;
  }

  // ---- Headers. Events are kept as if the running thread made them: its index is swapped with 0.
  // So a header stays the same from thread to thread. ----

  uint64_t swapped(uint64_t header) const {
    const auto low = static_cast<uint32_t>(header);
    if ((low & 0xf) != static_cast<uint32_t>(fxt::RecordType::kEvent)) return header;
    const uint32_t thread = low >> fxt::Event::Thread::kFirst;
    return thread == 0 || thread == thread_ ? header ^ thread_ << fxt::Event::Thread::kFirst
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
    next_slot_ = slot + 1 < kSlots ? slot + 1 : 0;
    return slot;
  }

  // ---- Context switches, of the kind that names threads by index ----

  static constexpr bool is_switch(uint64_t header) {
    return fxt::RecordHeader::type(header) == fxt::RecordType::kScheduling &&
           fxt::SchedulingHeader::Subtype::in(header) ==
               fxt::SchedulingHeader::kLegacyContextSwitch;
  }
  // That of a thread when it last came in.
  uint8_t& priority_of(uint32_t thread) { return priorities_[thread % kPriorities]; }
  // One from the thread that runs, on the CPU of the last one.
  uint64_t expected_switch(uint32_t state, uint32_t incoming, uint32_t priority) const {
    using Switch = fxt::LegacyContextSwitch;
    const uint32_t words = Switch::kFixedWords + (thread_ == 0 ? 2 : 0) + (incoming == 0 ? 2 : 0);
    // In halves: shifts of 64 bits are long on CPUs with registers of 32.
    const uint32_t low = static_cast<uint32_t>(fxt::RecordType::kScheduling) | words << 4 |
                         cpu_in_place_ | state << Switch::OutgoingState::kFirst |
                         thread_ << Switch::OutgoingThread::kFirst;
    const uint32_t high = thread_ >> (32 - Switch::OutgoingThread::kFirst) |
                          incoming << (Switch::IncomingThread::kFirst - 32) |
                          uint32_t{priorities_[thread_ % kPriorities]}
                              << (Switch::OutgoingPriority::kFirst - 32) |
                          priority << (Switch::IncomingPriority::kFirst - 32);
    return uint64_t{high} << 32 | low;
  }

  // ---- A record, once its header is known ----

  // `header` as it is, not swapped; its slot, or kNoSlot, which has words as well.
  void enter(uint64_t header, unsigned slot) {
    const auto low = static_cast<uint32_t>(header);
    low_ = low;
    first_word_ = 3 * slot;
    if (is_switch(header)) {
      using Switch = fxt::LegacyContextSwitch;
      const auto high = static_cast<uint32_t>(header >> 32);
      thread_ = high >> (Switch::IncomingThread::kFirst - 32) & 0xff;
      priority_of(thread_) = static_cast<uint8_t>(high >> (Switch::IncomingPriority::kFirst - 32));
      cpu_in_place_ = low & static_cast<uint32_t>(Switch::Cpu::kMask);
    }
  }
  // Returns the words of this record, header included, or 0. Large records have what 12 bits hold.
  uint32_t words() const {
    return low_ >> fxt::RecordHeader::SizeWords::kFirst & fxt::kMaxRecordWords;
  }
  // Returns true if its second word is a time.
  bool has_time() const {
    constexpr uint32_t kTimed = 1 << 4 | 1 << 8 | 1 << 9 | 1 << 10 | 1 << 13;
    return (kTimed >> (low_ & 0xf) & 1) != 0;
  }
  // The guess of a time, and of the word at another place, from 1 on: to become that word.
  uint64_t& time() { return time_; }
  uint64_t& word(uint32_t place) {
    if (place > kFirstOfMany) place = kFirstOfMany;
    return words_[(first_word_ + place) % kWords];
  }

 private:
  // The small ones first: that makes small code.
  uint32_t thread_;  // that runs: the one that came in last
  uint32_t cpu_in_place_;
  uint32_t next_slot_;
  uint32_t low_;  // of this record's header; and where its guesses are
  uint32_t first_word_;
  uint64_t time_;
  uint8_t priorities_[kPriorities];
  uint64_t newest_[RecordToken::kNewTokens];
  uint64_t headers_[kSlots];
  uint64_t words_[kWords];  // by a header's slot, and the place in its record
};

static_assert(RecordToken::kKnown + RecordModel::kSlots <= RecordToken::kHeaderMask + 1);
static_assert(sizeof(RecordModel) <= 1024);

}  // namespace barefxt::wire
