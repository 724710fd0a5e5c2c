#include "screen.h"

#include <algorithm>
#include <cerrno>
#include <clocale>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <langinfo.h>
#include <ncurses.h>
#include <poll.h>
#include <string>
#include <sys/time.h>
#include <unistd.h>
#include <utility>

#include <barefxt/host/leftovers.h>

namespace barefxt::top {
namespace {

constexpr short kWarningPair = 1;
constexpr short kHeadingPair = 2;
constexpr short kFaintPair = 3;

// A terminal takes no bytes after Ctrl-S, or while the program behind it stalls, and ncurses would
// wait for it. In this scope an alarm ends the wait: it puts /dev/null in the place of `terminal`.
class Impatience {
 public:
  Impatience(int terminal, int nowhere) {
    terminal_ = terminal;
    nowhere_ = nowhere;
    struct sigaction action{};
    action.sa_handler = mute;
    sigfillset(&action.sa_mask);
    (void)sigaction(SIGALRM, &action, &before_);
    constexpr int kMicroseconds = 300'000;
    const itimerval soon = {{0, 0}, {0, kMicroseconds}};
    setitimer(ITIMER_REAL, &soon, nullptr);
  }
  ~Impatience() {
    const itimerval never = {};
    setitimer(ITIMER_REAL, &never, nullptr);
    (void)sigaction(SIGALRM, &before_, nullptr);
  }
  Impatience(const Impatience&) = delete;
  Impatience& operator=(const Impatience&) = delete;

  static bool is_muted() { return is_muted_ != 0; }
  static void unmute() { is_muted_ = 0; }

 private:
  static void mute(int /*signal*/) {
    const int error = errno;
    dup2(nowhere_, terminal_);
    is_muted_ = 1;
    errno = error;
  }

  struct sigaction before_{};
  static volatile sig_atomic_t terminal_;
  static volatile sig_atomic_t nowhere_;
  static volatile sig_atomic_t is_muted_;
};

volatile sig_atomic_t Impatience::terminal_ = -1;
volatile sig_atomic_t Impatience::nowhere_ = -1;
volatile sig_atomic_t Impatience::is_muted_ = 0;

// The codes that lead back to the screen as it was, without delays (`$<5>`).
std::string codes_at_end() {
  std::string all;
  for (const char* name : {"sgr0", "cnorm", "rmkx", "rmcup"}) {
    const char* code = tigetstr(name);
    if (code == nullptr || code == reinterpret_cast<const char*>(-1)) continue;
    for (; *code != 0; ++code) {
      if (std::strncmp(code, "$<", 2) == 0)
        code = std::max(code, std::strchr(code, '>'));
      else
        all += *code;
    }
  }
  return all;
}

class NcursesScreen final : public Screen {
 public:
  NcursesScreen(FILE* out, FILE* in, SCREEN* screen, std::unique_ptr<host::TakenTerminal> taken)
      : out_(out),
        in_(in),
        screen_(screen),
        terminal_(fcntl(fileno(out), F_DUPFD_CLOEXEC, 0)),
        nowhere_(open("/dev/null", O_WRONLY | O_CLOEXEC)),
        taken_(std::move(taken)) {
    taken_->set_codes_at_end(codes_at_end());
    const Impatience patience = impatience();
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
    {
      const Impatience patience = impatience();
      endwin();
      delscreen(screen_);
    }
    taken_.reset();
    close(terminal_);
    close(nowhere_);
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
    const Impatience patience = impatience();
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
    if (pollfd room{terminal_, POLLOUT, 0}; poll(&room, 1, 0) <= 0) return;
    if (Impatience::is_muted()) {
      dup2(terminal_, fileno(out_));
      Impatience::unmute();
      clearok(curscr, TRUE);
    }
    const Impatience patience = impatience();
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
  Impatience impatience() const { return {fileno(out_), nowhere_}; }

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
  int terminal_;
  int nowhere_;
  std::unique_ptr<host::TakenTerminal> taken_;
  bool has_colors_ = false;
};

}  // namespace

host::Result<std::unique_ptr<Screen>> open_screen() {
  constexpr const char* kHint = "use --batch for lines of JSON";
  if (isatty(STDOUT_FILENO) == 0) return host::Error{"standard output is no terminal", {}, kHint};
  std::setlocale(LC_CTYPE, "");
  FILE* const in = std::fopen("/dev/tty", "r+e");
  if (in == nullptr) return host::Error{"no terminal to read keys from", {}, kHint};
  auto taken = std::make_unique<host::TakenTerminal>(fileno(in));
  const int again = dup(STDOUT_FILENO);
  FILE* const out = again < 0 ? nullptr : fdopen(again, "w");
  SCREEN* const screen = out == nullptr ? nullptr : newterm(nullptr, out, in);
  if (screen == nullptr) {
    if (out != nullptr) std::fclose(out);
    taken.reset();
    std::fclose(in);
    const char* const kind = std::getenv("TERM");
    return host::Error{"ncurses does not know this kind of terminal",
                       kind == nullptr ? "TERM is not set" : std::string("TERM=") + kind, kHint};
  }
  return std::unique_ptr<Screen>(
      std::make_unique<NcursesScreen>(out, in, screen, std::move(taken)));
}

}  // namespace barefxt::top
