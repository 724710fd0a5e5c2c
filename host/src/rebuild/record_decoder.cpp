#include "record_decoder.h"

#include <barefxt/wire/frame.h>

#include "../archive/ordered_words.h"

namespace barefxt::host {

using wire::RecordModel;
using wire::RecordToken;
using wire::WordCode;

std::optional<uint64_t> RecordDecoder::bytes(unsigned count) {
  if (left_.size() < count) return {};
  uint64_t value = 0;
  for (unsigned i = 0; i < count; ++i) value |= uint64_t{left_[i]} << 8 * i;
  left_ = left_.subspan(count);
  return value;
}

std::optional<uint64_t> RecordDecoder::word(uint64_t guess) {
  const std::optional<uint64_t> first = bytes(1);
  if (!first) return {};
  if (*first > WordCode::kStep) {
    const uint64_t code = *first % WordCode::kSteps;
    return guess + (code % 2 == 0 ? code / 2 : ~(code / 2));
  }
  const std::optional<uint64_t> bits = *first == WordCode::kEightBits ? bytes(1) : first;
  if (!bits) return {};
  uint64_t value = guess;
  for (unsigned i = 0; i < 8; ++i) {
    if ((*bits >> i & 1) == 0) continue;
    const std::optional<uint64_t> byte = bytes(1);
    if (!byte) return {};
    value = (value & ~(uint64_t{0xff} << 8 * i)) | *byte << 8 * i;
  }
  return value;
}

std::optional<uint64_t> RecordDecoder::header(unsigned token) {
  if (token < RecordToken::kSwitch) {
    const std::optional<uint64_t> swapped = word(model_.newest(token));
    if (!swapped) return {};
    model_.newest(token) = *swapped;
    const uint64_t header = model_.swapped(*swapped);
    model_.enter(header, model_.keep(*swapped));
    return header;
  }
  if (token < RecordToken::kKnown) {
    const unsigned kind = token - RecordToken::kSwitch;
    const std::optional<uint64_t> incoming = bytes(1);
    if (!incoming) return {};
    const auto thread = static_cast<uint8_t>(*incoming);
    std::optional<uint64_t> priority = model_.priority_of(thread);
    if (kind >= RecordToken::kStates) priority = bytes(1);
    if (!priority) return {};
    const uint64_t header = model_.expected_switch(kind % RecordToken::kStates, thread,
                                                   static_cast<uint8_t>(*priority));
    model_.enter(header, RecordModel::kNoSlot);
    return header;
  }
  const unsigned slot = token - RecordToken::kKnown;
  if (slot >= RecordModel::kSlots) return {};
  const uint64_t header = model_.swapped(model_.header_in(slot));
  model_.enter(header, slot);
  return header;
}

std::optional<uint64_t> RecordDecoder::time(unsigned form) {
  if (form == RecordToken::kTimeAsWord) return word(model_.time());
  const std::optional<uint64_t> since = bytes(form + 1);
  if (!since) return {};
  return model_.time() + *since;
}

bool RecordDecoder::records(std::vector<uint64_t>& words) {
  while (!left_.empty()) {
    const unsigned token = left_.front();
    left_ = left_.subspan(1);
    const std::optional<uint64_t> first = header(token & RecordToken::kHeaderMask);
    if (!first) return false;
    words.push_back(*first);
    const uint32_t size = model_.words();
    // The last record may have been cut, behind any of its words.
    for (uint32_t place = 1; place < size && !left_.empty(); ++place) {
      const bool is_time = place == 1 && model_.has_time();
      uint64_t& guess = is_time ? model_.time() : model_.word(place);
      const std::optional<uint64_t> next =
          is_time ? time(token >> RecordToken::kTimeShift) : word(guess);
      if (!next) return false;
      guess = *next;
      words.push_back(guess);
    }
  }
  return true;
}

bool uncode_records(std::span<const uint8_t> coded, ByteOrder order, std::vector<uint8_t>& raw) {
  using wire::CodedRecords;
  using wire::Records;
  if (coded.size() < CodedRecords::kCode) return false;
  if (coded[Records::kCoding] != static_cast<uint8_t>(wire::RecordsCoding::kCoded)) return false;
  raw.assign(coded.begin(), coded.begin() + CodedRecords::kCode);
  raw[Records::kCoding] = static_cast<uint8_t>(wire::RecordsCoding::kRaw);

  RecordDecoder decoder(coded.subspan(CodedRecords::kCode));
  const bool has_clock = coded[Records::kClock] == static_cast<uint8_t>(wire::RecordsClock::kGiven);
  const size_t numbers = CodedRecords::kNumbers + (has_clock ? fxt::ClockWords::kCount : 0);
  const auto append = [&raw](uint64_t word, ByteOrder as) {
    raw.resize(raw.size() + fxt::kWordBytes);
    store_word(raw.data() + raw.size() - fxt::kWordBytes, word, as);
  };
  for (size_t i = 0; i < numbers; ++i) {
    const std::optional<uint64_t> number = decoder.number();
    if (!number) return false;
    append(*number, ByteOrder::kLittle);
  }
  std::vector<uint64_t> words;
  if (!decoder.records(words)) return false;
  raw.reserve(raw.size() + words.size() * fxt::kWordBytes);
  for (const uint64_t word : words) append(word, order);
  return true;
}

}  // namespace barefxt::host
