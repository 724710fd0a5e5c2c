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
#include <random>
#include <string>
#include <unistd.h>
#include <vector>

#include <barefxt/host/output_file.h>
#include <barefxt/host/rebuild.h>

#include "archive_input.h"
#include "capture/interrupts.h"
#include "capture/line.h"
#include "capture/progress.h"
#include "capture/requester.h"
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
  std::vector<wire::RequestKind> ask;
  uint32_t categories = 0;
  wire::Mode mode{};
  bool wants_resends = false;
};

std::vector<capture::Wish> wishes(const CaptureOptions& options) {
  std::vector<capture::Wish> all;
  for (const wire::RequestKind kind : options.ask) {
    const bool is_start = kind == wire::RequestKind::kStart;
    const bool has_categories = is_start || kind == wire::RequestKind::kCategories;
    all.push_back({.kind = kind,
                   .categories = has_categories ? options.categories : 0,
                   .mode = is_start ? static_cast<uint8_t>(options.mode) : uint8_t{0}});
  }
  return all;
}

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
      : options_(options),
        line_(line),
        interrupts_(interrupts),
        rebuild_(rebuild),
        raw_(raw),
        requester_(wishes(options), options.wants_resends, std::random_device()(), say) {
    if (options.seconds > 0)
      end_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                std::chrono::duration<double>(options.seconds));
  }

  // What kept the rest from being written, not from being read.
  host::Outcome run() {
    capture::Progress progress(isatty(STDERR_FILENO) != 0);
    ask();
    while (!over_) {
      wait();
      if (!over_) read();
      if (failure_) return failure_;
      const host::Arrival& arrival = rebuild_.arrival();
      progress.show({bytes_, arrival.records, arrival.records_lost});
      ask();
      if (options_.dumps != 0 && arrival.ends >= options_.dumps) over_ = over_ || has_asked();
      if (end_ && Clock::now() >= *end_) over_ = true;
    }
    return {};
  }

  // Whether the target did all that it was asked for.
  bool has_got_all() const { return requester_.is_over() && !requester_.has_failed(); }

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

  bool has_asked() const { return requester_.is_over(); }

  void ask() {
    const std::vector<uint8_t> request = requester_.next(Clock::now(), bytes_, rebuild_.arrival());
    if (!request.empty()) {
      if (const host::Outcome failure = line_.write(request)) {
        say(failure->text());
        requester_.give_up();
      }
    }
    // Without what was refused there may be no end to wait for.
    if (requester_.has_failed() || (options_.output.empty() && has_asked())) over_ = true;
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
  capture::Requester requester_;
  std::optional<Clock::time_point> end_;
  std::vector<uint8_t> buffer_ = std::vector<uint8_t>(size_t{1} << 16);
  uint64_t bytes_ = 0;
  bool is_readable_ = false;
  bool is_dry_ = false;
  bool over_ = false;
  std::string because_;
  host::Outcome failure_;
};

// Nothing where there is not to be one.
host::Result<std::unique_ptr<host::OutputFile>> create_output(const std::string& path) {
  if (path.empty()) return std::unique_ptr<host::OutputFile>();
  return host::OutputFile::create(path);
}

int write_archive(host::Rebuild& rebuild, host::OutputFile& output, host::ByteOrder order,
                  bool has_trouble) {
  const auto verdict = rebuild.write(output, order);
  if (!verdict) return complain(verdict.error());
  if (verdict.value() == host::RebuildVerdict::kNothing)
    return has_trouble ? int{kUsage} : int{kNothing};
  if (const host::Outcome failure = output.commit()) return complain(*failure);
  if (has_trouble) return kUsage;
  return verdict.value() == host::RebuildVerdict::kComplete ? kDone : kIncomplete;
}

int run_capture(const CaptureOptions& options) {
  if (options.output.empty() && options.ask.empty())
    return complain({"--output is required", {}, "it may be left out where --ask is given"});
  // First what may be wrong with the outputs: a trace comes once.
  auto output = create_output(options.output);
  if (!output) return complain(output.error());
  RawCopy raw;
  if (const host::Outcome failure = raw.create(options.raw)) return complain(*failure);

  host::Rebuild rebuild(say);
  host::Outcome trouble;
  bool has_got_all = false;
  {
    const capture::Interrupts interrupts;
    auto line = open_patiently(options, interrupts);
    if (!line) return complain(line.error());
    const bool asks = !options.ask.empty() || options.wants_resends;
    if (asks && !line.value()->has_way_back())
      return complain({"it has no way back to ask by", line.value()->name(),
                       "ask over --serial, --unix or --tcp"});
    if (asks && options.settings.flow_control == capture::FlowControl::kXonXoff)
      return complain({"flow control would eat bytes of a request", line.value()->name(),
                       "ask with --flow none or rtscts"});
    Session session(options, *line.value(), interrupts, rebuild, raw);
    trouble = session.run();
    has_got_all = session.has_got_all();
    if (!session.ended_because().empty())
      say(line.value()->name() + ": " + session.ended_because());
    if (trouble) say(trouble->text());
    if (const host::Outcome failure = rebuild.end_input(line.value()->name());
        failure && !trouble) {
      trouble = failure;
      say(failure->text());
    }
  }

  const bool has_trouble = trouble.has_value() || raw.has_failed();
  if (!output.value()) {
    if (has_trouble) return kUsage;
    return has_got_all ? kDone : kNothing;
  }
  const auto order = options.byte_order == "big" ? host::ByteOrder::kBig : host::ByteOrder::kLittle;
  const int status = write_archive(rebuild, *output.value(), order, has_trouble);
  return status == kDone && !has_got_all ? int{kIncomplete} : status;
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
  verb->add_option("-o,--output", options->output, "The archive; - is standard output");
  static const std::map<std::string, wire::RequestKind> kRequests = {
      {"hello", wire::RequestKind::kHello}, {"start", wire::RequestKind::kStart},
      {"stop", wire::RequestKind::kStop},   {"snapshot", wire::RequestKind::kSnapshot},
      {"dump", wire::RequestKind::kDump},   {"categories", wire::RequestKind::kCategories}};
  verb->add_option(
          "--ask", options->ask,
          "What to ask of the target, where it listens: hello, start, stop, snapshot, dump "
          "or categories; several in a row, with commas between")
      ->transform(CLI::CheckedTransformer(kRequests))
      ->delimiter(',')
      ->allow_extra_args(false)
      ->option_text("WHAT");
  verb->add_option("--categories", options->categories,
                   "A bit for each category to enable, with --ask start or categories")
      ->option_text("MASK");
  verb->add_flag("--resends", options->wants_resends,
                 "Ask the target for what is lost on the line, as far as it still has it");
  static const std::map<std::string, wire::Mode> kModes = {{"one-shot", wire::Mode::kOneShot},
                                                           {"circular", wire::Mode::kCircular},
                                                           {"streaming", wire::Mode::kStreaming}};
  verb->add_option("--mode", options->mode,
                   "How it is to record, with --ask start: one-shot, circular or streaming")
      ->transform(CLI::CheckedTransformer(kModes))
      ->option_text("MODE");
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
