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

// A string reference and what it stands for.
struct Text {
  std::string_view bytes;  // not necessarily UTF-8; empty where the reference is unregistered
  fxt::StringRef ref;
  bool registered = true;  // false only for an index that no string record gave a value

  bool is_inline() const { return ref.is_inline(); }
};

inline Text resolve(const StringTable& strings, fxt::StringRef ref) {
  if (!ref.is_indexed()) return {{}, ref, true};
  const std::string_view* text = strings.find(ref.value);
  return text == nullptr ? Text{{}, ref, false} : Text{*text, ref, true};
}

struct Argument {
  Word header = 0;
  Text name;
  fxt::ArgumentType type = fxt::ArgumentType::kNull;  // may be a number without a name
  Word bits = 0;          // the value word, or the header's upper half where the value is there
  Text string;            // kString
  std::string_view blob;  // kBlob
  std::size_t extra_words = 0;  // beyond the known content

  bool is_known() const { return type <= fxt::ArgumentType::kBlob; }
  std::int32_t as_int32() const { return static_cast<std::int32_t>(bits); }
  std::int64_t as_int64() const { return static_cast<std::int64_t>(bits); }
  double as_double() const { return std::bit_cast<double>(bits); }
  bool is_numeric() const {
    return type >= fxt::ArgumentType::kInt32 && type <= fxt::ArgumentType::kDouble;
  }
};

// Reads the argument that starts at words[0] into `out` and returns its size in words, 0 where it
// does not fit.
std::size_t decode_argument(Words words, const StringTable& strings, Argument& out);

class Arguments {
 public:
  Arguments() = default;
  Arguments(Words words, unsigned count, const StringTable* strings)
      : words_(words), count_(count), strings_(strings) {}

  class Iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = Argument;
    using difference_type = std::ptrdiff_t;
    using pointer = const Argument*;
    using reference = const Argument&;

    Iterator(Words words, unsigned left, const StringTable* strings)
        : words_(words), left_(left), strings_(strings) {
      load();
    }
    const Argument& operator*() const { return argument_; }
    const Argument* operator->() const { return &argument_; }
    Iterator& operator++() {
      words_ = words_.from(size_);
      --left_;
      load();
      return *this;
    }
    bool operator==(const Iterator& other) const { return left_ == other.left_; }

   private:
    void load() {
      if (left_ > 0) size_ = decode_argument(words_, *strings_, argument_);
    }
    Words words_;
    unsigned left_;
    const StringTable* strings_;
    std::size_t size_ = 0;
    Argument argument_;
  };

  Iterator begin() const { return {words_, count_, strings_}; }
  Iterator end() const { return {words_, 0, strings_}; }
  unsigned size() const { return count_; }

  // The first argument of this name.
  std::optional<Argument> find(std::string_view name) const {
    for (const Argument& argument : *this) {
      if (argument.name.bytes == name) return argument;
    }
    return std::nullopt;
  }

 private:
  Words words_;
  unsigned count_ = 0;
  const StringTable* strings_ = nullptr;
};

}  // namespace barefxt::host
