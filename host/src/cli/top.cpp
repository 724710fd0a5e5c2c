// barefxt top: a capture while it arrives, on a terminal or as lines of JSON.
#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

#include <barefxt/host/output_file.h>
#include <barefxt/host/rebuild.h>

#include "capture_options.h"
#include "capture_session.h"
#include "itm_form.h"
#include "known_names.h"
#include "line/patient_output.h"
#include "messages.h"
#include "top/batch.h"
#include "top/frame_maker.h"
#include "top/live_trace.h"
#include "top/screen.h"
#include "verbs.h"

namespace barefxt::cli {
namespace {

using Clock = std::chrono::steady_clock;

struct TopOptions {
  CaptureOptions capture;
  bool is_batch = false;
  double interval = 1;
};

// Messages on standard error; while there is a screen, they wait, and the last one is shown there.
class Messages {
 public:
  void on(const std::string& line) {
    if (view_ == nullptr) return say(line);
    view_->message = line;
    constexpr size_t kMax = 100;
    if (waiting_.size() < kMax) waiting_.push_back(line);
  }
  void show_in(top::View* view) {
    view_ = view;
    if (view != nullptr) return;
    for (const std::string& line : std::exchange(waiting_, {})) say(line);
  }

 private:
  top::View* view_ = nullptr;
  std::vector<std::string> waiting_;
};

host::Status save(const host::Statistics& figures, std::string& name) {
  constexpr unsigned kMax = 10'000;
  for (unsigned number = 1; number < kMax; ++number) {
    name = host::formatted("top-{}.json", number);
    if (!std::filesystem::exists(name)) break;
  }
  host::StringOutput text;
  host::print_statistics_json(text, figures);
  return host::write_file(name, text.take());
}

line::PendingRequest request_of(const top::Asked& asked, const CaptureOptions& options) {
  switch (asked.what) {
    case top::AskFor::kStart:
      return {.kind = wire::RequestKind::kStart,
              .categories = options.categories,
              .mode = static_cast<uint8_t>(options.mode)};
    case top::AskFor::kStop:
      return {.kind = wire::RequestKind::kStop};
    case top::AskFor::kSnapshot:
      return {.kind = wire::RequestKind::kSnapshot};
    case top::AskFor::kDump:
      return {.kind = wire::RequestKind::kDump};
    case top::AskFor::kCategories:
      break;
  }
  return {.kind = wire::RequestKind::kCategories, .categories = asked.categories};
}

std::string line_of(const top::Frame& frame, const host::Statistics* figures) {
  host::StringOutput line;
  top::print_batch_line(line, frame, figures);
  return line.take();
}

// Looks at the capture several times a second, on a screen or for a script.
class Watcher {
 public:
  Watcher(const TopOptions& options, top::LiveTrace& trace, top::Screen* screen, top::View& view)
      : options_(options), trace_(trace), screen_(screen), view_(view) {}

  void begin(CaptureSession& session, const line::Line& line) {
    session_ = &session;
    line_ = line.name();
    view_.can_ask = line.has_way_back();
    begun_ = rated_ = arrived_at_ = Clock::now();
    constexpr int kStepMilliseconds = 100;
    session.watch(screen_ == nullptr ? -1 : screen_->handle(), kStepMilliseconds);
    session.on_step([this](const Arrived& arrived) { step(arrived); });
  }

  // After the session: what ends it, and the figures to show last.
  void end(const std::string& because) {
    ended_ = because;
    trace_.finish();
  }
  top::Frame last_frame(const host::Statistics* figures) {
    top::Frame frame = make(figures);
    frame.is_final = true;
    return frame;
  }
  line::PatientOutput& out() { return out_; }

 private:
  // With the time between two steps, a frame is 250 ms old at most.
  static constexpr auto kShowEvery = std::chrono::milliseconds(150);
  static constexpr uint64_t kMergeBytes = uint64_t{1} << 20;

  void step(const Arrived& arrived) {
    const Clock::time_point now = Clock::now();
    if (arrived.bytes != arrived_.bytes) arrived_at_ = now;
    const bool is_much = arrived.bytes - merged_bytes_ >= kMergeBytes;
    arrived_ = arrived;
    const bool has_keys = screen_ != nullptr && take_keys();
    const bool is_due = !shown_ || now - *shown_ >= interval();
    if (is_due || is_much) {
      merged_bytes_ = arrived.bytes;
      trace_.advance(now - arrived_at_ >= std::chrono::seconds(1));
    }
    if (is_due || has_keys) look(is_due);
  }

  Clock::duration interval() const {
    return screen_ != nullptr ? Clock::duration(kShowEvery) : duration_of(options_.interval);
  }

  void look(bool is_due) {
    if (is_due) shown_ = Clock::now();
    const bool is_new = is_due && (screen_ == nullptr || !view_.is_frozen || !has_frame_);
    if (is_new) {
      figures_ = trace_.figures();
      frame_ = make(figures_ ? &*figures_ : nullptr);
      has_frame_ = true;
    }
    if (screen_ != nullptr) {
      screen_->show(top::lay_out(frame_, view_, screen_->size(), screen_->glyphs()));
    } else {
      print();
    }
  }

