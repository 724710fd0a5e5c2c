#include "pager.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <spawn.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

#include "messages.h"
#include "terminal.h"

namespace barefxt::cli {
namespace {

constexpr int kNotFound = 127;  // of a shell

bool is_installed(const std::string& program) {
  const char* const path = std::getenv("PATH");
  std::string folders = path == nullptr ? "/usr/bin:/bin" : path;
  for (size_t begin = 0; begin <= folders.size();) {
    const size_t end = std::min(folders.find(':', begin), folders.size());
    const std::string file = folders.substr(begin, end - begin) + "/" + program;
    if (::access(file.c_str(), X_OK) == 0) return true;
    begin = end + 1;
  }
  return false;
}

std::string command() {
  for (const char* variable : {"BAREFXT_PAGER", "PAGER"})
    if (const char* const pager = std::getenv(variable)) return pager;
  return is_installed("less") ? "less -FRX" : "";
}

struct sigaction interrupt_before = {};

// The pager has ended, so Ctrl-C is ours again.
void take_interrupts(int /*signal*/) {
  const int error = errno;
  (void)sigaction(SIGINT, &interrupt_before, nullptr);
  errno = error;
}

// Keys are the pager's; it ends us by its end.
void leave_interrupts_to_pager() {
  struct sigaction ignore{};
  ignore.sa_handler = SIG_IGN;
  (void)sigaction(SIGINT, &ignore, &interrupt_before);
  struct sigaction on_end{};
  on_end.sa_handler = take_interrupts;
  on_end.sa_flags = SA_NOCLDSTOP | SA_RESTART;
  (void)sigaction(SIGCHLD, &on_end, nullptr);
}

pid_t start(const std::string& pager, int input, int other) {
  posix_spawn_file_actions_t files;
  ::posix_spawn_file_actions_init(&files);
  ::posix_spawn_file_actions_adddup2(&files, input, STDIN_FILENO);
  ::posix_spawn_file_actions_addclose(&files, input);
  ::posix_spawn_file_actions_addclose(&files, other);
  // Signals that we ignore end a pager.
  posix_spawnattr_t attributes;
  ::posix_spawnattr_init(&attributes);
  sigset_t ignored;
  ::sigemptyset(&ignored);
  ::sigaddset(&ignored, SIGPIPE);
  ::sigaddset(&ignored, SIGXFSZ);
  if (interrupt_before.sa_handler != SIG_IGN) ::sigaddset(&ignored, SIGINT);
  ::posix_spawnattr_setsigdefault(&attributes, &ignored);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  std::string shell = "/bin/sh";
  std::string flag = "-c";
  std::string line = pager;
  char* const arguments[] = {shell.data(), flag.data(), line.data(), nullptr};
  pid_t process = -1;
  if (::posix_spawn(&process, shell.c_str(), &files, &attributes, arguments, environ) != 0)
    process = -1;
  ::posix_spawnattr_destroy(&attributes);
  ::posix_spawn_file_actions_destroy(&files);
  return process;
}

}  // namespace

Pager::Pager() {
  show_line("");  // of the progress so far
  if (terminal_options().has_no_pager || ::isatty(STDOUT_FILENO) == 0) return;
  const std::string pager = command();
  if (pager.empty() || pager == "cat") return;
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return;
  // Before it can end.
  leave_interrupts_to_pager();
  process_ = start(pager, ends[0], ends[1]);
  if (process_ >= 0) {
    ::dup2(ends[1], STDOUT_FILENO);
    hold_messages();
  } else {
    take_interrupts(SIGCHLD);
  }
  ::close(ends[0]);
  ::close(ends[1]);
}

Pager::~Pager() {
  if (process_ < 0) return;
  // A descriptor stays there, so that no file takes its place.
  const int nothing = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nothing >= 0) {
    ::dup2(nothing, STDOUT_FILENO);
    ::close(nothing);
  } else {
    ::close(STDOUT_FILENO);
  }
  int status = 0;
  while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  release_messages();
  if (WIFEXITED(status) && WEXITSTATUS(status) == kNotFound)
    say("the pager was not found: " + command() + ". Hint: set BAREFXT_PAGER, or give --no-pager");
}

}  // namespace barefxt::cli
