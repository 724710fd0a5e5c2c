// The arguments of a record, walked without copying: "Argument Types" of the specification.
//
// Invariant: an Arguments comes out of a record that was checked as a whole, so every argument in
// it lies within it and no walk can leave it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string_view>

#include <barefxt/fxt/argument.h>
#include <barefxt/host/tables.h>
#include <barefxt/host/words.h>

namespace barefxt::host {

struct Argument {
  Word header = 0;
  Text name;
  fxt::ArgumentType type = fxt::ArgumentType::kNull;  // may be a number without a name
  Word bits = 0;           // the value word, or the header's upper half where the value is there
  Text string;             // kString
  std::string_view blob;   // kBlob
  size_t extra_words = 0;  // beyond the known content

  bool is_known() const { return type <= fxt::ArgumentType::kBlob; }
  int32_t as_int32() const { return static_cast<int32_t>(bits); }
  int64_t as_int64() const { return static_cast<int64_t>(bits); }
  double as_double() const { return std::bit_cast<double>(bits); }
  bool is_numeric() const {
    return type >= fxt::ArgumentType::kInt32 && type <= fxt::ArgumentType::kDouble;
  }
};

// The string that an argument refers to; of other types the empty one. Without a branch, since a
// processor cannot predict it: the types of arguments vary.
inline fxt::StringRef string_value(Word header) {
  using fxt::ArgumentHeader;
  const bool is_string =
      ArgumentHeader::Type::in(header) == static_cast<Word>(fxt::ArgumentType::kString);
  return {static_cast<uint16_t>(ArgumentHeader::String::in(header) & (Word{0} - is_string))};
}

// The words that an argument needs for the content that its header announces.
[[gnu::always_inline]] inline size_t known_words(Word header) {
  using fxt::ArgumentHeader;
  const auto type = static_cast<fxt::ArgumentType>(ArgumentHeader::Type::in(header));
  const fxt::StringRef name{static_cast<uint16_t>(ArgumentHeader::Name::in(header))};
  const fxt::StringRef value = string_value(header);
  const size_t words =
      1 + (name.is_inline() ? name.inline_words() : 0) + ArgumentHeader::has_value_word(type);
  if (value.is_inline()) [[unlikely]]
    return words + value.inline_words();
  if (type == fxt::ArgumentType::kBlob) [[unlikely]]
    return words + fxt::words_for_bytes(ArgumentHeader::BlobBytes::in(header));
  return words;
}

class Arguments {
 public:
  Arguments() = default;
  // `data` holds `count` arguments; each lies within it.
  Arguments(const uint8_t* data, unsigned count, bool swap, const StringTable* strings)
      : data_(data), strings_(strings), count_(count), swap_(swap) {}

  class Iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = Argument;
    using difference_type = ptrdiff_t;
    using pointer = const Argument*;
    using reference = const Argument&;

    [[gnu::always_inline]] explicit Iterator(const Arguments& all)
        : at_(all.data_), strings_(all.strings_), left_(all.count_), swap_(all.swap_) {
      if (left_ > 0) load();
    }
    const Argument& operator*() const { return argument_; }
    const Argument* operator->() const { return &argument_; }
    [[gnu::always_inline]] Iterator& operator++() {
      at_ += fxt::ArgumentHeader::SizeWords::in(argument_.header) * fxt::kWordBytes;
      if (--left_ > 0) load();
      return *this;
    }
    bool operator==(std::default_sentinel_t) const { return left_ == 0; }

   private:
    // Inlined into the loop, what the loop does not look at is not even computed.
    [[gnu::always_inline]] void load() {
      using fxt::ArgumentHeader;
      const Word header = load_word(at_, swap_);
      const uint8_t* next = at_ + fxt::kWordBytes;
      argument_.header = header;
      argument_.type = static_cast<fxt::ArgumentType>(ArgumentHeader::Type::in(header));
      argument_.name = text(static_cast<uint16_t>(ArgumentHeader::Name::in(header)), next);
      // Chosen without a branch, see string_value().
      const bool has_word = ArgumentHeader::has_value_word(argument_.type);
      argument_.bits = load_word(has_word ? next : at_, swap_) >> (has_word ? 0 : 32);
      argument_.string = text(string_value(header).value, next);
      argument_.blob = {};
      if (argument_.type == fxt::ArgumentType::kBlob) [[unlikely]] {
        argument_.blob = {reinterpret_cast<const char*>(next),
                          ArgumentHeader::BlobBytes::in(header)};
      }
      argument_.extra_words =
          argument_.is_known() ? ArgumentHeader::SizeWords::in(header)-known_words(header) : 0;
    }
    [[gnu::always_inline]] Text text(uint16_t value, const uint8_t*& next) const {
      const fxt::StringRef ref{value};
      if (!ref.is_inline()) return strings_->resolve(ref);
      const std::string_view bytes(reinterpret_cast<const char*>(next), ref.bytes());
      next += ref.inline_words() * fxt::kWordBytes;
      return {bytes, ref, true};
    }

    const uint8_t* at_;
    const StringTable* strings_;
    unsigned left_;
    bool swap_;
    Argument argument_;
  };

  [[gnu::always_inline]] Iterator begin() const { return Iterator(*this); }
  std::default_sentinel_t end() const { return {}; }
  unsigned size() const { return count_; }

  // The first argument of this name.
  std::optional<Argument> find(std::string_view name) const {
    for (const Argument& argument : *this) {
      if (argument.name.bytes == name) return argument;
    }
    return std::nullopt;
  }

 private:
  const uint8_t* data_ = nullptr;
  const StringTable* strings_ = nullptr;
  unsigned count_ = 0;
  bool swap_ = false;
};

}  // namespace barefxt::host
