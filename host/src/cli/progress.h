// How far a long work is: one line on the terminal that is standard error, overwritten again and
// again. Elsewhere, and with --quiet, nothing is shown.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include <barefxt/host/output_file.h>

namespace barefxt::cli {

class Progress {
 public:
  using Clock = std::chrono::steady_clock;
  enum class From : uint8_t { kStart, kSecond };

  // kSecond: only what takes longer than a second is shown.
  explicit Progress(From from);

  // Bytes so far; of `total`, with the time left, unless it is 0. Another `what`, or fewer bytes
  // than before, is another work. Several times a second, or more often.
  void show(const std::string& what, uint64_t bytes, uint64_t total, const std::string& more = {});
  // Leaves the last line on the terminal.
  void keep();
  // Shows nothing from here on.
  void end() { is_shown_ = false; }

 private:
  void begin(const std::string& what, uint64_t bytes, Clock::time_point now);

  bool is_shown_;
  Clock::duration patience_;
  std::string what_;
  Clock::time_point begin_;
  Clock::time_point next_;
  Clock::time_point then_;
  uint64_t bytes_begin_ = 0;
  uint64_t bytes_then_ = 0;
  double bytes_a_second_ = 0;
  bool has_line_ = false;
};

// Shows how far Sources are read. Call it once, at the start.
void show_reading();
// For a verb that prints while it reads: on a terminal its lines are what is shown.
void print_while_reading();

// For a process whose parent shows how far all is.
void show_no_reading();

// Counts what is written through it.
class ProgressSink final : public host::ByteSink {
 public:
  ProgressSink(host::ByteSink& to, std::string what) : to_(to), what_(std::move(what)) {}
  host::Status write(std::span<const uint8_t> bytes) override;

 private:
  host::ByteSink& to_;
  std::string what_;
  uint64_t bytes_ = 0;
};

}  // namespace barefxt::cli