  // Unless the reader is still at the line before.
  void print() {
    if (out_.has_room()) {
      out_.write(line_of(frame_, figures_ ? &*figures_ : nullptr));
    } else {
      ++skipped_;
    }
    if (out_.has_failed()) session_->end();
  }

  bool take_keys() {
    bool has_any = false;
    while (const std::optional<int> key = screen_->next_key()) {
      has_any = true;
      const top::Effect effect = top::on_key(view_, frame_, *key);
      if (effect.quits) session_->end();
      if (effect.saves) save_figures();
      if (effect.explains) explain();
      if (effect.asks) session_->ask_for(request_of(*effect.asks, options_.capture));
    }
    const top::Size size = screen_->size();
    const bool is_resized = size.columns != size_.columns || size.rows != size_.rows;
    size_ = size;
    return has_any || is_resized;
  }

  void save_figures() {
    std::string name;
    if (!figures_) {
      view_.message = "there are no figures yet";
    } else if (const host::Status status = save(*figures_, name); !status.ok()) {
      view_.message = status.error().text();
    } else {
      view_.message = "saved as " + name;
    }
  }

  void explain() {
    for (const top::ThreadRow& row : frame_.threads) {
      if (view_.selected != row.koid || !row.worst_latency) continue;
      auto text = trace_.explain(row.koid, row.worst_at, *row.worst_latency);
      view_.explanation = text.ok() ? text.value() : "";
      view_.message = text.ok() ? "" : text.error().text();
    }
  }

  top::Frame make(const host::Statistics* figures) {
    const Clock::time_point now = Clock::now();
    const auto since = [&](Clock::time_point then) {
      return std::chrono::duration<double>(now - then).count();
    };
    constexpr double kRateSeconds = 0.9;
    if (since(rated_) >= kRateSeconds) {
      rate_ = static_cast<double>(arrived_.bytes - rated_bytes_) / since(rated_);
      rated_ = now;
      rated_bytes_ = arrived_.bytes;
    }
    if (captures_ != trace_.captures()) maker_.forget();
    captures_ = trace_.captures();
    top::Frame frame = maker_.make(figures, trace_.state(),
                                   {.name = line_,
                                    .bytes = arrived_.bytes,
                                    .bytes_per_second = rate_,
                                    .records = arrived_.records,
                                    .lost = arrived_.lost,
                                    .seconds = since(begun_),
                                    .silent = since(arrived_at_),
                                    .ended = ended_},
                                   trace_.target());
    frame.skipped = skipped_;
    return frame;
  }

