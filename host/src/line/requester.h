// Sends the user's requests to the target one after another, over a line with a way back
// (wire/request.h). Each is repeated until it is answered or times out.
//
// Invariant: one request is on the way at a time. A repetition has the number of the first, so the
// target carries out each request once, however many requests or answers are lost.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <barefxt/host/capture_index.h>
#include <barefxt/wire/request.h>

namespace barefxt::line {

struct PendingRequest {
  wire::RequestKind kind{};
  uint32_t categories = 0;
  uint8_t mode = 0;
  uint32_t capture = wire::kAnyCapture;
  host::Gap gap = {};  // of a resend
};

class Requester {
 public:
  using Clock = std::chrono::steady_clock;
  using Report = std::function<void(const std::string&)>;

  // `first_number` is not likely to have been used with this target lately.
  // `wants_resends`: what is lost on the line is asked for as well, when nothing else is.
  Requester(std::vector<PendingRequest> requests, bool wants_resends, uint32_t first_number,
            Report say);

  // Returns the bytes to write to the line now, mostly none. `bytes`: received so far.
  std::vector<uint8_t> next(Clock::time_point now, uint64_t bytes, const host::Arrival& arrival);
  // One more, behind those that are left. Earlier refusals do not count any more.
  void add(const PendingRequest& request);
  // The line takes nothing.
  void give_up() { has_failed_ = true; }

  bool is_over() const { return has_failed_ || !request_; }
  // Something was refused, or not answered; what follows it was not asked.
  bool has_failed() const { return has_failed_; }

 private:
  static constexpr std::chrono::seconds kRepeatAfter{1};
  static constexpr std::chrono::seconds kPatience{10};
  // Per gap. On a line that loses every fifth frame, this gives up one gap in 150 billion.
  static constexpr unsigned kMaxResends = 16;

  // Moves on to the next request or resend, if there is one.
  void start_request(const host::Arrival& arrival);
  void judge(const PendingRequest& request, const host::Answer& answer,
             const host::Arrival& arrival);
  void judge_resend(const host::Gap& asked, const host::Answer& answer,
                    const host::Arrival& arrival);
  void end_request();

  std::vector<PendingRequest> requests_;
  size_t at_ = 0;  // the next of them
  std::optional<PendingRequest> request_;
  bool wants_resends_;
  uint32_t capture_ = 0;         // that the next belong to
  std::vector<host::Gap> lost_;  // that will not be filled
  host::Gap last_gap_;           // that was asked for
  unsigned resends_ = 0;         // of it
  uint32_t number_;
  Report report_;
  bool is_asked_ = false;  // the current request
  Clock::time_point sent_at_;
  Clock::time_point patient_since_;
  uint64_t bytes_then_ = 0;
  bool has_failed_ = false;
};

// As on the line.
std::vector<uint8_t> request_bytes(const PendingRequest& request, uint32_t number);

}  // namespace barefxt::line
