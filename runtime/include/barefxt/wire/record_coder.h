// The sending side of record_code.h: codes record words in few bytes, one after the other, without
// a buffer.
#pragma once

#include <barefxt/wire/record_code.h>

namespace barefxt::wire {

// Sink: any type with `void u8(uint8_t byte)`.
template <typename Sink>
class RecordCoder {
 public:
  explicit RecordCoder(Sink& sink) : sink_(sink) { model_.begin(); }

  // A number ahead of the records: a word whose guess is 0.
  void number(uint64_t value) {
    uint64_t guess = 0;
    word(value, guess);
  }

  // Codes the record at `words`, and returns the number of its words. A record that claims to be
  // longer than `count` words is cut there, and has to be the last.
  [[gnu::noinline]] uint32_t record(const fxt::Word* words, uint32_t count);

  // Bytes sent so far.
  size_t used() const { return used_; }
  // The most bytes that records of this size become.
  static constexpr size_t most_for(size_t record_bytes) {
    static_assert(2 * RecordModel::kMaxBytesOfWord <= 3 * fxt::kWordBytes);
    return record_bytes + record_bytes / 2;
  }

 private:
  static uint32_t low(uint64_t word) { return static_cast<uint32_t>(word); }
  static uint32_t high(uint64_t word) { return static_cast<uint32_t>(word >> 32); }
  // Small differences of either sign as small numbers.
  static uint32_t step(uint32_t difference) {
    return difference << 1 ^ static_cast<uint32_t>(-static_cast<int32_t>(difference >> 31));
  }

  // Not inlined: the line is slower, and the coder's size counts.
  [[gnu::noinline]] void word(uint64_t word, uint64_t& guess);
  [[gnu::noinline]] void byte(uint32_t byte) {
    ++used_;
    sink_.u8(static_cast<uint8_t>(byte));
  }

  Sink& sink_;
  size_t used_ = 0;
  RecordModel model_;
};

template <typename Sink>
void RecordCoder<Sink>::word(uint64_t word, uint64_t& guess) {
  const uint64_t difference = word - guess;
  uint64_t changed = word ^ guess;
  const uint32_t small = step(low(difference));
  guess = word;
  // If the lower half is a small step, the upper half is all sign. No step is coded below.
  if (small - 1 < WordCode::kSteps - 1 && high(difference) + (small & 1) == 0)
    return byte(WordCode::kStep + small);
  uint32_t bits = 0;
  for (uint32_t bit = 1; changed != 0; bit <<= 1, changed >>= 8)
    if ((changed & 0xff) != 0) bits |= bit;
  if (bits >= WordCode::kStep) byte(WordCode::kEightBits);
  byte(bits);
  for (; bits != 0; bits >>= 1, word >>= 8)
    if ((bits & 1) != 0) byte(low(word));
}

template <typename Sink>
uint32_t RecordCoder<Sink>::record(const fxt::Word* words, uint32_t count) {
  using Switch = fxt::LegacyContextSwitch;
  const uint64_t header = words[0];
  const uint32_t state = low(header) >> Switch::OutgoingState::kFirst & 0xf;
  const uint32_t incoming = high(header) >> (Switch::IncomingThread::kFirst - 32) & 0xff;
  const uint32_t priority = high(header) >> (Switch::IncomingPriority::kFirst - 32) & 0xff;
  uint64_t swapped = model_.swapped(header);
  unsigned slot = RecordModel::kNoSlot;
  unsigned token = RecordToken::kSwitch + state;
  if (state < RecordToken::kStates && header == model_.expected_switch(state, incoming, priority)) {
    if (model_.priority_of(incoming) != priority) token += RecordToken::kStates;
  } else {
    slot = model_.slot_of(swapped);
    token = RecordToken::kKnown + slot;
    if (slot == RecordModel::kNoSlot) {
      // Headers of one type have most in common; two bits of it distinguish the frequent ones.
      token = low(header) >> 2 & 3;
      slot = model_.keep(swapped);
    }
  }
  model_.enter(header, slot);

  uint32_t size = model_.words();
  if (size > count) size = count;
  uint32_t place = 1;
  uint32_t form = 0;
  uint32_t since = 0;
  if (size > 1 && model_.has_time()) {
    place = 2;
    const uint64_t difference = words[1] - model_.time();
    since = low(difference);
    for (uint32_t rest = since >> 8; rest != 0; rest >>= 8) ++form;
    if (high(difference) != 0) form = RecordToken::kTimeAsWord;
  }
  byte(token | form << RecordToken::kTimeShift);
  if (token < RecordToken::kSwitch) {
    word(swapped, model_.newest(token));
  } else if (token < RecordToken::kKnown) {
    byte(incoming);
    if (token >= RecordToken::kSwitchWithPriority) byte(priority);
  }
  if (place == 2) {
    if (form == RecordToken::kTimeAsWord) {
      word(words[1], model_.time());
    } else {
      model_.time() = words[1];
      do {
        byte(since);
        since >>= 8;
      } while (form-- != 0);
    }
  }
  for (; place < size; ++place) word(words[place], model_.word(place));
  return place;
}

}  // namespace barefxt::wire
