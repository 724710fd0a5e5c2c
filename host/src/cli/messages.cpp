#include "messages.h"

#include <cstdio>
#include <deque>
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

void print(const std::string& line) {
  constexpr size_t kIndent = 2;
  host::StringOutput text;
  host::FittedOutput fitted(text, width_of(STDERR_FILENO, kNoWidth), kIndent);
  fitted.text("barefxt: " + host::safe_text(line) + "\n");
  fitted.finish();
  std::fputs(text.take().c_str(), stderr);
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
  std::fprintf(stderr, "\r%s\x1b[K", host::shortened(line, width - 1).c_str());
  std::fflush(stderr);
}

void keep_line() {
  if (std::exchange(messages().has_line, false)) std::fputc('\n', stderr);
}

}  // namespace barefxt::cli
