#include "terminal.h"

#include <charconv>
#include <cstdlib>
#include <cstring>
#include <sys/ioctl.h>
#include <unistd.h>

namespace barefxt::cli {
namespace {

constexpr Choice<ColorWhen> kColors[] = {
    {"auto", ColorWhen::kAuto}, {"always", ColorWhen::kAlways}, {"never", ColorWhen::kNever}};

bool is_set(const char* variable) {
  const char* const value = std::getenv(variable);
  return value != nullptr && *value != 0;
}

bool has_color() {
  switch (terminal_options().color) {
    case ColorWhen::kAlways:
      return true;
    case ColorWhen::kNever:
      return false;
    case ColorWhen::kAuto:
      break;
  }
  const char* const kind = std::getenv("TERM");
  return ::isatty(STDOUT_FILENO) != 0 && !is_set("NO_COLOR") && kind != nullptr &&
         std::strcmp(kind, "dumb") != 0;
}

}  // namespace

TerminalOptions& terminal_options() {
  static TerminalOptions options;
  return options;
}

void TerminalOptions::add_to(const OptionSet& options) {
  options.flag("--quiet", is_quiet, "No messages but those of failures, no progress");
  options.choice("--color", color, kColors, "auto: on a terminal, unless NO_COLOR is set")
      .placeholder("auto|always|never")
      .shows_default();
}

void TerminalOptions::add_pager(const OptionSet& options) {
  options.flag("--no-pager", has_no_pager,
               "On a terminal, do not show the text by BAREFXT_PAGER, PAGER, or less");
}

size_t width_of(int descriptor, size_t otherwise) {
  if (::isatty(descriptor) == 0) return otherwise;
  if (const char* const columns = std::getenv("COLUMNS")) {
    size_t width = 0;
    const char* const end = columns + std::strlen(columns);
    const auto [rest, error] = std::from_chars(columns, end, width);
    if (error == std::errc() && rest == end && width > 0) return width;
  }
  winsize size{};
  const bool is_known = ::ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return is_known ? size.ws_col : kFileWidth;
}

host::TextLook look_of_output(size_t width_of_file) {
  return {width_of(STDOUT_FILENO, width_of_file), has_color()};
}

}  // namespace barefxt::cli
