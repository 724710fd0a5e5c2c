#include "progress.h"

#include <array>
#include <cstdio>
#include <unistd.h>

#include <barefxt/host/safe_text.h>
#include <barefxt/host/source.h>

#include "messages.h"
#include "terminal.h"

namespace barefxt::cli {
namespace {

constexpr auto kStep = std::chrono::milliseconds(200);

double seconds_in(Progress::Clock::duration time) {
  return std::chrono::duration<double>(time).count();
}

// "11.2 kB": three digits or so.
std::string amount(double bytes) {
  constexpr std::array kUnits = {"B", "kB", "MB", "GB", "TB"};
  size_t unit = 0;
  while (bytes >= 1000 && unit + 1 < kUnits.size()) {
    bytes /= 1000;
    ++unit;
  }
  return host::formatted("{:.3g} {}", bytes, kUnits[unit]);
}

// "2:05"
std::string clock_time(double seconds) {
  const auto all = static_cast<uint64_t>(seconds);
  return host::formatted("{}:{:02}", all / 60, all % 60);
}

Progress& reading() {
  static Progress progress(Progress::From::kSecond);
  return progress;
}

}  // namespace

Progress::Progress(From from)
    : is_shown_(::isatty(STDERR_FILENO) != 0),
      patience_(from == From::kSecond ? std::chrono::seconds(1) : std::chrono::seconds(0)),
      begin_(Clock::now()),
      next_(begin_ + patience_),
      then_(begin_) {}

void Progress::begin(const std::string& what, uint64_t bytes, Clock::time_point now) {
  what_ = what;
  begin_ = then_ = now;
  next_ = now + patience_;
  bytes_begin_ = bytes_then_ = bytes;
  bytes_a_second_ = 0;
  if (has_line_) show_line("");
  has_line_ = false;
}

void Progress::show(const std::string& what, uint64_t bytes, uint64_t total,
                    const std::string& more) {
  if (!is_shown_ || terminal_options().is_quiet) return;
  const Clock::time_point now = Clock::now();
  if (what != what_ || bytes < bytes_then_) begin(what, bytes, now);
  if (now < next_) return;
  next_ = now + kStep;
  const double seconds = seconds_in(now - then_);
  if (seconds > 0) {
    const double rate = static_cast<double>(bytes - bytes_then_) / seconds;
    // Calm enough to be read.
    bytes_a_second_ = has_line_ ? bytes_a_second_ + (rate - bytes_a_second_) / 4 : rate;
  }
  then_ = now;
  bytes_then_ = bytes;
  has_line_ = true;
  std::string line = what.empty() ? "" : host::safe_text(what) + ": ";
  if (total != 0) host::append(line, "{} % of ", bytes * 100 / total);
  host::append(line, "{}, {}/s", amount(static_cast<double>(total != 0 ? total : bytes)),
               amount(bytes_a_second_));
  const double done = static_cast<double>(bytes - bytes_begin_);
  if (total > bytes && done > 0)
    line += ", " +
            clock_time(seconds_in(now - begin_) * static_cast<double>(total - bytes) / done) +
            " left";
  show_line(line + more + (total == 0 ? ", " + clock_time(seconds_in(now - begin_)) : ""));
}

void Progress::keep() {
  if (has_line_) keep_line();
  has_line_ = false;
}

void show_reading() {
  host::watch_reading([](const std::string& name, uint64_t done, uint64_t total) {
    reading().show(name, done, total);
  });
}

void print_while_reading() {
  if (::isatty(STDOUT_FILENO) != 0) reading().end();
}

void show_no_reading() { reading().end(); }

host::Status ProgressSink::write(std::span<const uint8_t> bytes) {
  bytes_ += bytes.size();
  reading().show(what_, bytes_, 0);
  return to_.write(bytes);
}

}  // namespace barefxt::cli
