// Lines whose other side comes to a port of this machine.
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <barefxt/host/status.h>

#include "addresses.h"
#include "handle_line.h"

namespace barefxt::line {
namespace {

class UdpLine final : public HandleLine {
 public:
  using HandleLine::HandleLine;

  // One datagram, of any size: `into` has at least 64 KiB.
  ReadResult read(std::span<uint8_t> into) override {
    for (;;) {
      sockaddr_storage from = {};
      socklen_t bytes = sizeof from;
      const ssize_t count = recvfrom(handle(), into.data(), into.size(), 0,
                                     reinterpret_cast<sockaddr*>(&from), &bytes);
      if (count >= 0) {  // an empty datagram is no end
        sender_ = from;
        sender_bytes_ = bytes;
        return {static_cast<size_t>(count), LineState::kOpen, {}};
      }
      if (errno == EINTR) continue;
      if (errno == EAGAIN || errno == EWOULDBLOCK) return {0, LineState::kOpen, {}};
      return {0, LineState::kBroken, std::strerror(errno), errno};
    }
  }

  bool has_way_back() const override { return true; }
  host::Status write(std::span<const uint8_t> bytes) override {
    if (sender_bytes_ == 0) return {};
    const ssize_t count = sendto(handle(), bytes.data(), bytes.size(), 0,
                                 reinterpret_cast<const sockaddr*>(&sender_), sender_bytes_);
    if (count < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR)
      return host::system_error("cannot write to it", errno, name());
    return {};
  }

 private:
  sockaddr_storage sender_ = {};  // of the last datagram
  socklen_t sender_bytes_ = 0;    // 0: none has come
};

host::Error cannot_listen(int error, const std::string& address) {
  return host::system_error(
      "cannot listen", error, address,
      error == EADDRINUSE      ? "another program has this port; ss -lntup names it"
      : error == EACCES        ? "ports below 1024 are for root: take a higher one"
      : error == EADDRNOTAVAIL ? "name an address of this machine, or the port alone"
                               : "");
}

// Returns a socket, or a negative errno.
int bound(const addrinfo& at, bool is_any) {
  const int handle =
      socket(at.ai_family, at.ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK, at.ai_protocol);
  if (handle < 0) return -errno;
  const int yes = 1;
  const int no = 0;
  // A port whose last connection is not forgotten yet can be listened at again.
  if (at.ai_socktype == SOCK_STREAM) setsockopt(handle, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  if (is_any && at.ai_family == AF_INET6)
    setsockopt(handle, IPPROTO_IPV6, IPV6_V6ONLY, &no, sizeof no);
  const bool listens = at.ai_socktype == SOCK_STREAM;
  if (bind(handle, at.ai_addr, at.ai_addrlen) == 0 && (!listens || listen(handle, 1) == 0))
    return handle;
  const int error = errno;
  close(handle);
  return -error;
}

// A port alone is one of all addresses, of both kinds where the machine has IPv6.
host::Result<int> bound(const std::string& address, int kind, const Patience& patience) {
  Address parts = split_address(address);
  if (parts.port.empty()) return host::Error{"no port", address, "write PORT or ADDRESS:PORT"};
  const bool is_any = parts.host.empty();
  int error = EADDRNOTAVAIL;
  for (const char* any : {"::", "0.0.0.0"}) {
    if (is_any) parts.host = any;
    const auto found = look_up(parts, address, kind, patience);
    if (!found.ok()) return found.error();
    for (const addrinfo* each = found.value()->first(); each != nullptr; each = each->ai_next) {
      const int handle = bound(*each, is_any);
      if (handle >= 0) return handle;
      error = -handle;
    }
    if (!is_any || (error != EAFNOSUPPORT && error != EADDRNOTAVAIL)) break;
  }
  return cannot_listen(error, address);
}

}  // namespace

Opened open_listening(const std::string& address, const Patience& patience) {
  const auto listener = bound(address, SOCK_STREAM, patience);
  if (!listener.ok()) return listener.error();
  const HandleLine owner(address, listener.value());
  for (;;) {
    if (const int error = wait_for(owner.handle(), POLLIN, patience))
      return host::system_error("nobody has connected", error, address,
                                "--wait gives the other side more time");
    const int handle = accept4(owner.handle(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (handle >= 0) return std::unique_ptr<Line>(std::make_unique<TwoWayLine>(address, handle));
    // A caller that has left again is no failure.
    if (errno != EAGAIN && errno != EINTR && errno != ECONNABORTED)
      return host::system_error("cannot accept", errno, address);
  }
}

Opened open_udp(const std::string& address, const Patience& patience) {
  const auto handle = bound(address, SOCK_DGRAM, patience);
  if (!handle.ok()) return handle.error();
  // Room for a burst, as much as the system grants: what does not fit is lost.
  constexpr int kRoom = 4 << 20;
  setsockopt(handle.value(), SOL_SOCKET, SO_RCVBUF, &kRoom, sizeof kRoom);
  return std::unique_ptr<Line>(std::make_unique<UdpLine>(address, handle.value()));
}

}  // namespace barefxt::line
