#include "screen.h"

#include <algorithm>
#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <langinfo.h>
#include <ncurses.h>
#include <string>
#include <unistd.h>

namespace barefxt::top {
namespace {

constexpr short kWarningPair = 1;
constexpr short kHeadingPair = 2;
constexpr short kFaintPair = 3;

class NcursesScreen final : public Screen {
 public:
  NcursesScreen(FILE* out, FILE* in, SCREEN* screen) : out_(out), in_(in), screen_(screen) {
    set_term(screen_);
    cbreak();
    noecho();
    nonl();
    keypad(stdscr, TRUE);
    nodelay(stdscr, TRUE);
    constexpr int kEscapeMilliseconds = 25;
    set_escdelay(kEscapeMilliseconds);
    curs_set(0);
    has_colors_ = has_colors() && std::getenv("NO_COLOR") == nullptr;
    if (!has_colors_) return;
    start_color();
    use_default_colors();
    init_pair(kWarningPair, COLOR_YELLOW, -1);
    init_pair(kHeadingPair, COLOR_CYAN, -1);
    init_pair(kFaintPair, COLOR_BLUE, -1);
  }
  ~NcursesScreen() override {
    endwin();
    delscreen(screen_);
    std::fclose(in_);
    std::fclose(out_);
  }

  int handle() const override { return fileno(in_); }
  Size size() const override {
    return {static_cast<size_t>(std::max(COLS, 1)), static_cast<size_t>(std::max(LINES, 1))};
  }
  Glyphs glyphs() const override {
    return std::strcmp(nl_langinfo(CODESET), "UTF-8") == 0 ? Glyphs::kUnicode : Glyphs::kAscii;
  }

  std::optional<int> next_key() override {
    while (true) {
      wint_t key = 0;
      const int result = get_wch(&key);
      if (result == ERR) return {};
      if (result != KEY_CODE_YES)
        return key == '\r'   ? int{kKeyEnter}
               : key == '\b' ? int{kKeyBackspace}
                             : static_cast<int>(key);
      switch (key) {
        case KEY_UP:
          return kKeyUp;
        case KEY_DOWN:
          return kKeyDown;
        case KEY_PPAGE:
          return kKeyPageUp;
        case KEY_NPAGE:
          return kKeyPageDown;
        case KEY_ENTER:
          return kKeyEnter;
        case KEY_BACKSPACE:
          return kKeyBackspace;
        default:
          break;  // KEY_RESIZE has its effect by being read
      }
    }
  }

  void show(const std::vector<Line>& lines) override {
    erase();
    int row = 0;
    for (const Line& line : lines) {
      const attr_t look = attributes(line.look);
      attron(look);
      mvaddstr(row++, 0, line.text.c_str());
      attroff(look);
    }
    refresh();
  }

 private:
  attr_t attributes(Look look) const {
    const auto color = [&](short pair) -> attr_t {
      return has_colors_ ? static_cast<attr_t>(COLOR_PAIR(pair)) : attr_t{A_NORMAL};
    };
    switch (look) {
      case Look::kTitle:
        return A_BOLD;
      case Look::kHeading:
        return A_UNDERLINE | color(kHeadingPair);
      case Look::kSelected:
        return A_REVERSE;
      case Look::kWarning:
        return A_BOLD | color(kWarningPair);
      case Look::kFaint:
        return has_colors_ ? color(kFaintPair) : attr_t{A_DIM};
      case Look::kPlain:
        break;
    }
    return A_NORMAL;
  }

  FILE* out_;
  FILE* in_;
  SCREEN* screen_;
  bool has_colors_ = false;
};

}  // namespace

host::Result<std::unique_ptr<Screen>> open_screen() {
  constexpr const char* kHint = "use --batch for lines of JSON";
  if (isatty(STDOUT_FILENO) == 0) return host::Error{"standard output is no terminal", {}, kHint};
  std::setlocale(LC_CTYPE, "");
  FILE* const in = std::fopen("/dev/tty", "re");
  if (in == nullptr) return host::Error{"no terminal to read keys from", {}, kHint};
  const int again = dup(STDOUT_FILENO);
  FILE* const out = again < 0 ? nullptr : fdopen(again, "w");
  SCREEN* const screen = out == nullptr ? nullptr : newterm(nullptr, out, in);
  if (screen == nullptr) {
    if (out != nullptr) std::fclose(out);
    std::fclose(in);
    const char* const kind = std::getenv("TERM");
    return host::Error{"ncurses does not know this kind of terminal",
                       kind == nullptr ? "TERM is not set" : std::string("TERM=") + kind, kHint};
  }
  return std::unique_ptr<Screen>(std::make_unique<NcursesScreen>(out, in, screen));
}

}  // namespace barefxt::top
