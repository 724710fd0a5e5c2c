#include "cobs.h"

#include <cstring>

namespace barefxt::host {
namespace {

// The code of the longest run, which no zero follows.
constexpr size_t kLongest = 0xff;

// Decoded bytes equal the coded ones, except for the first, and with a zero in place of each
// further code. So all bytes are copied at once, and then the codes are replaced; each has the
// distance to the next.
class Chain {
 public:
  Chain(std::span<const uint8_t> coded, uint8_t* decoded)
      : coded_(coded), decoded_(decoded), to_(decoded) {
    copy();
  }

  // One code. False, and nothing is done: it needs finish().
  bool step() {
    const size_t code = coded_[at_];
    const size_t next = at_ + code;
    if (next >= coded_.size() || code - 1 >= kLongest - 1) return false;
    to_[next - 1] = 0;
    at_ = next;
    return true;
  }

  std::optional<size_t> finish() {
    for (;;) {
      while (step()) {
      }
      const size_t code = coded_[at_];
      at_ += code;
      if (code == 0 || at_ > coded_.size()) return {};
      to_ += at_ - 1;
      if (at_ == coded_.size()) return static_cast<size_t>(to_ - decoded_);
      coded_ = coded_.subspan(at_);
      at_ = 0;
      copy();
    }
  }

 private:
  void copy() { std::memcpy(to_, coded_.data() + 1, coded_.size() - 1); }

  std::span<const uint8_t> coded_;  // since the last of the longest runs
  uint8_t* decoded_;
  uint8_t* to_;    // where coded_ goes
  size_t at_ = 0;  // of the next code, in coded_
};

}  // namespace

std::optional<size_t> cobs_decode(std::span<const uint8_t> coded, uint8_t* decoded) {
  if (coded.empty()) return 0;
  return Chain(coded, decoded).finish();
}

std::array<std::optional<size_t>, 2> cobs_decode_two(std::span<const uint8_t> one,
                                                     uint8_t* decoded_one,
                                                     std::span<const uint8_t> two,
                                                     uint8_t* decoded_two) {
  if (one.empty() || two.empty())
    return {cobs_decode(one, decoded_one), cobs_decode(two, decoded_two)};
  Chain first(one, decoded_one);
  Chain second(two, decoded_two);
  while (first.step() && second.step()) {
  }
  // Copies, so that the chains of the loop have no address and stay in registers.
  return {Chain(first).finish(), Chain(second).finish()};
}

}  // namespace barefxt::host
