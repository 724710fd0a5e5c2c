// barefxt capture: a trace while it comes from the target, into one archive.
#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <fcntl.h>
#include <map>
#include <memory>
#include <optional>
#include <poll.h>
#include <string>
#include <unistd.h>
#include <vector>

#include <barefxt/host/output_file.h>
#include <barefxt/host/rebuild.h>

#include "archive_input.h"
#include "capture/interrupts.h"
#include "capture/line.h"
#include "capture/progress.h"
#include "messages.h"
#include "verbs.h"

namespace barefxt::cli {
namespace {

using Clock = std::chrono::steady_clock;

struct CaptureOptions {
  std::string serial;
  std::string unix_socket;
  std::string tcp;
  std::string follow;
  std::string standard_input;
  capture::SerialSettings settings;
  double seconds = 0;
  double wait = 0;
  uint64_t dumps = 1;
  std::string raw;
  std::string output;
  std::string byte_order = "little";
};

// The bytes as they came, beside the archive. Where they cannot be written, the capture goes on: a
// trace comes once.
class RawCopy {
 public:
  ~RawCopy() {
    if (handle_ >= 0) close(handle_);
  }
  [[nodiscard]] host::Outcome create(const std::string& path) {
    if (path.empty()) return {};
    path_ = path;
    handle_ = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (handle_ < 0) return host::system_error("cannot create", errno, path);
    return {};
  }
  // At once, so that they are there whatever happens next.
  void append(std::span<const uint8_t> bytes) {
    while (handle_ >= 0 && !has_failed_ && !bytes.empty()) {
      const ssize_t count = write(handle_, bytes.data(), bytes.size());
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) {
        say(host::system_error("cannot write", errno, path_).text());
        has_failed_ = true;
        return;
      }
      bytes = bytes.subspan(static_cast<size_t>(count));
    }
  }
  bool has_failed() const { return has_failed_; }

 private:
  std::string path_;
  int handle_ = -1;
  bool has_failed_ = false;
};

capture::Opened open_line(const CaptureOptions& options) {
  if (!options.serial.empty()) return capture::open_serial(options.serial, options.settings);
  if (!options.unix_socket.empty()) return capture::open_unix(options.unix_socket);
  if (!options.tcp.empty()) return capture::open_tcp(options.tcp);
  if (!options.follow.empty()) return capture::follow_file(options.follow);
  if (options.standard_input == "-") return capture::open_standard_input();
  return host::Error{"nothing to capture from",
                     {},
                     "give one of --serial, --unix, --tcp, --follow, or - for standard input"};
}

// Whether an interrupt came within so much time.
bool is_interrupted(const capture::Interrupts& interrupts, int milliseconds) {
  pollfd waiting = {interrupts.handle(), POLLIN, 0};
  return poll(&waiting, 1, milliseconds) > 0;
}

// The other side may come up later than we do.
capture::Opened open_patiently(const CaptureOptions& options,
                               const capture::Interrupts& interrupts) {
  const auto end = Clock::now() + std::chrono::duration<double>(options.wait);
  capture::Opened line = open_line(options);
  while (!line && Clock::now() < end && !is_interrupted(interrupts, 100)) line = open_line(options);
  return line;
}

// One line, from when it is open until there is a reason to end.
class Session {
 public:
  Session(const CaptureOptions& options, capture::Line& line, const capture::Interrupts& interrupts,
          host::Rebuild& rebuild, RawCopy& raw)
      : options_(options), line_(line), interrupts_(interrupts), rebuild_(rebuild), raw_(raw) {
    if (options.seconds > 0)
      end_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                std::chrono::duration<double>(options.seconds));
  }

  // What kept the rest from being written, not from being read.
  host::Outcome run() {
    capture::Progress progress(isatty(STDERR_FILENO) != 0);
    while (!over_) {
      wait();
      if (!over_) read();
      if (failure_) return failure_;
      const host::Arrival& arrival = rebuild_.arrival();
      progress.show({bytes_, arrival.records, arrival.records_lost});
      if (options_.dumps != 0 && arrival.ends >= options_.dumps) over_ = true;
      if (end_ && Clock::now() >= *end_) over_ = true;
    }
    return {};
  }

  // Why the line ended by itself, for people; empty where it did not.
  const std::string& ended_because() const { return because_; }

 private:
  // Progress is shown, and the time looked at, so often.
  static constexpr int kStepMilliseconds = 200;
  static constexpr int kFollowMilliseconds = 50;

  void wait() {
    std::array<pollfd, 2> waiting = {
        {{interrupts_.handle(), POLLIN, 0}, {line_.handle(), POLLIN, 0}}};
    int milliseconds = kStepMilliseconds;
    if (line_.handle() < 0) milliseconds = is_dry_ ? kFollowMilliseconds : 0;
    if (end_) {
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(*end_ - Clock::now()).count();
      milliseconds = static_cast<int>(std::clamp<int64_t>(left, 0, milliseconds));
    }
    // Interrupted by a signal of another kind it is as if nothing came.
    if (poll(waiting.data(), waiting.size(), milliseconds) > 0 && waiting[0].revents != 0)
      over_ = true;
    is_readable_ = line_.handle() < 0 || waiting[1].revents != 0;
  }

