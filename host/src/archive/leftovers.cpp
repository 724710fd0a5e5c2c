// The table is static and the handler makes system calls only: a signal may interrupt anything.
#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/syscall.h>
#include <termios.h>
#include <unistd.h>
#include <utility>

#include <barefxt/host/leftovers.h>

namespace barefxt::host {
namespace {

constexpr int kSlots = 8;
constexpr size_t kEntriesBytes = 4096;

enum class Use : unsigned char { kFree, kFile, kFolder };

struct Slot {
  std::atomic<Use> use{Use::kFree};
  std::array<char, PATH_MAX> path{};
};

std::array<Slot, kSlots> slots;

struct Terminal {
  std::atomic<int> handle{-1};
  termios before{};
  std::array<char, 256> bytes{};
  std::atomic<size_t> count{0};
};

Terminal terminal;

void give_terminal_back() {
  const int handle = terminal.handle.exchange(-1);
  if (handle < 0) return;
  pollfd room{handle, POLLOUT, 0};
  if (poll(&room, 1, 0) > 0) (void)!write(handle, terminal.bytes.data(), terminal.count);
  tcsetattr(handle, TCSANOW, &terminal.before);
}

// Returns whether it removed an entry.
bool remove_entries(int folder) {
  alignas(dirent64) std::array<char, kEntriesBytes> entries;
  bool removed = false;
  for (;;) {
    const long count = syscall(SYS_getdents64, folder, entries.data(), entries.size());
    if (count <= 0) return removed;
    for (long at = 0; at < count;) {
      const auto* entry = reinterpret_cast<const dirent64*>(entries.data() + at);
      at += entry->d_reclen;
      if (std::strcmp(entry->d_name, ".") == 0 || std::strcmp(entry->d_name, "..") == 0) continue;
      removed = unlinkat(folder, entry->d_name, 0) == 0 || removed;
    }
  }
}

void remove_folder(const char* path) {
  const int folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (folder < 0) return;
  // Some file systems skip entries when earlier ones go: repeat until nothing is left.
  while (remove_entries(folder)) (void)lseek(folder, 0, SEEK_SET);
  close(folder);
  rmdir(path);
}

void clean_up(int signal) {
  const int error = errno;
  for (Slot& slot : slots) {
    const Use use = slot.use.exchange(Use::kFree);
    if (use == Use::kFile) unlink(slot.path.data());
    if (use == Use::kFolder) remove_folder(slot.path.data());
  }
  give_terminal_back();
  errno = error;
  // Delivered when this returns, with the default action: SA_RESETHAND restored it.
  (void)raise(signal);
}

}  // namespace

void remove_leftovers_on_signals() {
  for (const int signal :
       {SIGHUP, SIGINT, SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGUSR1,
        SIGUSR2, SIGALRM, SIGTERM, SIGXCPU, SIGVTALRM, SIGPROF, SIGSYS}) {
    struct sigaction before{};
    if (sigaction(signal, nullptr, &before) != 0 || (before.sa_flags & SA_SIGINFO) != 0 ||
        before.sa_handler != SIG_DFL)
      continue;
    struct sigaction action{};
    action.sa_handler = clean_up;
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    sigfillset(&action.sa_mask);
    (void)sigaction(signal, &action, nullptr);
  }
}

TakenTerminal::TakenTerminal(int handle) {
  terminal.count = 0;
  if (tcgetattr(handle, &terminal.before) == 0) terminal.handle = handle;
}

TakenTerminal::~TakenTerminal() {
  if (const int handle = terminal.handle.exchange(-1); handle >= 0)
    tcsetattr(handle, TCSANOW, &terminal.before);
}

void TakenTerminal::set_codes_at_end(const std::string& codes) {
  if (codes.size() > terminal.bytes.size()) return;
  std::memcpy(terminal.bytes.data(), codes.data(), codes.size());
  terminal.count = codes.size();
}

Leftover::Leftover(const std::string& path, Kind kind) {
  if (path.size() >= PATH_MAX) return;
  for (int i = 0; i < kSlots; ++i) {
    Slot& slot = slots[static_cast<size_t>(i)];
    if (slot.use != Use::kFree) continue;
    std::memcpy(slot.path.data(), path.c_str(), path.size() + 1);
    slot.use = kind == Kind::kFile ? Use::kFile : Use::kFolder;
    slot_ = i;
    return;
  }
}

Leftover::Leftover(Leftover&& other) noexcept : slot_(std::exchange(other.slot_, -1)) {}

Leftover& Leftover::operator=(Leftover&& other) noexcept {
  std::swap(slot_, other.slot_);
  return *this;
}

Leftover::~Leftover() {
  if (slot_ >= 0) slots[static_cast<size_t>(slot_)].use = Use::kFree;
}

}  // namespace barefxt::host
