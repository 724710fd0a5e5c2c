// barefxt capture: a trace while it comes from the target, into one archive.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <unistd.h>
#include <vector>

#include <barefxt/host/output_file.h>
#include <barefxt/host/rebuild.h>

#include "archive_input.h"
#include "capture_check.h"
#include "capture_options.h"
#include "capture_session.h"
#include "itm_form.h"
#include "known_names.h"
#include "line/raw_copy.h"
#include "messages.h"
#include "progress.h"
#include "same_file.h"
#include "verbs.h"

namespace barefxt::cli {
namespace {

using Clock = std::chrono::steady_clock;

}  // namespace

std::vector<line::PendingRequest> requests(const CaptureOptions& options) {
  std::vector<line::PendingRequest> all;
  for (const wire::RequestKind kind : options.ask) {
    const bool is_start = kind == wire::RequestKind::kStart;
    const bool has_categories = is_start || kind == wire::RequestKind::kCategories;
    all.push_back({.kind = kind,
                   .categories = has_categories ? options.categories : 0,
                   .mode = is_start ? static_cast<uint8_t>(options.mode) : uint8_t{0}});
  }
  return all;
}

namespace {

line::Opened open_line(const CaptureOptions& options, const line::Patience& patience) {
  if (!options.serial.empty()) return line::open_serial(options.serial, options.settings);
  if (!options.unix_socket.empty()) return line::open_unix(options.unix_socket, patience);
  if (!options.tcp.empty())
    return line::open_tcp(
        options.tcp, options.rtt_channel < 0 ? std::nullopt : std::optional(options.rtt_channel),
        patience);
  if (!options.listen.empty()) return line::open_listening(options.listen, patience);
  if (!options.udp.empty()) return line::open_udp(options.udp, patience);
  if (!options.follow.empty()) return line::follow_file(options.follow);
  if (options.standard_input == "-") return line::open_standard_input();
  return host::Error{"nothing to capture from",
                     {},
                     "give one of --serial, --unix, --tcp, --listen, --udp, --follow, or - for "
                     "standard input"};
}

}  // namespace

Clock::duration duration_of(double seconds) {
  constexpr double kMaxSeconds = 1e9;  // more would overflow the clock
  return std::chrono::duration_cast<Clock::duration>(
      std::chrono::duration<double>(std::min(seconds, kMaxSeconds)));
}

// A side that accepts and does not answer gets --seconds more, or kPatienceSeconds.
line::Patience patience_of(const CaptureOptions& options, const line::Interrupts& interrupts) {
  const double more = options.seconds > 0 ? options.seconds : kPatienceSeconds;
  return {interrupts, Clock::now() + duration_of(options.wait) + duration_of(more)};
}

line::Opened open_patiently(const CaptureOptions& options, const line::Interrupts& interrupts) {
  constexpr int kTryEvery = 100;  // milliseconds
  const line::Patience patience = patience_of(options, interrupts);
  const Clock::time_point end = Clock::now() + duration_of(options.wait);
  line::Opened line = open_line(options, patience);
  while (!line.ok() && Clock::now() < end && !interrupts.came_within(kTryEvery))
    line = open_line(options, patience);
  return line;
}

namespace {

// Nothing where there is not to be one.
host::Result<std::unique_ptr<host::OutputFile>> create_output(const std::string& path) {
  if (path.empty()) return std::unique_ptr<host::OutputFile>();
  return host::OutputFile::create(path);
}

// Nothing came over a line that has one of several channels.
void hint_at_channel(const CaptureOptions& options) {
  constexpr std::string_view kOfJLink = ":19021";
  if (options.rtt_channel >= 0 || options.tcp.ends_with(kOfJLink))
    say(host::formatted("{}: was read for RTT channel {}; --rtt-channel reads another one",
                        options.tcp, std::max(options.rtt_channel, 0)));
}

}  // namespace

int write_archive(host::Rebuild& rebuild, host::OutputFile& output, const CaptureOptions& options,
                  const line::RawCopy& raw, bool has_trouble,
                  std::optional<line::Interrupts>& interrupts) {
  // Another Ctrl-C would lose the capture, so it waits, unless --raw keeps the bytes, or the output
  // is a pipe that may wait for its reader forever.
  const bool is_kept = raw.is_wanted() && !raw.has_failed();
  if (is_kept || !output.is_renamed()) interrupts.reset();
  const auto verdict = rebuild.write(output, options.byte_order);
  if (!verdict.ok()) return complain(verdict.error());
  if (verdict.value() == host::RebuildVerdict::kNothing) {
    hint_at_channel(options);
    return has_trouble ? int{kUsage} : int{kNothing};
  }
  if (const host::Status status = output.commit(); !status.ok()) return complain(status.error());
  if (has_trouble) return kUsage;
  return verdict.value() == host::RebuildVerdict::kComplete ? kDone : kIncomplete;
}

host::Status check_files(const CaptureOptions& options) {
  const std::string inputs[] = {options.follow, options.standard_input, options.program,
                                options.interrupts};
  const std::string outputs[] = {options.output, options.raw};
  return check_named_once(inputs, outputs);
}

host::Status check_way_back(const CaptureOptions& options, const line::Line& line) {
  if (options.ask.empty() && !options.wants_resends) return {};
  if (!line.has_way_back())
    return host::Error{"it has no way back for requests", line.name(),
                       "ask over --serial, --unix, --tcp, --listen or --udp"};
  if (options.settings.flow_control == line::FlowControl::kXonXoff)
    return host::Error{"flow control would eat bytes of a request", line.name(),
                       "ask with --flow none or rtscts"};
  return {};
}

namespace {

host::Status check_files(const CaptureOptions& options, const CaptureCheckOptions& judging) {
  if (const host::Status status = cli::check_files(options); !status.ok()) return status;
  const std::string inputs[] = {options.follow, options.standard_input, options.program,
                                options.interrupts, judging.rules};
  const std::string outputs[] = {options.output, options.raw, judging.junit};
  return check_named_once(inputs, outputs);
}

int run_capture(const CaptureOptions& options, const CaptureCheckOptions& judging) {
  if (options.output.empty() && options.ask.empty() && !judging.is_wanted())
    return complain(
        host::Error{"--output is required", {}, "it is optional with --ask and --check"});
  if (const host::Status status = check_files(options, judging); !status.ok())
    return complain(status.error());
  host::Rebuild rebuild(say);
  if (options.itm) rebuild.read_itm(*options.itm);
  if (const host::Status status = name_interrupts(rebuild, options.interrupts); !status.ok())
    return complain(status.error());
  if (const host::Status status = name_by_program(rebuild, options.program); !status.ok())
    return complain(status.error());
  CaptureCheck check(judging);
  if (const host::Status status = check.begin(rebuild); !status.ok())
    return complain(status.error());
  std::optional<line::Interrupts> interrupts(std::in_place);
  // Outputs first, since a trace comes once. Older files stay untouched so far.
  auto output = create_output(options.output);
  if (!output.ok()) return complain(output.error());
  if (judging.is_wanted() && output.value() && !output.value()->is_renamed())
    return complain(host::Error{"rules are judged on the archive, which cannot be read again there",
                                options.output, "name a file, or leave out -o"});
  line::RawCopy raw;
  if (const host::Status status = raw.create(options.raw, patience_of(options, *interrupts));
      !status.ok())
    return complain(status.error());

  host::Status taken;
  bool has_got_all = false;
  {
    auto line = open_patiently(options, *interrupts);
    if (!line.ok()) return complain(line.error());
    if (const host::Status status = check_way_back(options, *line.value()); !status.ok())
      return complain(status.error());
    Progress progress(Progress::From::kStart);
    CaptureSession session(options, *line.value(), *interrupts, rebuild, raw, say);
    session.on_step([&](const Arrived& arrived) {
      progress.show("", arrived.bytes, 0,
                    host::formatted(", {} records, {} lost", arrived.records, arrived.lost));
      if (check.has_ended(line.value()->name())) session.end();
    });
    if (judging.is_wanted()) session.go_on_without_output();
    taken = session.run();
    progress.keep();
    has_got_all = session.has_got_all();
    if (!session.ended_because().empty())
      say(line.value()->name() + ": " + session.ended_because());
    if (!taken.ok()) say(taken.error().text());
    if (const host::Status status = rebuild.end_input(line.value()->name());
        !status.ok() && taken.ok()) {
      taken = status;
      say(status.error().text());
    }
  }
  if (const host::Status status = raw.finish(); !status.ok()) say(status.error().text());

  const bool has_trouble = !taken.ok() || raw.has_failed();
  if (!output.value()) {
    if (has_trouble) return kUsage;
    interrupts.reset();
    return check.judge(options, rebuild, has_got_all ? kDone : kNothing);
  }
  const int status = write_archive(rebuild, *output.value(), options, raw, has_trouble, interrupts);
  if (!judging.is_wanted()) line::Interrupts::ignore_later_ones();
  return check.judge(options, rebuild, status == kDone && !has_got_all ? int{kIncomplete} : status);
}

// In the order of the alphabet, in which they are listed.
constexpr Choice<line::FlowControl> kFlowControls[] = {{"none", line::FlowControl::kNone},
                                                       {"rtscts", line::FlowControl::kRtsCts},
                                                       {"xonxoff", line::FlowControl::kXonXoff}};
constexpr Choice<wire::RequestKind> kRequests[] = {
    {"categories", wire::RequestKind::kCategories}, {"dump", wire::RequestKind::kDump},
    {"hello", wire::RequestKind::kHello},           {"snapshot", wire::RequestKind::kSnapshot},
    {"start", wire::RequestKind::kStart},           {"stop", wire::RequestKind::kStop}};
constexpr Choice<wire::Mode> kModes[] = {{"circular", wire::Mode::kCircular},
                                         {"one-shot", wire::Mode::kOneShot},
                                         {"streaming", wire::Mode::kStreaming}};

}  // namespace

OptionSet add_capture_options(const Verb& verb, CaptureOptions* options) {
  const OptionSet from = verb.exactly_one("From");
  from.option("--serial", options->serial, "A serial port").placeholder("PATH");
  from.option("--unix", options->unix_socket, "A unix socket that another program listens on")
      .placeholder("PATH");
  const Option tcp =
      from.option("--tcp", options->tcp,
                  "A TCP port that another program listens on, as RTT servers of OpenOCD and "
                  "J-Link do")
          .placeholder("HOST:PORT");
  from.option("--listen", options->listen,
              "A TCP port of this machine, or ADDRESS:PORT, that another program connects to, as "
              "cargo-embed does for an RTT channel")
      .placeholder("PORT");
  from.option("--udp", options->udp,
              "A port of this machine, or ADDRESS:PORT, that datagrams come to")
      .placeholder("PORT");
  from.option("--follow", options->follow, "A file that grows").placeholder("FILE");
  from.option("IN", options->standard_input, "- for standard input").one_of({"-"}).placeholder("-");
  verb.option("--baud", options->settings.baud, "Bits per second of the serial port")
      .placeholder("N")
      .positive()
      .shows_default();
  verb.choice("--flow", options->settings.flow_control, kFlowControls,
              "Flow control of the serial port; xonxoff with the text form only")
      .placeholder("none|rtscts|xonxoff")
      .shows_default();
  verb.option("--rtt-channel", options->rtt_channel,
              "The other side is a J-Link's RTT server, port 19021: read this channel")
      .placeholder("N")
      .not_negative()
      .needs(tcp);
  verb.option("--seconds", options->seconds, "End after this time; 0: no limit")
      .placeholder("SECONDS")
      .shows_default()
      .not_negative();
  verb.option("--idle", options->idle,
              "End when nothing has come for this time, once anything has; 0: no limit")
      .placeholder("SECONDS")
      .shows_default()
      .not_negative();
  verb.option("--dumps", options->dumps, "End after this many complete traces; 0: no limit")
      .placeholder("N")
      .shows_default();
  verb.option("--wait", options->wait, "Retry connecting for this time")
      .placeholder("SECONDS")
      .shows_default()
      .not_negative();
  verb.option("--raw", options->raw, "Also write the received bytes, unchanged, to this file")
      .placeholder("FILE");
  verb.option("--elf", options->program,
              "The program that runs, for names of functions and interrupts")
      .placeholder("FILE");
  add_interrupts(verb, options->interrupts);
  add_itm(verb, options->itm);
  verb.choice("--ask", options->ask, kRequests,
              "Requests to a target that listens, in order: hello, start, stop, snapshot, dump, "
              "categories")
      .separated_by(',')
      .one_each_time()
      .placeholder("REQUEST,...");
  verb.option("--categories", options->categories,
              "A bit for each category to enable, with --ask start or categories")
      .placeholder("MASK");
  verb.flag("--resends", options->wants_resends,
            "Ask the target to send records again that were lost on the line");
  verb.choice("--mode", options->mode, kModes, "Recording mode, with --ask start")
      .placeholder("circular|one-shot|streaming");
  add_output_byte_order(verb, options->byte_order);
  return from;
}

void add_capture(CommandLine& command) {
  const Verb verb =
      command.add_verb("capture", "Capture a trace live from a target into one FXT archive");
  auto options = std::make_shared<CaptureOptions>();
  struct Listing {
    bool is_wanted = false;
    bool json = false;
  };
  auto listing = std::make_shared<Listing>();
  const OptionSet from = add_capture_options(verb, options.get());
  verb.option("-o,--output", options->output, "The archive; - is standard output")
      .placeholder("OUT");
  auto judging = std::make_shared<CaptureCheckOptions>();
  judging->add_to(verb);
  const Option list = from.flag("--list", listing->is_wanted,
                                "No capture: print the serial ports with their USB ids");
  verb.flag("--json", listing->json, "With --list: one JSON object a line, for programs")
      .needs(list);
  verb.footer(
      "Ends at the end of a trace, after --seconds or --idle, when the line is closed, or by "
      "Ctrl-C. The "
      "archive has everything received by then. With --check it also ends at the first violation "
      "that is certain, and the verdicts are those of `barefxt check` on the archive; status 1 if "
      "a rule is violated or unknown.\n\nExamples:\n"
      "  barefxt capture --list\n"
      "  barefxt capture --serial /dev/ttyUSB0 --baud 921600 -o trace.fxt\n"
      "  barefxt capture --tcp localhost:9090 --wait 10 --dumps 0 -o trace.fxt\n"
      "  barefxt capture --tcp localhost:19021 --rtt-channel 1 -o trace.fxt\n"
      "  barefxt capture --udp 9000 --idle 5 -o trace.fxt\n"
      "  barefxt capture --unix /tmp/uart --check rules.txt --seconds 60 -o trace.fxt");
  verb.run([options, judging, listing] {
    return listing->is_wanted ? list_serial_ports(listing->json) : run_capture(*options, *judging);
  });
}

}  // namespace barefxt::cli
