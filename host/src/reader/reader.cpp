// The walk: framing, state, and what to do about places that cannot be read.
#include <barefxt/host/decoder.h>
#include <barefxt/host/reader.h>

#include "plausible.h"

namespace barefxt::host {

std::string_view describe(Fault fault) {
  switch (fault) {
    case Fault::kNone:
      return "nothing";
    case Fault::kPartialWord:
      return "the archive ends within a word";
    case Fault::kZeroSize:
      return "a record of size 0";
    case Fault::kBeyondEnd:
      return "the record's size reaches beyond the end of the archive";
    case Fault::kTooShort:
      return "the record is too short for what its header says it holds";
    case Fault::kStringBeyondRecord:
      return "an inline string reaches beyond its record";
    case Fault::kArgumentBeyondRecord:
      return "an argument reaches beyond its record";
    case Fault::kArgumentTooShort:
      return "an argument is too short for what its header says it holds";
    case Fault::kPayloadBeyondRecord:
      return "a payload reaches beyond its record";
    case Fault::kBadMagic:
      return "a magic number record without the magic number";
    case Fault::kImplausible:
      return "an archive does not begin like this";
    case Fault::kUnwritten:
      return "zeros to the end of the last page, room that nothing was written to";
  }
  return "unreadable";
}

std::optional<uint64_t> timestamp_of(const Record& record) {
  return std::visit(
      [](const auto& content) -> std::optional<uint64_t> {
        if constexpr (std::is_same_v<std::decay_t<decltype(content)>, LargeBlob>) {
          if (content.format != fxt::LargeBlob::kFormatEvent) return std::nullopt;
        }
        if constexpr (requires { content.timestamp; }) {
          return content.timestamp;
        } else {
          return std::nullopt;
        }
      },
      record.content);
}

Reader::Reader(Bytes bytes, Form form)
    : bytes_(bytes),
      form_(form),
      swap_(form.byte_order != kOwnByteOrder),
      nobody_(std::make_unique<ProviderState>()),
      current_(nobody_.get()) {}

const Record* Reader::next() {
  if (offset_ >= bytes_.size()) return nullptr;
  swap_ ? step<true>() : step<false>();
  return &record_;
}

// Frames and decodes the record at the current offset, or delivers a malformed place.
template <bool kSwap>
void Reader::step() {
  const uint64_t left = bytes_.size() - offset_;
  record_.offset = offset_;
  record_.provider = current_id_;
  if (left < fxt::kWordBytes) return malformed(Fault::kPartialWord, 0);
  const uint8_t* at = bytes_.data() + offset_;
  const Word header = load_word(at, kSwap);
  const uint64_t words = claimed_words(header);
  if (words == 0) return is_unwritten() ? unwritten() : malformed(Fault::kZeroSize, 0);
  if (words > left / fxt::kWordBytes) return malformed(Fault::kBeyondEnd, 0);
  const uint64_t size = words * fxt::kWordBytes;
  record_.raw = {reinterpret_cast<const char*>(at), size};
  const Fault fault = Decoder<kSwap>(header, at, size, form_.dialect, *current_).decode(record_);
  if (fault != Fault::kNone) return malformed(fault, size);
  // As long as nothing else was recognized, a record that cannot be checked proves nothing.
  if (readable_records_ == 0 && std::holds_alternative<Unknown>(record_.content) &&
      !Plausible(bytes_, form_).parses(offset_)) {
    return malformed(Fault::kImplausible, 0);
  }
  offset_ += size;
  ++readable_records_;
  constexpr auto kLastThatChangesState = fxt::RecordType::kThread;
  if (fxt::RecordHeader::type(header) <= kLastThatChangesState) apply();
}

// Delivers the bytes from the current offset up to the next readable place as malformed. `size` is
// the size in the header, if it can be trusted enough to go on behind it.
[[gnu::noinline]] void Reader::malformed(Fault fault, uint64_t size) {
  const uint64_t start = offset_;
  offset_ = fault == Fault::kPartialWord ? bytes_.size() : end_of_malformed(size);
  record_.raw = {reinterpret_cast<const char*>(bytes_.data()) + start, offset_ - start};
  record_.header = 0;
  record_.extra_words = 0;
  record_.content = Malformed{fault};
  ++malformed_places_;
  malformed_bytes_ += offset_ - start;
}

// Returns true if the rest is all zeros, and the archive's size fits memory that was mapped in
// pages.
[[gnu::noinline]] bool Reader::is_unwritten() {
  constexpr uint64_t kPageBytes = 4096;  // or more
  if (readable_records_ == 0 || bytes_.size() % kPageBytes != 0) return false;
  if (offset_ >= not_zero_at_) not_zero_at_ = end_of_zeros(bytes_, offset_, passed_);
  return not_zero_at_ == bytes_.size();
}

[[gnu::noinline]] void Reader::unwritten() {
  unwritten_bytes_ = bytes_.size() - offset_;
  record_.raw = {reinterpret_cast<const char*>(bytes_.data()) + offset_, unwritten_bytes_};
  record_.header = 0;
  record_.extra_words = 0;
  record_.content = Malformed{Fault::kUnwritten};
  offset_ = bytes_.size();
}

uint64_t Reader::end_of_malformed(uint64_t size) const {
  Plausible plausible(bytes_, form_, passed_);
  if (size != 0) {
    const uint64_t after = offset_ + size;
    if (after == bytes_.size() || plausible.parses(after)) return after;
  }
  return plausible.next_place(offset_ + 1, offset_).value_or(bytes_.size());
}

// Applies the record's effects on itself (the provider it names) and on those that follow.
[[gnu::noinline]] void Reader::apply() {
  switch (fxt::RecordHeader::type(record_.header)) {
    case fxt::RecordType::kMetadata:
      if (const auto* info = std::get_if<ProviderInfo>(&record_.content)) {
        ProviderState& state = state_of(info->id);
        clear(state);  // declaring it again starts it anew
        state.name = info->name;
        state.declared = true;
        current_ = &state;
        current_id_ = record_.provider = info->id;
      } else if (const auto* section = std::get_if<ProviderSection>(&record_.content)) {
        current_ = &state_of(section->id);
        current_id_ = record_.provider = section->id;
      } else if (const auto* event = std::get_if<ProviderEvent>(&record_.content)) {
        record_.provider = event->id;
      } else if (std::holds_alternative<MagicNumber>(record_.content)) {
        record_.provider.reset();
      }
      break;
    case fxt::RecordType::kInitialization:
      current_->initialized = true;
      current_->ticks_per_second = std::get_if<Initialization>(&record_.content)->ticks_per_second;
      break;
    case fxt::RecordType::kString: {
      const auto* string = std::get_if<StringRegistration>(&record_.content);
      const size_t before = current_->strings.pages();
      current_->strings.set(string->index, string->value);
      pages_ += current_->strings.pages() - before;
      // The current one needs no more than a part of the room.
      while (pages_ > kMaxPages) forget_oldest();
      break;
    }
    case fxt::RecordType::kThread: {
      const auto* thread = std::get_if<ThreadRegistration>(&record_.content);
      current_->threads.set(thread->index, thread->process, thread->thread);
      break;
    }
    default:
      break;
  }
}

ProviderState& Reader::state_of(uint32_t id) {
  std::unique_ptr<ProviderState>& state = providers_[id];
  if (state) return *state;
  if (order_.size() == kMaxProviders) {
    state = forget_oldest();
  } else {
    state = std::make_unique<ProviderState>();
  }
  order_.push_back(id);
  return *state;
}

void Reader::clear(ProviderState& state) {
  pages_ -= state.strings.pages();
  state.clear();
}

// The one declared first, and not the current one, makes room. Returns its memory.
std::unique_ptr<ProviderState> Reader::forget_oldest() {
  auto oldest = providers_.find(order_.front());
  if (oldest->second.get() == current_) {
    order_.push_back(order_.front());
    order_.pop_front();
    oldest = providers_.find(order_.front());
  }
  std::unique_ptr<ProviderState> state = std::move(oldest->second);
  clear(*state);
  providers_.erase(oldest);
  order_.pop_front();
  ++forgotten_providers_;
  return state;
}

}  // namespace barefxt::host
