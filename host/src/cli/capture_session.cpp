#include "capture_session.h"

#include <algorithm>
#include <array>
#include <poll.h>
#include <random>

namespace barefxt::cli {
namespace {

constexpr int kFollowMilliseconds = 50;

}  // namespace

CaptureSession::CaptureSession(const CaptureOptions& options, line::Line& line,
                               const line::Interrupts& interrupts, host::Rebuild& rebuild,
                               line::RawCopy& raw, const Report& say)
    : options_(options),
      line_(line),
      interrupts_(interrupts),
      rebuild_(rebuild),
      raw_(raw),
      say_(say),
      requester_(requests(options), options.wants_resends, std::random_device()(), say) {
  if (options.seconds > 0) end_ = Clock::now() + duration_of(options.seconds);
}

void CaptureSession::watch(int handle, int milliseconds) {
  watched_ = handle;
  step_milliseconds_ = milliseconds;
  is_watched_ = true;
}

host::Status CaptureSession::run() {
  ask();
  while (!over_) {
    wait();
    if (!over_) read();
    if (!status_.ok()) return status_;
    const host::Arrival& arrival = rebuild_.arrival();
    if (step_) step_({bytes_, arrival.records, arrival.records_lost});
    ask();
    if (options_.dumps != 0 && arrival.ends >= options_.dumps)
      over_ = over_ || requester_.is_over();
    if (end_ && Clock::now() >= *end_) over_ = was_ended_ = true;
  }
  return {};
}

std::optional<CaptureSession::Clock::time_point> CaptureSession::earliest_end() const {
  if (!idle_end_ || (end_ && *end_ < *idle_end_)) return end_;
  return idle_end_;
}

void CaptureSession::wait() {
  const Clock::time_point now = Clock::now();
  std::array<pollfd, 3> waiting = {
      {{interrupts_.handle(), POLLIN, 0}, {line_.handle(), POLLIN, 0}, {watched_, POLLIN, 0}}};
  int milliseconds = step_milliseconds_;
  if (line_.handle() < 0) milliseconds = is_dry_ ? std::min(kFollowMilliseconds, milliseconds) : 0;
  if (const std::optional<Clock::time_point> end = earliest_end()) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(*end - now).count();
    milliseconds = static_cast<int>(std::clamp<int64_t>(left, 0, milliseconds));
  }
  // Interrupted by a signal of another kind it is as if nothing came.
  if (poll(waiting.data(), waiting.size(), milliseconds) > 0 && waiting[0].revents != 0)
    over_ = was_ended_ = true;
  is_readable_ = line_.handle() < 0 || waiting[1].revents != 0;
  // Bytes that came while this process stood still count.
  const bool is_silent = line_.handle() < 0 ? is_dry_ : !is_readable_;
  if (idle_end_ && is_silent && now >= *idle_end_) over_ = was_ended_ = true;
}

void CaptureSession::ask() {
  const std::vector<uint8_t> request = requester_.next(Clock::now(), bytes_, rebuild_.arrival());
  if (!request.empty()) {
    if (const host::Status status = line_.write(request); !status.ok()) {
      say_(status.error().text());
      requester_.give_up();
    }
  }
  // Without what was refused there may be no end to wait for.
  if (is_watched_) return;
  const bool is_done = needs_output_ && options_.output.empty() && requester_.is_over();
  if (requester_.has_failed() || is_done) over_ = true;
}

void CaptureSession::read() {
  if (!is_readable_) return;
  const line::ReadResult result = line_.read(buffer_);
  const std::span<const uint8_t> bytes(buffer_.data(), result.bytes);
  bytes_ += bytes.size();
  if (!bytes.empty() && options_.idle > 0) idle_end_ = Clock::now() + duration_of(options_.idle);
  // If they cannot be written, the capture goes on: a trace comes once.
  const auto stalled = Clock::now() + duration_of(kPatienceSeconds);
  if (const host::Status status =
          raw_.append(bytes, {interrupts_, std::min(end_.value_or(stalled), stalled)});
      !status.ok())
    say_(status.error().text());
  status_ = rebuild_.feed(bytes);
  is_dry_ = bytes.empty();
  if (result.state == line::LineState::kEnded) because_ = "the other side closed the line";
  if (result.state == line::LineState::kBroken) because_ = result.why;
  if (!because_.empty()) over_ = true;
}

}  // namespace barefxt::cli
