// The progress of a capture: one line on a terminal, overwritten again and again. Prints nothing if
// standard error is no terminal.
#pragma once

#include <chrono>
#include <cstdint>

namespace barefxt::capture {

struct Arrived {
  uint64_t bytes = 0;    // over the line, console text included
  uint64_t records = 0;  // in frames that are whole
  uint64_t lost = 0;     // on the target, as far as it has reported
};

class Progress {
 public:
  using Clock = std::chrono::steady_clock;

  explicit Progress(bool on_terminal) : on_terminal_(on_terminal), begin_(Clock::now()) {}
  // Ends the line.
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Several times a second, or more often.
  void show(const Arrived& arrived);

 private:
  bool on_terminal_;
  bool shown_ = false;
  Clock::time_point begin_;
  Clock::time_point shown_at_;
  uint64_t bytes_then_ = 0;
  double bytes_a_second_ = 0;
};

}  // namespace barefxt::capture
