// Takes a record apart from front to back. Every take is checked against what is left; the first
// that fails sets the fault, and what is taken after that is empty.
#pragma once

#include <barefxt/host/record.h>

namespace barefxt::host {

class Cursor {
 public:
  Cursor(Words words, const ProviderState& state) : words_(words), state_(&state) {}

  Fault fault() const { return fault_; }
  std::size_t left() const { return words_.size(); }

  Word word() {
    if (words_.empty()) {
      fail(Fault::kTooShort);
      return 0;
    }
    const Word taken = words_[0];
    words_ = words_.from(1);
    return taken;
  }

  Words take(std::size_t count, Fault otherwise) {
    if (count > words_.size()) {
      fail(otherwise);
      return {};
    }
    const Words taken = words_.first(count);
    words_ = words_.from(count);
    return taken;
  }

  // A stream of so many bytes, padded to the next word.
  std::string_view stream(std::uint64_t bytes, Fault otherwise) {
    // Compared before it is rounded up, which could wrap around.
    if (bytes > words_.size() * fxt::kWordBytes) {
      fail(otherwise);
      return {};
    }
    return take(fxt::words_for_bytes(bytes), otherwise).bytes().substr(0, bytes);
  }

  Text text(fxt::StringRef ref) {
    if (ref.is_inline()) return {stream(ref.bytes(), Fault::kStringBeyondRecord), ref, true};
    return resolve(state_->strings, ref);
  }

  ThreadId thread(fxt::ThreadRef ref) {
    if (ref.is_inline()) {
      const Word process = word();
      return {process, word(), ref, true};
    }
    return indexed(ref);
  }

  // A thread reference of which only the process counts: inline, that is one word.
  ThreadId process(fxt::ThreadRef ref) {
    return ref.is_inline() ? ThreadId{word(), 0, ref, true} : indexed(ref);
  }

  Arguments arguments(unsigned count) {
    if (count == 0) return {{}, 0, &state_->strings};
    const Words all = words_;
    for (unsigned i = 0; i < count; ++i) skip_argument();
    if (fault_ != Fault::kNone) return {{}, 0, &state_->strings};
    return {all.first(all.size() - words_.size()), count, &state_->strings};
  }

 private:
  void fail(Fault fault) {
    if (fault_ == Fault::kNone) fault_ = fault;
    words_ = {};
  }

  ThreadId indexed(fxt::ThreadRef ref) const {
    const ThreadTable::Entry* entry = state_->threads.find(ref.value);
    if (entry == nullptr) return {0, 0, ref, false};
    return {entry->process, entry->thread, ref, true};
  }

  void skip_argument();

  Words words_;
  const ProviderState* state_;
  Fault fault_ = Fault::kNone;
};

// The words that an argument needs for what its header says it holds.
inline std::size_t known_words(Word header) {
  using fxt::ArgumentHeader;
  const auto type = static_cast<fxt::ArgumentType>(ArgumentHeader::Type::in(header));
  const fxt::StringRef name{static_cast<std::uint16_t>(ArgumentHeader::Name::in(header))};
  std::size_t words = 1 + name.inline_words();
  if (ArgumentHeader::has_value_word(type)) {
    words += 1;
  } else if (type == fxt::ArgumentType::kString) {
    const fxt::StringRef value{static_cast<std::uint16_t>(ArgumentHeader::String::in(header))};
    words += value.inline_words();
  } else if (type == fxt::ArgumentType::kBlob) {
    words += fxt::words_for_bytes(ArgumentHeader::BlobBytes::in(header));
  }
  return words;
}

inline void Cursor::skip_argument() {
  if (words_.empty()) return fail(Fault::kArgumentBeyondRecord);
  const Word header = words_[0];
  const std::size_t size = fxt::ArgumentHeader::SizeWords::in(header);
  if (size > words_.size()) return fail(Fault::kArgumentBeyondRecord);
  if (size < known_words(header)) return fail(Fault::kArgumentTooShort);
  words_ = words_.from(size);
}

}  // namespace barefxt::host
