#include "terminal.h"

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <poll.h>
#include <pty.h>
#include <regex>
#include <sys/wait.h>
#include <unistd.h>

namespace barefxt::test {

namespace {

using Variables = std::map<std::string, std::string>;

pid_t start(int* terminal, const std::string& line, unsigned columns, const Variables& variables) {
  winsize size{};
  size.ws_col = static_cast<unsigned short>(columns);
  size.ws_row = 24;
  const pid_t child = ::forkpty(terminal, nullptr, nullptr, &size);
  if (child != 0) return child;
  for (const char* name : {"COLUMNS", "NO_COLOR", "BAREFXT_PAGER", "PAGER", "LESS"})
    ::unsetenv(name);
  ::setenv("TERM", "xterm", 1);
  for (const auto& [name, value] : variables)
    value.empty() ? ::unsetenv(name.c_str()) : ::setenv(name.c_str(), value.c_str(), 1);
  ::execl("/bin/sh", "sh", "-c", line.c_str(), nullptr);
  ::_exit(127);
}

int exit_status(int status) {
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

OpenTerminal::OpenTerminal(const std::string& line) : child_(start(&terminal_, line, 80, {})) {}

OpenTerminal::~OpenTerminal() {
  if (child_ > 0) {
    ::kill(child_, SIGKILL);
    ::waitpid(child_, nullptr, 0);
  }
  ::close(terminal_);
}

void OpenTerminal::type(const std::string& keys) const {
  (void)!::write(terminal_, keys.data(), keys.size());
}

void OpenTerminal::read_some() {
  pollfd waiting{terminal_, POLLIN, 0};
  std::array<char, 4096> buffer;
  if (::poll(&waiting, 1, 50) <= 0) return;
  const ssize_t got = ::read(terminal_, buffer.data(), buffer.size());
  if (got > 0) shown_.append(buffer.data(), static_cast<size_t>(got));
}

bool OpenTerminal::comes(const std::string& text) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (shown_.find(text) == std::string::npos) {
    if (std::chrono::steady_clock::now() > end) return false;
    read_some();
  }
  return true;
}

int OpenTerminal::wait(bool reads) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(12);
  int status = 0;
  while (::waitpid(child_, &status, WNOHANG) == 0) {
    if (reads)
      read_some();
    else
      ::usleep(20'000);
    if (std::chrono::steady_clock::now() > end) ::kill(child_, SIGKILL);
  }
  child_ = -1;
  return exit_status(status);
}

TerminalRun run_on_terminal(const std::string& line, unsigned columns, const Variables& variables,
                            const std::string& keys) {
  int terminal = -1;
  const pid_t child = start(&terminal, line, columns, variables);
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
  run.status = exit_status(status);
  return run;
}

std::string without_codes(const std::string& text) {
  static const std::regex code("\x1b\\[[0-9;?]*[A-Za-z]");
  return std::regex_replace(text, code, "");
}

}  // namespace barefxt::test
