// Loaded ahead of the C library into a command under test. It appends a line to the file that
// BAREFXT_CALLS names for each system call that stores or renames a file, in their order:
//     write BYTES PATH, store PATH (fsync), store-all PATH (syncfs), rename FROM TO
// BAREFXT_SIGNAL is the number of a signal that the command gets when it first stores a file.
// BAREFXT_SILENT_NAMES makes every look-up of a host's name wait for good, as for a name server
// that never answers.
// BAREFXT_WITHOUT_LIBRARIES makes every library that is loaded later one that is not installed.
//
// Invariant: each call is one of the system's, so a failing one fails as it would have.
#include <array>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <fcntl.h>
#include <netdb.h>
#include <string>
#include <sys/syscall.h>
#include <unistd.h>

namespace {

std::string path_of(int file) {
  std::array<char, PATH_MAX> path{};
  const std::string link = "/proc/self/fd/" + std::to_string(file);
  return ::readlink(link.c_str(), path.data(), path.size() - 1) < 0 ? "?" : path.data();
}

// The path of a file that is there, absolute and without links.
std::string absolute(const char* path) {
  std::array<char, PATH_MAX> whole{};
  return ::realpath(path, whole.data()) == nullptr ? "?" : whole.data();
}

// Keeps errno for the caller.
void note(const std::string& line) {
  const int error = errno;
  if (const char* name = std::getenv("BAREFXT_CALLS")) {
    const int notes = ::open(name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    const std::string ended = line + "\n";
    (void)::syscall(SYS_write, notes, ended.data(), ended.size());
    ::close(notes);
  }
  errno = error;
}

void interrupt() {
  if (const char* number = std::getenv("BAREFXT_SIGNAL")) (void)std::raise(std::atoi(number));
}

}  // namespace

extern "C" {

ssize_t write(int file, const void* bytes, size_t count) {
  const ssize_t written = ::syscall(SYS_write, file, bytes, count);
  if (written > 0) note("write " + std::to_string(written) + " " + path_of(file));
  return written;
}

int fsync(int file) {
  interrupt();
  const int result = static_cast<int>(::syscall(SYS_fsync, file));
  if (result == 0) note("store " + path_of(file));
  return result;
}

int syncfs(int file) noexcept {
  interrupt();
  const int result = static_cast<int>(::syscall(SYS_syncfs, file));
  if (result == 0) note("store-all " + path_of(file));
  return result;
}

int rename(const char* from, const char* to) noexcept {
  const std::string before = absolute(from);
  const int result = static_cast<int>(::syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0U));
  if (result == 0) note("rename " + before + " " + absolute(to));
  return result;
}

void* dlopen(const char* name, int flags) noexcept {
  const auto open = reinterpret_cast<void* (*)(const char*, int)>(::dlsym(RTLD_NEXT, "dlopen"));
  const bool is_without = std::getenv("BAREFXT_WITHOUT_LIBRARIES") != nullptr;
  return open(is_without && name != nullptr ? "libnot-installed.so" : name, flags);
}

int getaddrinfo(const char* /*name*/, const char* /*service*/, const addrinfo* /*hints*/,
                addrinfo** /*found*/) {
  while (std::getenv("BAREFXT_SILENT_NAMES") != nullptr) ::pause();
  return EAI_FAIL;
}
}
