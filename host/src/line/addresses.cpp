#include "addresses.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace barefxt::line {
namespace {

// getaddrinfo() takes no deadline: it runs in a thread of its own, which is left behind at the end
// of patience.
struct LookUp {
  Address address;
  int kind = 0;
  addrinfo* found = nullptr;
  int trouble = 0;
  int done = -1;  // becomes readable when the above is set
  int done_from = -1;

  LookUp() = default;
  LookUp(const LookUp&) = delete;
  LookUp& operator=(const LookUp&) = delete;
  ~LookUp() {
    if (found != nullptr) freeaddrinfo(found);
    if (done >= 0) close(done);
    if (done_from >= 0) close(done_from);
  }
};

void run(const std::shared_ptr<LookUp>& work) {
  addrinfo hints = {};
  hints.ai_socktype = work->kind;
  work->trouble =
      getaddrinfo(work->address.host.c_str(), work->address.port.c_str(), &hints, &work->found);
  close(std::exchange(work->done_from, -1));
}

// Returns 0 if the look-up ended, with its result in `work`; else an errno.
int run_in_time(const std::shared_ptr<LookUp>& work, const Patience& patience) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return errno;
  work->done = ends[0];
  work->done_from = ends[1];
  // Signals go to the main thread.
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread(run, work).detach();
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return wait_for(work->done, POLLIN, patience);
}

// getaddrinfo() takes larger numbers, less their upper bits.
bool is_port(const std::string& text) {
  if (std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; })) {
    unsigned number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    constexpr unsigned kMaxPort = 65535;
    return error == std::errc() && number >= 1 && number <= kMaxPort;
  }
  return true;  // the name of a service
}

}  // namespace

Address split_address(const std::string& text) {
  const size_t colon = text.rfind(':');
  if (colon == std::string::npos) return {{}, text};
  Address parts = {text.substr(0, colon), text.substr(colon + 1)};
  if (parts.host.size() > 2 && parts.host.front() == '[' && parts.host.back() == ']')
    parts.host = parts.host.substr(1, parts.host.size() - 2);
  return parts;
}

host::Result<std::unique_ptr<FoundAddresses>> look_up(const Address& address,
                                                      const std::string& text, int kind,
                                                      const Patience& patience) {
  if (!is_port(address.port)) return host::Error{"no such port", text, "ports are 1 to 65535"};
  const auto work = std::make_shared<LookUp>();
  work->address = address;
  work->kind = kind;
  if (const int error = run_in_time(work, patience))
    return host::system_error("cannot look it up", error, text, "is there a name server?");
  if (work->trouble != 0)
    return host::Error{std::string("no such address: ") + gai_strerror(work->trouble), text, {}};
  return std::make_unique<FoundAddresses>(std::exchange(work->found, nullptr));
}

}  // namespace barefxt::line
