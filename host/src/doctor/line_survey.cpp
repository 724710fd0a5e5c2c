#include "line_survey.h"

#include <algorithm>

#include <barefxt/host/frame_scanner.h>

namespace barefxt::host {
namespace {

class FrameCounter final : public FrameSink {
 public:
  void on_frame(const Frame&) override { ++frames; }
  void on_damaged(uint64_t) override {}
  void on_other_version(uint8_t, uint64_t) override {}

  uint64_t frames = 0;
};

}  // namespace

void LineSurvey::feed(std::span<const uint8_t> bytes) {
  for (const uint8_t byte : bytes) {
    ++counts_[byte];
    if (byte == '\n' && last_ == '\r') ++returned_feeds_;
    last_ = byte;
  }
  bytes_ += bytes.size();
  const auto kept = bytes.first(std::min(bytes.size(), kKept - beginning_.size()));
  beginning_.insert(beginning_.end(), kept.begin(), kept.end());
}

uint64_t LineSurvey::text_bytes() const {
  uint64_t count = counts_['\t'] + counts_['\n'] + counts_['\r'] + counts_[0x1b];
  for (unsigned value = ' '; value < 0x7f; ++value) count += counts_[value];
  return count;
}

uint64_t LineSurvey::high_bytes() const {
  uint64_t count = 0;
  for (unsigned value = 0x80; value < counts_.size(); ++value) count += counts_[value];
  return count;
}

unsigned LineSurvey::turned_groups() const {
  for (const unsigned group : {4u, 2u, 8u}) {
    std::vector<uint8_t> turned(
        beginning_.begin(), beginning_.end() - static_cast<ptrdiff_t>(beginning_.size() % group));
    for (size_t at = 0; at < turned.size(); at += group)
      std::reverse(turned.begin() + static_cast<ptrdiff_t>(at),
                   turned.begin() + static_cast<ptrdiff_t>(at + group));
    FrameCounter counter;
    FrameScanner scanner(counter);
    scanner.feed(turned);
    scanner.finish();
    if (counter.frames != 0) return group;
  }
  return 0;
}

}  // namespace barefxt::host
