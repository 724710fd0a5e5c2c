// Takes a record apart from front to back. Every take is checked against what is left; the first
// that fails sets the fault, and what is taken after that is empty.
//
// All of it is inlined into the decoder, and the byte order is known when it is compiled: this is
// where a reader spends its time.
#pragma once

#include <barefxt/host/record.h>

namespace barefxt::host {

// So that the walk over an archive becomes one function with everything in registers.
#define BAREFXT_INLINE [[gnu::always_inline]] inline

// Makes a value in the very place where a variant wants it, instead of moving it there. That it
// cannot throw is what lets the variant do so.
template <typename Make>
struct InPlace {
  Make make;
  BAREFXT_INLINE operator decltype(make())() const noexcept {
    return make();
  }  // NOLINT(*explicit*)
};
template <typename Make>
InPlace(Make) -> InPlace<Make>;

template <bool kSwap>
class Cursor {
 public:
  Cursor(const uint8_t* data, const uint8_t* end, const ProviderState& state)
      : at_(data), end_(end), state_(&state) {}

  Fault fault() const { return fault_; }
  uint64_t left() const { return static_cast<uint64_t>(end_ - at_) / fxt::kWordBytes; }

  BAREFXT_INLINE Word word() {
    if (at_ == end_) [[unlikely]] {
      fail(Fault::kTooShort);
      return 0;
    }
    const Word taken = load_word(at_, kSwap);
    at_ += fxt::kWordBytes;
    return taken;
  }

  // 1 word or, without a branch on that, 0: then the value is 0. Not to be the first that is taken.
  BAREFXT_INLINE Word word_if(uint64_t words) {
    if (left() < words) [[unlikely]] {
      fail(Fault::kTooShort);
      return 0;
    }
    at_ += words * fxt::kWordBytes;
    return load_word(at_ - fxt::kWordBytes, kSwap) & (Word{0} - words);
  }

  BAREFXT_INLINE Words words(uint64_t count, Fault otherwise) {
    if (count > left()) [[unlikely]] {
      fail(otherwise);
      return {};
    }
    const Words taken(at_, count, kSwap);
    at_ += count * fxt::kWordBytes;
    return taken;
  }

  // A stream of `bytes` bytes, padded to the next word.
  BAREFXT_INLINE std::string_view stream(uint64_t bytes, Fault otherwise) {
    // The rest is whole words, so a stream that fits has its padding, too. The comparison comes
    // before rounding up, which could wrap around.
    if (bytes > static_cast<uint64_t>(end_ - at_)) [[unlikely]] {
      fail(otherwise);
      return {};
    }
    const std::string_view taken(reinterpret_cast<const char*>(at_), bytes);
    at_ += fxt::words_for_bytes(bytes) * fxt::kWordBytes;
    return taken;
  }

  BAREFXT_INLINE Text text(fxt::StringRef ref) {
    if (!ref.is_inline()) return state_->strings.resolve(ref);
    return {stream(ref.bytes(), Fault::kStringBeyondRecord), ref, true};
  }

  BAREFXT_INLINE ThreadId thread(fxt::ThreadRef ref) {
    if (!ref.is_inline()) return state_->threads.resolve(ref);
    const Word process = word();
    return {process, word(), ref, true};
  }

  // A thread reference whose thread is ignored. Inline, it is one word, the process.
  BAREFXT_INLINE ThreadId process(fxt::ThreadRef ref) {
    if (!ref.is_inline()) return state_->threads.resolve(ref);
    return {word(), 0, ref, true};
  }

  BAREFXT_INLINE Arguments arguments(unsigned count) {
    const uint8_t* start = at_;
    for (unsigned i = 0; i < count; ++i) skip_argument();
    return {start, fault_ == Fault::kNone ? count : 0, kSwap, &state_->strings};
  }

 private:
  void fail(Fault fault) {
    if (fault_ == Fault::kNone) fault_ = fault;
    at_ = end_;
  }

  BAREFXT_INLINE void skip_argument() {
    if (at_ == end_) [[unlikely]]
      return fail(Fault::kArgumentBeyondRecord);
    const Word header = load_word(at_, kSwap);
    const uint64_t size = fxt::ArgumentHeader::SizeWords::in(header);
    if (size > left()) [[unlikely]]
      return fail(Fault::kArgumentBeyondRecord);
    if (size < known_words(header)) [[unlikely]]
      return fail(Fault::kArgumentTooShort);
    at_ += size * fxt::kWordBytes;
  }

  const uint8_t* at_;
  const uint8_t* end_;
  const ProviderState* state_;
  Fault fault_ = Fault::kNone;
};

}  // namespace barefxt::host
