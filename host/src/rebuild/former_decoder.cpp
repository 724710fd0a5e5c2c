#include "former_decoder.h"

#include <algorithm>

#include <barefxt/fxt/event.h>
#include <barefxt/fxt/scheduling.h>
#include <barefxt/wire/record_code.h>

namespace barefxt::host {
namespace {

using wire::RecordModel;
using wire::WordCode;

// A record begins with a token: the two bits on top code its time, the others its header.
constexpr unsigned kTimeShift = 6;
constexpr unsigned kHeaderMask = 0x3f;
// By time: 0 to 2: that much was added to the last one, in 1 to 3 bytes. 3: as a word.
constexpr unsigned kTimeAsWord = 3;
// Below this: a new header. From here on: a switch from the running thread, plus its state.
constexpr unsigned kSwitch = 4;
constexpr unsigned kStates = 6;
// As that, with a priority.
constexpr unsigned kSwitchWithPriority = kSwitch + kStates;
// A header coded before; plus its slot.
constexpr unsigned kKnown = kSwitchWithPriority + kStates;

constexpr uint32_t kFirstOfMany = 20;

}  // namespace

std::optional<uint64_t> FormerDecoder::bytes(unsigned count) {
  if (left_.size() < count) return {};
  uint64_t value = 0;
  for (unsigned i = 0; i < count; ++i) value |= uint64_t{left_[i]} << 8 * i;
  left_ = left_.subspan(count);
  return value;
}

std::optional<uint64_t> FormerDecoder::word(uint64_t guess) {
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

// Its thread is the one that runs where it is 0, and the other way round.
uint64_t FormerDecoder::swapped(uint64_t header) const {
  if (fxt::RecordHeader::type(header) != fxt::RecordType::kEvent) return header;
  const uint64_t thread = fxt::Event::Thread::in(header);
  return thread == 0 || thread == thread_ ? header ^ thread_ << fxt::Event::Thread::kFirst : header;
}

void FormerDecoder::enter(uint64_t header, unsigned slot) {
  using Switch = fxt::LegacyContextSwitch;
  slot_ = slot;
  if (fxt::RecordHeader::type(header) != fxt::RecordType::kScheduling ||
      fxt::SchedulingHeader::Subtype::in(header) != fxt::SchedulingHeader::kLegacyContextSwitch)
    return;
  thread_ = Switch::IncomingThread::in(header);
  priorities_[thread_ % kPriorities] = static_cast<uint8_t>(Switch::IncomingPriority::in(header));
  cpu_in_place_ = header & Switch::Cpu::kMask;
}

std::optional<uint64_t> FormerDecoder::switch_of(unsigned kind) {
  using Switch = fxt::LegacyContextSwitch;
  const std::optional<uint64_t> incoming = bytes(1);
  if (!incoming) return {};
  std::optional<uint64_t> priority = priorities_[*incoming % kPriorities];
  if (kind >= kStates) priority = bytes(1);
  if (!priority) return {};
  const uint64_t words = Switch::kFixedWords + (thread_ == 0 ? 2 : 0) + (*incoming == 0 ? 2 : 0);
  return static_cast<uint64_t>(fxt::RecordType::kScheduling) |
         words << fxt::RecordHeader::SizeWords::kFirst | cpu_in_place_ |
         uint64_t{kind % kStates} << Switch::OutgoingState::kFirst |
         thread_ << Switch::OutgoingThread::kFirst | *incoming << Switch::IncomingThread::kFirst |
         uint64_t{priorities_[thread_ % kPriorities]} << Switch::OutgoingPriority::kFirst |
         *priority << Switch::IncomingPriority::kFirst;
}

std::optional<uint64_t> FormerDecoder::header(unsigned token) {
  if (token < kSwitch) {
    const std::optional<uint64_t> swapped_header = word(newest_[token]);
    if (!swapped_header) return {};
    newest_[token] = *swapped_header;
    headers_[next_slot_] = *swapped_header;
    const uint64_t header = swapped(*swapped_header);
    enter(header, next_slot_);
    next_slot_ = (next_slot_ + 1) % kSlots;
    return header;
  }
  if (token < kKnown) {
    const std::optional<uint64_t> header = switch_of(token - kSwitch);
    if (header) enter(*header, kSlots);
    return header;
  }
  const unsigned slot = token - kKnown;
  if (slot >= kSlots) return {};
  const uint64_t header = swapped(headers_[slot]);
  enter(header, slot);
  return header;
}

std::optional<uint64_t> FormerDecoder::time(unsigned form) {
  if (form == kTimeAsWord) return word(time_);
  const std::optional<uint64_t> since = bytes(form + 1);
  if (!since) return {};
  return time_ + *since;
}

bool FormerDecoder::records(std::vector<uint64_t>& words) {
  while (!left_.empty()) {
    const unsigned token = left_.front();
    left_ = left_.subspan(1);
    const std::optional<uint64_t> first = header(token & kHeaderMask);
    if (!first) return false;
    words.push_back(*first);
    const uint32_t size = RecordModel::words_of(*first);
    // The last record may have been cut, behind any of its words.
    for (uint32_t place = 1; place < size && !left_.empty(); ++place) {
      const bool is_time = place == 1 && RecordModel::has_time(*first);
      uint64_t& guess =
          is_time ? time_ : words_[(3 * slot_ + std::min(place, kFirstOfMany)) % kWords];
      const std::optional<uint64_t> next = is_time ? time(token >> kTimeShift) : word(guess);
      if (!next) return false;
      guess = *next;
      words.push_back(guess);
    }
  }
  return true;
}

}  // namespace barefxt::host
