#include "progress.h"

#include <cstdio>

namespace barefxt::capture {
namespace {

constexpr auto kStep = std::chrono::milliseconds(200);

// Makes "11.2 kB" of bytes: returns the unit that is left of three digits or so.
const char* byte_unit(double& amount) {
  constexpr const char* kUnits[] = {"B", "kB", "MB", "GB", "TB"};
  size_t unit = 0;
  while (amount >= 1000 && unit + 1 < sizeof kUnits / sizeof *kUnits) {
    amount /= 1000;
    ++unit;
  }
  return kUnits[unit];
}

}  // namespace

Progress::~Progress() {
  if (shown_) std::fputc('\n', stderr);
}

void Progress::show(const Arrived& arrived) {
  if (!on_terminal_) return;
  const Clock::time_point now = Clock::now();
  if (shown_ && now - shown_at_ < kStep) return;
  if (shown_) {
    const std::chrono::duration<double> seconds = now - shown_at_;
    const double rate = static_cast<double>(arrived.bytes - bytes_then_) / seconds.count();
    // Calm enough to be read.
    bytes_a_second_ += (rate - bytes_a_second_) / 4;
  }
  shown_ = true;
  shown_at_ = now;
  bytes_then_ = arrived.bytes;

  auto bytes = static_cast<double>(arrived.bytes);
  const char* const unit = byte_unit(bytes);
  double rate = bytes_a_second_;
  const char* const rate_unit = byte_unit(rate);
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(now - begin_).count();
  // The last code clears what a longer line left.
  std::fprintf(stderr, "\r%.3g %s, %.3g %s/s, %llu records, %llu lost, %lld:%02lld\x1b[K", bytes,
               unit, rate, rate_unit, static_cast<unsigned long long>(arrived.records),
               static_cast<unsigned long long>(arrived.lost), static_cast<long long>(seconds / 60),
               static_cast<long long>(seconds % 60));
  std::fflush(stderr);
}

}  // namespace barefxt::capture
