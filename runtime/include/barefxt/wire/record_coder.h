// The sending side of record_code.h: codes record words in few bytes, one after the other, without
// a buffer.
#pragma once

#include <barefxt/wire/record_code.h>

namespace barefxt::wire {

// Sink: any type with `void u8(uint8_t byte)`.
template <typename Sink>
class RecordCoder {
 public:
  // `cpu`: that of the frame.
  RecordCoder(Sink& sink, uint32_t cpu) : sink_(sink) { model_.begin(cpu); }

  // A number ahead of the records: a word whose guess is 0.
  void number(uint64_t value) {
    uint64_t guess = 0;
    word(value, guess);
  }

  // Codes the record at `words`, and returns the number of its words. A record that claims to be
  // longer than `count` words is cut there, and has to be the last.
  [[gnu::noinline]] uint32_t record(const fxt::Word* words, uint32_t count);

  // Sends what is left of the last byte.
  void end() { put(RecordToken::kFill, RecordToken::kFillBits); }

  size_t bits() const { return bits_; }
  // The bytes of those.
  size_t used() const { return bits_ / 8 + 1; }
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
  void thread(uint32_t thread) {
    thread <<= 1;
    unsigned bits = 1 + RecordToken::kThreadBits;
    if (thread >> bits != 0) {
      thread |= 1;
      bits = 1 + 16;
    }
    put(thread, bits);
  }
  unsigned header(uint64_t header);
  void time(uint64_t time);
  // At most 25 bits, since up to 7 wait.
  [[gnu::noinline]] void put(uint32_t value, unsigned count) {
    uint32_t waiting = waiting_ | value << (bits_ & 7);
    unsigned left = (bits_ & 7) + count;
    bits_ += count;
    for (; left >= 8; left -= 8) {
      sink_.u8(static_cast<uint8_t>(waiting));
      waiting >>= 8;
    }
    waiting_ = waiting;
  }

  Sink& sink_;
  size_t bits_ = 0;
  uint32_t waiting_ = 0;  // those of the last byte
  RecordModel model_;
};

template <typename Sink>
void RecordCoder<Sink>::word(uint64_t word, uint64_t& guess) {
  const uint64_t difference = word - guess;
  uint64_t changed = word ^ guess;
  guess = word;
  const uint32_t small = step(low(difference));
  uint32_t bits = 0;
  uint32_t left = 0;  // of them, whose bytes follow
  // If the lower half is a small step, the upper half is all sign. No step is coded below.
  if (small - 1 < WordCode::kSteps - 1 && high(difference) + (small & 1) == 0) {
    bits = WordCode::kStep + small;
  } else {
    for (uint32_t bit = 1; changed != 0; bit <<= 1, changed >>= 8)
      if ((changed & 0xff) != 0) bits |= bit;
    left = bits;
    if (bits >= WordCode::kStep) put(WordCode::kEightBits, 8);
  }
  put(bits, 8);
  // In memory, from the lowest byte on: fewer instructions than shifts of 64 bits.
  constexpr bool kIsBigEndian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
  const auto* byte = reinterpret_cast<const uint8_t*>(&guess) + (kIsBigEndian ? 7 : 0);
  for (; left != 0; left >>= 1, byte += kIsBigEndian ? -1 : 1)
    if ((left & 1) != 0) put(*byte, 8);
}

// Returns its slot.
template <typename Sink>
unsigned RecordCoder<Sink>::header(uint64_t header) {
  using Token = RecordToken;
  if (!model_.is_plain_switch(header)) {
    const uint64_t swapped = model_.swapped(header);
    const unsigned slot = model_.slot_of(swapped);
    if (slot != RecordModel::kNoSlot) {
      put(slot << 1, Token::kKnownBits);
      return slot;
    }
    // Headers of one type have most in common; two bits of it distinguish the frequent ones.
    const unsigned number = low(header) >> 2 & (Token::kNewHeaders - 1);
    put(1 | Token::kOther << 1 | number << Token::kBits, Token::kBits + Token::kOtherBits);
    word(swapped, model_.newest(number));
    return model_.keep(swapped);
  }

  const uint32_t state = low(header) >> fxt::LegacyContextSwitch::OutgoingState::kFirst & 0xf;
  const uint32_t out = RecordModel::outgoing(header);
  const uint32_t in = RecordModel::incoming(header);
  uint32_t kind = Token::kAnyState;
  uint32_t more = state;
  unsigned bits = Token::kBits + Token::kStateBits;
  bool has_in = true;
  if (out != model_.running()) {
    kind = Token::kOther;
    more = Token::kAnySwitch | state << Token::kOtherBits;
    bits += Token::kOtherBits;
  } else if (state == Token::kBlocked || state == Token::kRunnable) {
    kind = state == Token::kBlocked ? 0U : Token::kOfRunnable;
    more = 0;
    bits = Token::kBits;
    const unsigned in_class = RecordModel::class_of(in);
    has_in = in != model_.last_of(in_class);
    if (has_in) {
      kind += Token::kUnseen;
    } else if (in_class != model_.successor()) {
      kind += Token::kSeen;
      more = in_class;
      bits += RecordModel::kClassBits;
    }
  }
  put(1 | kind << 1 | more << Token::kBits, bits);
  if (kind == Token::kOther) thread(out);
  if (has_in) thread(in);
  model_.run(in);
  return RecordModel::kNoSlot;
}

template <typename Sink>
void RecordCoder<Sink>::time(uint64_t time) {
  const uint64_t difference = time - model_.time();
  const uint32_t since = high(difference) != 0 ? ~uint32_t{0} : low(difference);
  uint8_t& width = model_.width();
  unsigned form = 0;
  unsigned bits = width;
  while (since >> bits != 0 && form < RecordToken::kTimeAsWord)
    bits = width + RecordToken::more_bits(++form);
  const uint32_t ones = (1U << form) - 1;
  if (form == RecordToken::kTimeAsWord) {
    put(ones, form);
    word(time, model_.time());
  } else {
    put(ones | since << (form + 1), form + 1 + bits);
    model_.time() = time;
  }
  model_.adapt(width, form, since);
}

template <typename Sink>
uint32_t RecordCoder<Sink>::record(const fxt::Word* words, uint32_t count) {
  model_.enter(header(words[0]));
  uint32_t size = RecordModel::words_of(words[0]);
  if (size > count) size = count;
  uint32_t place = 1;
  if (size > 1 && RecordModel::has_time(words[0])) {
    time(words[1]);
    place = 2;
  }
  for (; place < size; ++place) word(words[place], model_.word(place));
  return place;
}

}  // namespace barefxt::wire
