// The walk: framing, state, and what to do about places that cannot be read.
#include <barefxt/host/reader.h>

#include "decode.h"
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
  }
  return "unreadable";
}

std::optional<std::uint64_t> timestamp_of(const Record& record) {
  return std::visit(
      [](const auto& content) -> std::optional<std::uint64_t> {
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
  if (decode_next()) {
    ++readable_records_;
    apply();
  }
  return &record_;
}

// Frames and decodes the record at the current offset; false where it delivered a malformed place.
bool Reader::decode_next() {
  const std::uint64_t left = bytes_.size() - offset_;
  record_.offset = offset_;
  record_.provider = current_id_;
  if (left < fxt::kWordBytes) {
    deliver_malformed(Fault::kPartialWord, bytes_.size());
    return false;
  }
  const std::uint8_t* at = bytes_.data() + offset_;
  const std::uint64_t size = claimed_words(load_word(at, swap_));
  Fault fault = Fault::kNone;
  if (size == 0) {
    fault = Fault::kZeroSize;
  } else if (size > left / fxt::kWordBytes) {
    fault = Fault::kBeyondEnd;
  } else {
    const Words words(at, size, swap_);
    record_.raw = words.bytes();
    fault = decode(words, form_.dialect, *current_, record_);
    // As long as nothing else was recognized, a record that cannot be checked proves nothing.
    if (fault == Fault::kNone && readable_records_ == 0 &&
        std::holds_alternative<Unknown>(record_.content) &&
        !Plausible(bytes_, form_).parses(offset_)) {
      fault = Fault::kImplausible;
    }
  }
  if (fault != Fault::kNone) {
    deliver_malformed(fault, end_of_malformed(fault, size));
    return false;
  }
  offset_ += record_.raw.size();
  return true;
}

std::uint64_t Reader::end_of_malformed(Fault fault, std::uint64_t claimed) {
  Plausible plausible(bytes_, form_);
  if (fault != Fault::kZeroSize && fault != Fault::kBeyondEnd && fault != Fault::kImplausible) {
    const std::uint64_t after = offset_ + claimed * fxt::kWordBytes;
    if (after == bytes_.size() || plausible.parses(after)) return after;
  }
  return plausible.next_place(offset_ + 1, offset_).value_or(bytes_.size());
}

void Reader::deliver_malformed(Fault fault, std::uint64_t end) {
  const std::uint64_t size = end - offset_;
  record_.raw = {reinterpret_cast<const char*>(bytes_.data()) + offset_, size};
  record_.header = 0;
  record_.extra_words = 0;
  record_.content = Malformed{fault};
  ++malformed_places_;
  malformed_bytes_ += size;
  offset_ = end;
}

// What the record changes for itself (the provider it names) and for those that follow.
void Reader::apply() {
  switch (fxt::RecordHeader::type(record_.header)) {
    case fxt::RecordType::kMetadata:
      if (const auto* info = std::get_if<ProviderInfo>(&record_.content)) {
        ProviderState& state = state_of(info->id);
        state = {};  // declaring it again starts it anew
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
      if (string->index != 0) current_->strings.set(string->index, string->value);
      break;
    }
    case fxt::RecordType::kThread: {
      const auto* thread = std::get_if<ThreadRegistration>(&record_.content);
      if (thread->index != 0) current_->threads.set(thread->index, thread->process, thread->thread);
      break;
    }
    default:
      break;
  }
}

ProviderState& Reader::state_of(std::uint32_t id) {
  std::unique_ptr<ProviderState>& state = providers_[id];
  if (!state) {
    state = std::make_unique<ProviderState>();
    order_.push_back(id);
    if (order_.size() > kMaxProviders) {
      providers_.erase(order_.front());
      order_.pop_front();
      ++forgotten_providers_;
    }
  }
  return *providers_[id];
}

}  // namespace barefxt::host
