#include "terminal.h"

#include <array>
#include <cerrno>
#include <cstdlib>
#include <pty.h>
#include <regex>
#include <sys/wait.h>
#include <unistd.h>

namespace barefxt::test {

TerminalRun run_on_terminal(const std::string& line, unsigned columns,
                            const std::map<std::string, std::string>& variables,
                            const std::string& keys) {
  int terminal = -1;
  winsize size{};
  size.ws_col = static_cast<unsigned short>(columns);
  size.ws_row = 24;
  const pid_t child = ::forkpty(&terminal, nullptr, nullptr, &size);
  if (child == 0) {
    for (const char* name : {"COLUMNS", "NO_COLOR", "BAREFXT_PAGER", "PAGER", "LESS"})
      ::unsetenv(name);
    ::setenv("TERM", "xterm", 1);
    for (const auto& [name, value] : variables)
      value.empty() ? ::unsetenv(name.c_str()) : ::setenv(name.c_str(), value.c_str(), 1);
    ::execl("/bin/sh", "sh", "-c", line.c_str(), nullptr);
    ::_exit(127);
  }
  TerminalRun run{{}, -1};
  std::array<char, 4096> buffer;
  bool has_typed = keys.empty();
  for (;;) {
    const ssize_t got = ::read(terminal, buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;  // EIO: the last one has closed it
    for (ssize_t i = 0; i < got; ++i)
      if (buffer[static_cast<size_t>(i)] != '\r' ||
          (i + 1 < got && buffer[static_cast<size_t>(i + 1)] != '\n'))
        run.shown += buffer[static_cast<size_t>(i)];
    if (!has_typed) has_typed = ::write(terminal, keys.data(), keys.size()) > 0;
  }
  ::close(terminal);
  int status = 0;
  ::waitpid(child, &status, 0);
  run.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return run;
}

std::string without_codes(const std::string& text) {
  static const std::regex code("\x1b\\[[0-9;?]*[A-Za-z]");
  return std::regex_replace(text, code, "");
}

}  // namespace barefxt::test
