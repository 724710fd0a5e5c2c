// A capture from one line, from when it is open until there is a reason to end.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <barefxt/host/rebuild.h>

#include "capture_options.h"
#include "line/interrupts.h"
#include "line/line.h"
#include "line/raw_copy.h"
#include "line/requester.h"

namespace barefxt::cli {

struct Arrived {
  uint64_t bytes = 0;    // over the line, console text included
  uint64_t records = 0;  // in frames that are whole
  uint64_t lost = 0;     // on the target, as far as it has reported
};

class CaptureSession {
 public:
  using Clock = std::chrono::steady_clock;
  using Report = line::Requester::Report;

  CaptureSession(const CaptureOptions& options, line::Line& line,
                 const line::Interrupts& interrupts, host::Rebuild& rebuild, line::RawCopy& raw,
                 const Report& say);

  // Called several times a second, and after each read.
  void on_step(std::function<void(const Arrived&)> step) { step_ = std::move(step); }
  // A step follows within `milliseconds`, and at once where this handle has something to read (-1:
  // none). Without it the capture ends if it has nothing to write, and no request is left.
  void watch(int handle, int milliseconds);

  // Somebody looks at what comes: without an output it goes on when no request is left.
  void go_on_without_output() { needs_output_ = false; }

  // An Error means that writing failed, not reading.
  host::Status run();

  // For steps: ends the capture; sends a request to the target.
  void end() { over_ = true; }
  void ask_for(const line::PendingRequest& request) { requester_.add(request); }

  // The target has carried out all requests.
  bool has_got_all() const { return requester_.is_over() && !requester_.has_failed(); }
  // A signal ended it, --seconds, or --idle.
  bool was_ended() const { return was_ended_; }
  // Why the line ended by itself, for people; empty where it did not.
  const std::string& ended_because() const { return because_; }

 private:
  std::optional<Clock::time_point> earliest_end() const;
  void wait();
  void ask();
  void read();

  const CaptureOptions& options_;
  line::Line& line_;
  const line::Interrupts& interrupts_;
  host::Rebuild& rebuild_;
  line::RawCopy& raw_;
  Report say_;
  line::Requester requester_;
  std::function<void(const Arrived&)> step_;
  int watched_ = -1;
  int step_milliseconds_ = 200;
  bool is_watched_ = false;
  bool needs_output_ = true;
  std::optional<Clock::time_point> end_;       // of --seconds
  std::optional<Clock::time_point> idle_end_;  // unless more comes
  std::vector<uint8_t> buffer_ = std::vector<uint8_t>(size_t{1} << 16);
  uint64_t bytes_ = 0;
  bool is_readable_ = false;
  bool is_dry_ = false;
  bool over_ = false;
  bool was_ended_ = false;
  std::string because_;
  host::Status status_;
};

}  // namespace barefxt::cli