  void read() {
    if (!is_readable_) return;
    const capture::ReadResult result = line_.read(buffer_);
    const std::span<const uint8_t> bytes(buffer_.data(), result.bytes);
    bytes_ += bytes.size();
    raw_.append(bytes);
    failure_ = rebuild_.feed(bytes);
    is_dry_ = bytes.empty();
    if (result.state == capture::LineState::kEnded) because_ = "the other side closed the line";
    if (result.state == capture::LineState::kBroken) because_ = result.why;
    if (!because_.empty()) over_ = true;
  }

  const CaptureOptions& options_;
  capture::Line& line_;
  const capture::Interrupts& interrupts_;
  host::Rebuild& rebuild_;
  RawCopy& raw_;
  std::optional<Clock::time_point> end_;
  std::vector<uint8_t> buffer_ = std::vector<uint8_t>(size_t{1} << 16);
  uint64_t bytes_ = 0;
  bool is_readable_ = false;
  bool is_dry_ = false;
  bool over_ = false;
  std::string because_;
  host::Outcome failure_;
};

int run_capture(const CaptureOptions& options) {
  // First what may be wrong with the outputs: a trace comes once.
  auto output = host::OutputFile::create(options.output);
  if (!output) return complain(output.error());
  RawCopy raw;
  if (const host::Outcome failure = raw.create(options.raw)) return complain(*failure);

  host::Rebuild rebuild(say);
  host::Outcome trouble;
  {
    const capture::Interrupts interrupts;
    auto line = open_patiently(options, interrupts);
    if (!line) return complain(line.error());
    Session session(options, *line.value(), interrupts, rebuild, raw);
    trouble = session.run();
    if (!session.ended_because().empty())
      say(line.value()->name() + ": " + session.ended_because());
    if (trouble) say(trouble->text());
    if (const host::Outcome failure = rebuild.end_input(line.value()->name());
        failure && !trouble) {
      trouble = failure;
      say(failure->text());
    }
  }

  const auto order = options.byte_order == "big" ? host::ByteOrder::kBig : host::ByteOrder::kLittle;
  const auto verdict = rebuild.write(*output.value(), order);
  if (!verdict) return complain(verdict.error());
  if (verdict.value() == host::RebuildVerdict::kNothing)
    return trouble ? int{kUsage} : int{kNothing};
  if (const host::Outcome failure = output.value()->commit()) return complain(*failure);
  if (trouble || raw.has_failed()) return kUsage;
  return verdict.value() == host::RebuildVerdict::kComplete ? kDone : kIncomplete;
}

}  // namespace

void add_capture(CLI::App& app, int& exit_status) {
  CLI::App* verb =
      app.add_subcommand("capture", "Make one FXT archive of what a target sends, while it comes");
  auto options = std::make_shared<CaptureOptions>();
  CLI::Option_group* from = verb->add_option_group("From");
  from->add_option("--serial", options->serial, "A serial port")->option_text("PATH");
  from->add_option("--unix", options->unix_socket, "A unix socket that somebody listens on")
      ->option_text("PATH");
  from->add_option("--tcp", options->tcp,
                   "A TCP port that somebody listens on, as OpenOCD's RTT server does")
      ->option_text("HOST:PORT");
  from->add_option("--follow", options->follow, "A file that grows")->option_text("FILE");
  from->add_option("IN", options->standard_input, "- for standard input")
      ->check(CLI::IsMember({"-"}))
      ->option_text("-");
  from->require_option(1);
  verb->add_option("--baud", options->settings.baud, "Rate of the serial port")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  static const std::map<std::string, capture::FlowControl> kFlowControls = {
      {"none", capture::FlowControl::kNone},
      {"xonxoff", capture::FlowControl::kXonXoff},
      {"rtscts", capture::FlowControl::kRtsCts}};
  verb->add_option("--flow", options->settings.flow_control,
                   "Flow control of the serial port: none, xonxoff (with the text form only) or "
                   "rtscts")
      ->transform(CLI::CheckedTransformer(kFlowControls))
      ->option_text("KIND");
  verb->add_option("--seconds", options->seconds, "End after so long; 0: not by time")
      ->check(CLI::NonNegativeNumber);
  verb->add_option("--dumps", options->dumps,
                   "End when so many traces have come to their end; 0: go on")
      ->capture_default_str();
  verb->add_option("--wait", options->wait,
                   "Seconds to wait for the other side where it is not there yet")
      ->check(CLI::NonNegativeNumber);
  verb->add_option("--raw", options->raw, "Keep the bytes as they came in this file")
      ->option_text("FILE");
  verb->add_option("-o,--output", options->output, "The archive; - is standard output")->required();
  verb->add_option("--byte-order", options->byte_order, "Byte order of the archive")
      ->check(CLI::IsMember({"little", "big"}))
      ->capture_default_str();
  verb->footer(
      "Ends at the end of a trace, after --seconds, when the line is closed, or by Ctrl-C; what "
      "has\n"
      "come by then is in the archive.");
  verb->callback(
      [options, &exit_status] { exit_status = guarded([&] { return run_capture(*options); }); });
}

}  // namespace barefxt::cli
