#include "cobs.h"

#include <algorithm>
#include <cstring>
#include <tuple>
#include <utility>

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
    const size_t code = *at_;
    if (code - 1 >= kLongest - 1) return false;
    *at_ = 0;
    at_ += code;
    return true;
  }

  std::optional<size_t> finish() {
    for (;;) {
      while (step()) {
      }
      size_t next = kLongest;  // in coded_, behind a longest run
      if (!begins_with_longest_) {
        const uint8_t* const end = to_ + coded_.size() - 1;
        if (at_ == end) return static_cast<size_t>(end - decoded_);
        if (*at_ == 0) return {};  // which includes all beyond the end
        *at_ = 0;
        next += static_cast<size_t>(at_ - to_) + 1;
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
    at_ = to_ + (begins_with_longest_ ? end : coded_[0] == 0 ? end + 1 : coded_[0] - size_t{1});
  }

  std::span<const uint8_t> coded_;  // since the last of the longest runs
  uint8_t* decoded_;
  uint8_t* to_;            // where coded_ goes
  uint8_t* at_ = nullptr;  // the next code, there
  bool begins_with_longest_ = false;
};

// None of them is empty.
template <size_t... each>
void decode(std::span<CobsTask> tasks, std::index_sequence<each...>) {
  std::tuple chains(Chain(tasks[each].coded, tasks[each].decoded)...);
  while ((std::get<each>(chains).step() && ...)) {
  }
  // Copies, so that the chains of the loop have no address and stay in registers.
  ((tasks[each].bytes = Chain(std::get<each>(chains)).finish()), ...);
}

}  // namespace

std::optional<size_t> cobs_decode(std::span<const uint8_t> coded, uint8_t* decoded) {
  if (coded.empty()) return 0;
  return Chain(coded, decoded).finish();
}

void cobs_decode_together(std::span<CobsTask> tasks) {
  const auto is_empty = [](const CobsTask& task) { return task.coded.empty(); };
  if (std::none_of(tasks.begin(), tasks.end(), is_empty)) {
    for (; tasks.size() >= kCobsTogether; tasks = tasks.subspan(kCobsTogether))
      decode(tasks, std::make_index_sequence<kCobsTogether>());
    for (; tasks.size() >= 2; tasks = tasks.subspan(2))
      decode(tasks, std::make_index_sequence<2>());
  }
  for (CobsTask& task : tasks) task.bytes = cobs_decode(task.coded, task.decoded);
}

}  // namespace barefxt::host
