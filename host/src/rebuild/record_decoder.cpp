#include "record_decoder.h"

#include <barefxt/wire/frame.h>

#include "../archive/ordered_words.h"
#include "former_decoder.h"

namespace barefxt::host {

using wire::RecordModel;
using wire::RecordToken;
using wire::WordCode;

bool RecordDecoder::is_at_end() const {
  const size_t left = 8 * code_.size() - at_;
  return left == 0 || (left <= RecordToken::kFillBits &&
                       static_cast<unsigned>(code_.back()) >> (8 - left) ==
                           RecordToken::kFill >> (RecordToken::kFillBits - left));
}

// At most 25.
std::optional<uint32_t> RecordDecoder::bits(unsigned count) {
  if (8 * code_.size() - at_ < count) return {};
  const size_t first = at_ / 8;
  const auto shift = static_cast<unsigned>(at_ % 8);
  uint64_t value = 0;
  if (code_.size() - first >= sizeof value) {
    value = load_word(code_.data() + first, ByteOrder::kLittle);
  } else {
    for (unsigned i = 0; 8 * i < shift + count; ++i) value |= uint64_t{code_[first + i]} << 8 * i;
  }
  at_ += count;
  return static_cast<uint32_t>(value >> shift & ((uint64_t{1} << count) - 1));
}

std::optional<uint64_t> RecordDecoder::word(uint64_t guess) {
  const std::optional<uint32_t> first = bits(8);
  if (!first) return {};
  if (*first > WordCode::kStep) {
    const uint64_t code = *first % WordCode::kSteps;
    return guess + (code % 2 == 0 ? code / 2 : ~(code / 2));
  }
  const std::optional<uint32_t> changed = *first == WordCode::kEightBits ? bits(8) : first;
  if (!changed) return {};
  uint64_t value = guess;
  for (unsigned i = 0; i < 8; ++i) {
    if ((*changed >> i & 1) == 0) continue;
    const std::optional<uint32_t> byte = bits(8);
    if (!byte) return {};
    value = (value & ~(uint64_t{0xff} << 8 * i)) | uint64_t{*byte} << 8 * i;
  }
  return value;
}

// Its index and its priority, as the model has them.
std::optional<uint32_t> RecordDecoder::thread() {
  const std::optional<uint32_t> is_long = bits(1);
  if (!is_long) return {};
  return bits(*is_long != 0 ? 16U : RecordToken::kThreadBits);
}

std::optional<uint64_t> RecordDecoder::new_header(unsigned number) {
  const std::optional<uint64_t> swapped = word(model_.newest(number));
  if (!swapped) return {};
  model_.newest(number) = *swapped;
  const uint64_t header = model_.swapped(*swapped);
  model_.enter(model_.keep(*swapped));
  return header;
}

// `kind`: kOther for one between any threads.
std::optional<uint64_t> RecordDecoder::switch_of(unsigned kind) {
  using Token = RecordToken;
  std::optional<uint32_t> state = kind < Token::kOfRunnable ? Token::kBlocked : Token::kRunnable;
  if (kind >= Token::kAnyState) state = bits(Token::kStateBits);
  std::optional<uint32_t> out = model_.running();
  if (kind == Token::kOther) out = thread();
  std::optional<uint32_t> in;
  const unsigned way = kind >= Token::kAnyState ? Token::kUnseen : kind % Token::kOfRunnable;
  if (way == Token::kPredicted) {
    in = model_.last_of(model_.successor());
  } else if (way == Token::kSeen) {
    const std::optional<uint32_t> thread_class = bits(RecordModel::kClassBits);
    if (thread_class) in = model_.last_of(*thread_class);
  } else {
    in = thread();
  }
  if (!state || !out || !in) return {};
  const uint64_t header = model_.switch_of(*state, *out, *in);
  model_.run(*in);
  model_.enter(RecordModel::kNoSlot);
  return header;
}

std::optional<uint64_t> RecordDecoder::header() {
  const std::optional<uint32_t> is_new = bits(1);
  if (!is_new) return {};
  if (*is_new == 0) {
    const std::optional<uint32_t> slot = bits(RecordToken::kSlotBits);
    if (!slot) return {};
    const uint64_t header = model_.swapped(model_.header_in(*slot));
    model_.enter(*slot);
    return header;
  }
  const std::optional<uint32_t> kind = bits(RecordToken::kKindBits);
  if (!kind) return {};
  if (*kind != RecordToken::kOther) return switch_of(*kind);
  const std::optional<uint32_t> other = bits(RecordToken::kOtherBits);
  if (!other || *other > RecordToken::kAnySwitch) return {};
  return *other == RecordToken::kAnySwitch ? switch_of(*kind) : new_header(*other);
}

std::optional<uint64_t> RecordDecoder::time() {
  unsigned form = 0;
  while (form < RecordToken::kTimeAsWord) {
    const std::optional<uint32_t> is_more = bits(1);
    if (!is_more) return {};
    if (*is_more == 0) break;
    ++form;
  }
  std::optional<uint64_t> time;
  std::optional<uint32_t> since = 0;
  if (form == RecordToken::kTimeAsWord) {
    time = word(model_.time());
  } else {
    since = bits(model_.width() + RecordToken::more_bits(form));
    if (since) time = model_.time() + *since;
  }
  if (time && since) model_.adapt(model_.width(), form, *since);
  return time;
}

bool RecordDecoder::records(std::vector<uint64_t>& words) {
  while (!is_at_end()) {
    const std::optional<uint64_t> first = header();
    if (!first) return false;
    words.push_back(*first);
    const uint32_t size = RecordModel::words_of(*first);
    // The last record may have been cut, behind any of its words.
    for (uint32_t place = 1; place < size && !is_at_end(); ++place) {
      const bool is_time = place == 1 && RecordModel::has_time(*first);
      uint64_t& guess = is_time ? model_.time() : model_.word(place);
      const std::optional<uint64_t> next = is_time ? time() : word(guess);
      if (!next) return false;
      guess = *next;
      words.push_back(guess);
    }
  }
  return true;
}

namespace {

template <typename Decoder>
bool uncode(Decoder decoder, size_t numbers, ByteOrder order, std::vector<uint8_t>& raw) {
  std::vector<uint64_t> words;
  for (size_t i = 0; i < numbers; ++i) {
    const std::optional<uint64_t> number = decoder.number();
    if (!number) return false;
    words.push_back(*number);
  }
  if (!decoder.records(words)) return false;
  raw.resize(raw.size() + words.size() * fxt::kWordBytes);
  uint8_t* to = raw.data() + raw.size() - words.size() * fxt::kWordBytes;
  // The numbers are fields of the frame, which are little-endian.
  for (size_t i = 0; i < words.size(); ++i, to += fxt::kWordBytes)
    store_word(to, words[i], i < numbers ? ByteOrder::kLittle : order);
  return true;
}

}  // namespace

bool uncode_records(std::span<const uint8_t> coded, ByteOrder order, std::vector<uint8_t>& raw) {
  using wire::CodedRecords;
  using wire::Records;
  if (coded.size() < CodedRecords::kCode) return false;
  const auto coding = static_cast<wire::RecordsCoding>(coded[Records::kCoding]);
  raw.assign(coded.begin(), coded.begin() + CodedRecords::kCode);
  raw[Records::kCoding] = static_cast<uint8_t>(wire::RecordsCoding::kRaw);

  const bool has_clock = coded[Records::kClock] == static_cast<uint8_t>(wire::RecordsClock::kGiven);
  const size_t numbers = CodedRecords::kNumbers + (has_clock ? fxt::ClockWords::kCount : 0);
  const std::span<const uint8_t> code = coded.subspan(CodedRecords::kCode);
  if (coding == wire::RecordsCoding::kCoded)
    return uncode(FormerDecoder(code), numbers, order, raw);
  if (coding != wire::RecordsCoding::kPacked) return false;
  return uncode(RecordDecoder(code, wire::load_u16(coded.data() + Records::kCpu)), numbers, order,
                raw);
}

}  // namespace barefxt::host
