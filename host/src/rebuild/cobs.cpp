#include "cobs.h"

#include <cstring>

namespace barefxt::host {
namespace {

// The code of the longest run, which no zero follows.
constexpr size_t kLongest = 0xff;

// Decoded bytes equal the coded ones, except for the first, and with a zero in place of each
// further code. So all bytes are copied at once, and then the codes are replaced; each has the
// distance to the next. Zeros behind the copy, as far as a code can reach, end the walk.
class Chain {
 public:
  Chain(std::span<const uint8_t> coded, uint8_t* decoded)
      : coded_(coded), decoded_(decoded), to_(decoded) {
    begin();
  }

  // One code. False, and nothing is done: it needs finish().
  bool step() {
    const size_t code = to_[at_];
    if (code - 1 >= kLongest - 1) return false;
    to_[at_] = 0;
    at_ += code;
    return true;
  }

  std::optional<size_t> finish() {
    for (;;) {
      while (step()) {
      }
      size_t next = kLongest;  // in coded_, behind a longest run
      if (!begins_with_longest_) {
        const size_t end = coded_.size() - 1;
        if (at_ == end) return static_cast<size_t>(to_ - decoded_) + end;
        if (to_[at_] == 0) return {};  // which includes all beyond the end
        to_[at_] = 0;
        next += at_ + 1;
      }
      if (next > coded_.size()) return {};
      to_ += next - 1;
      if (next == coded_.size()) return static_cast<size_t>(to_ - decoded_);
      coded_ = coded_.subspan(next);
      begin();
    }
  }

 private:
  void begin() {
    const size_t end = coded_.size() - 1;
    std::memcpy(to_, coded_.data() + 1, end);
    std::memset(to_ + end, 0, kCobsReach);
    begins_with_longest_ = coded_[0] == kLongest;
    // No code is 0, which is refused as one that reaches too far.
    at_ = begins_with_longest_ ? end : coded_[0] == 0 ? end + 1 : coded_[0] - size_t{1};
  }

  std::span<const uint8_t> coded_;  // since the last of the longest runs
  uint8_t* decoded_;
  uint8_t* to_;    // where coded_ goes
  size_t at_ = 0;  // of the next code, in to_
  bool begins_with_longest_ = false;
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