  const TopOptions& options_;
  top::LiveTrace& trace_;
  top::Screen* screen_;  // null of a batch
  top::View& view_;
  CaptureSession* session_ = nullptr;
  line::PatientOutput out_{STDOUT_FILENO};
  uint64_t skipped_ = 0;
  top::FrameMaker maker_;
  top::Frame frame_;
  bool has_frame_ = false;
  std::optional<host::Statistics> figures_;  // of the frame
  std::string line_;
  std::string ended_;
  Arrived arrived_;
  uint64_t merged_bytes_ = 0;
  uint64_t rated_bytes_ = 0;
  double rate_ = 0;
  uint64_t captures_ = 0;
  top::Size size_;
  Clock::time_point begun_;
  Clock::time_point rated_;
  Clock::time_point arrived_at_;
  std::optional<Clock::time_point> shown_;
};

// The last frame as plain lines, without blank ones at the end.
std::string text_of(const top::Frame& frame, top::View view, top::Size size, top::Glyphs glyphs) {
  view.message.clear();
  view.is_frozen = view.shows_help = false;
  view.explanation.clear();
  view.typing = top::Typing::kNothing;
  std::vector<top::Line> lines = top::lay_out(frame, view, size, glyphs);
  lines.pop_back();  // the keys
  while (!lines.empty() && lines.back().text.find_first_not_of(' ') == std::string::npos)
    lines.pop_back();
  std::string text;
  for (const top::Line& line : lines)
    text += line.text.substr(0, line.text.find_last_not_of(' ') + 1) + "\n";
  return text;
}

// Gives up a reader that takes no bytes at another interrupt, and soon if the capture was ended by
// one or by --seconds.
host::Status print_last(line::PatientOutput& out, const std::string& text,
                        std::optional<line::Interrupts>& interrupts, bool was_ended) {
  constexpr auto kPatience = std::chrono::seconds(2);
  if (!interrupts) interrupts.emplace();
  interrupts->take();
  return out.finish(text,
                    {*interrupts, was_ended ? Clock::now() + kPatience : Clock::time_point::max()});
}

// The figures of the archive that was written; nothing if it cannot be read.
std::optional<host::Statistics> figures_of(const std::string& path, host::ByteOrder order) {
  auto source = host::Source::open(path);
  if (!source.ok()) return {};
  auto figures = host::collect_statistics(source.value(), {.byte_order = order});
  if (!figures.ok()) return {};
  return std::move(figures.value());
}

int run_top(const TopOptions& options) {
  const CaptureOptions& capture = options.capture;
  if (const host::Status status = check_files(capture); !status.ok())
    return complain(status.error());
  top::View view;
  Messages messages;
  const auto report = [&](const std::string& line) { messages.on(line); };
  host::Rebuild rebuild(report);
  if (capture.itm) rebuild.read_itm(*capture.itm);
  if (const host::Status status = name_interrupts(rebuild, capture.interrupts); !status.ok())
    return complain(status.error());
  if (const host::Status status = name_by_program(rebuild, capture.program); !status.ok())
    return complain(status.error());
  std::optional<line::Interrupts> interrupts(std::in_place);
  std::unique_ptr<host::OutputFile> output;
  if (!capture.output.empty()) {
    auto created = host::OutputFile::create(capture.output);
    if (!created.ok()) return complain(created.error());
    output = std::move(created.value());
    if (output->is_standard_output())
      return complain(
          host::Error{"standard output is taken by the view", {}, "name a file with -o"});
  }
  line::RawCopy raw;
  if (const host::Status status = raw.create(capture.raw, patience_of(capture, *interrupts));
      !status.ok())
    return complain(status.error());
  top::LiveTrace trace(rebuild, output != nullptr);

  host::Status trouble;
  bool has_got_all = true;
  bool was_ended = false;
  top::Size size;
  top::Glyphs glyphs = top::Glyphs::kAscii;
  std::optional<Watcher> watcher;
  {
    auto line = open_patiently(capture, *interrupts);
    if (!line.ok()) return complain(line.error());
    if (const host::Status status = check_way_back(capture, *line.value()); !status.ok())
      return complain(status.error());
    std::unique_ptr<top::Screen> screen;
    if (!options.is_batch) {
      auto opened = top::open_screen();
      if (!opened.ok()) return complain(opened.error());
      screen = std::move(opened.value());
      trace.keep_recent();
      messages.show_in(&view);
    }
    watcher.emplace(options, trace, screen.get(), view);
    CaptureSession session(capture, *line.value(), *interrupts, rebuild, raw, report);
    watcher->begin(session, *line.value());
    trouble = session.run();
    was_ended = session.was_ended();
    has_got_all = capture.ask.empty() || session.has_got_all();
    if (screen != nullptr) {
      size = screen->size();
      glyphs = screen->glyphs();
      screen.reset();
      messages.show_in(nullptr);
    }
    if (!session.ended_because().empty())
      say(line.value()->name() + ": " + session.ended_because());
    watcher->end(session.ended_because());
    if (!trouble.ok()) say(trouble.error().text());
    if (const host::Status status = rebuild.end_input(line.value()->name());
        !status.ok() && trouble.ok()) {
      trouble = status;
      say(status.error().text());
    }
  }
  if (const host::Status status = raw.finish(); !status.ok()) say(status.error().text());

  const bool has_trouble = !trouble.ok() || raw.has_failed();
  std::optional<host::Statistics> figures = trace.figures();
  int status = has_trouble ? int{kUsage} : figures ? int{kDone} : int{kNothing};
  if (output != nullptr) {
    status = write_archive(rebuild, *output, capture, raw, has_trouble, interrupts);
    // The archive has all that only the whole capture shows: records that came late or again. A
    // pipe cannot be read again.
    if ((status == kDone || status == kIncomplete) && output->is_renamed())
      figures = figures_of(capture.output, capture.byte_order);
  }
  if (status == kDone && !has_got_all) status = kIncomplete;
  const host::Statistics* const last = figures ? &*figures : nullptr;
  const top::Frame frame = watcher->last_frame(last);
  const std::string text =
      options.is_batch ? line_of(frame, last) : text_of(frame, view, size, glyphs);
  if (const host::Status printed = print_last(watcher->out(), text, interrupts, was_ended);
      !printed.ok())
    status = complain(printed.error());
  line::Interrupts::ignore_later_ones();
  return status;
}

}  // namespace

void add_top(CommandLine& command) {
  const Verb verb =
      command.add_verb("top", "Show a capture live: CPUs, threads, interrupts, locks");
  auto options = std::make_shared<TopOptions>();
  add_capture_options(verb, &options->capture);
  verb.option("-o,--output", options->capture.output, "Also write the archive, to this file")
      .placeholder("OUT");
  verb.flag("--batch", options->is_batch, "Print a line of JSON at each interval, and at the end");
  verb.option("--interval", options->interval, "Seconds between two lines of --batch")
      .placeholder("SECONDS")
      .positive()
      .shows_default();
  verb.footer(
      "Ends as `capture` does, or by the key q, and prints the last figures. With -o it writes the "
      "archive as well; the last figures are then those of `stats`. The key h lists the keys.\n\n"
      "Examples:\n"
      "  barefxt top --serial /dev/ttyUSB0 --baud 921600 -o trace.fxt\n"
      "  barefxt top --tcp localhost:9090 --batch --interval 5");
  verb.run([options] { return run_top(*options); });
}

}  // namespace barefxt::cli
