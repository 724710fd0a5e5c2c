#include "messages.h"

#include <csignal>
#include <cstdio>
#include <deque>
#include <poll.h>
#include <unistd.h>
#include <utility>

#include <barefxt/host/fitted_output.h>
#include <barefxt/host/safe_text.h>

#include "terminal.h"

namespace barefxt::cli {
namespace {

struct Messages {
  static constexpr size_t kMaxKept = 256;  // the last ones
  std::deque<std::string> kept;
  bool is_held = false;
  bool has_line = false;
};

Messages& messages() {
  static Messages messages;
  return messages;
}

// While a trace arrives, signals only end it (capture/interrupts.h), and a write to a reader that
// takes no bytes would never end. Messages to it are left out then, and counted.
class ErrorStream {
 public:
  void put(const std::string& text) {
    if (!has_room()) {
      ++left_out_;
      return;
    }
    if (const uint64_t count = std::exchange(left_out_, 0); count != 0)
      std::fputs(host::formatted("barefxt: {} messages were left out\n", count).c_str(), stderr);
    std::fputs(text.c_str(), stderr);
    std::fflush(stderr);
  }

 private:
  bool has_room() const {
    sigset_t blocked;
    if (sigprocmask(SIG_BLOCK, nullptr, &blocked) != 0 || sigismember(&blocked, SIGINT) == 0)
      return true;
    constexpr int kPatience = 1000;  // milliseconds
    pollfd room{STDERR_FILENO, POLLOUT, 0};
    return poll(&room, 1, left_out_ == 0 ? kPatience : 0) != 0;
  }

  uint64_t left_out_ = 0;
};

void put(const std::string& text) {
  static ErrorStream stream;
  stream.put(text);
}

void print(const std::string& line) {
  constexpr size_t kIndent = 2;
  host::StringOutput text;
  host::FittedOutput fitted(text, width_of(STDERR_FILENO, kNoWidth), kIndent);
  fitted.text("barefxt: " + host::safe_text(line) + "\n");
  fitted.finish();
  put(text.take());
}

void print_kept() {
  for (const std::string& line : std::exchange(messages().kept, {})) print(line);
}

}  // namespace

void say(const std::string& line) {
  show_line("");
  Messages& all = messages();
  if (!all.is_held && !terminal_options().is_quiet) return print(line);
  if (all.kept.size() == Messages::kMaxKept) all.kept.pop_front();
  all.kept.push_back(line);
}

void hold_messages() { messages().is_held = true; }

void release_messages() {
  messages().is_held = false;
  if (!terminal_options().is_quiet) print_kept();
}

std::vector<std::string> take_messages() {
  const std::deque<std::string> kept = std::exchange(messages().kept, {});
  return {kept.begin(), kept.end()};
}

void end_messages(int status) {
  show_line("");
  if (!terminal_options().is_quiet || status == kUsage || status == kNothing) print_kept();
}

void show_line(const std::string& line) {
  Messages& all = messages();
  if (line.empty() && !all.has_line) return;
  all.has_line = !line.empty();
  const size_t width = width_of(STDERR_FILENO, kFileWidth);
  // The code clears what a longer line left.
  put("\r" + host::shortened(line, width - 1) + "\x1b[K");
}

void keep_line() {
  if (std::exchange(messages().has_line, false)) put("\n");
}

}  // namespace barefxt::cli
