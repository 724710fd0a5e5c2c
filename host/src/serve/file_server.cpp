#include "file_server.h"

#include <algorithm>
#include <arpa/inet.h>
#include <cerrno>
#include <memory>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>
#include <vector>

#include "connection.h"

namespace barefxt::serve {
namespace {

using Clock = Connection::Clock;

constexpr size_t kMaxOpen = 64;
constexpr int kAskedEvery = 200;  // milliseconds

}  // namespace

host::Result<FileServer> FileServer::listen(unsigned port) {
  const std::string where = host::formatted("127.0.0.1:{}", port);
  const int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (listener < 0) return host::system_error("cannot listen", errno, where);
  FileServer server(listener, port);
  const int yes = 1;
  ::setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  // A client that finds no room here tries again after a second and more.
  constexpr int kWaiting = 2 * static_cast<int>(kMaxOpen);
  if (::bind(listener, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
      ::listen(listener, kWaiting) != 0) {
    return host::system_error(
        "cannot listen", errno, where,
        errno == EADDRINUSE ? "another program does, perhaps another 'barefxt open': end it" : "");
  }
  socklen_t size = sizeof address;
  if (::getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size) == 0)
    server.port_ = ntohs(address.sin_port);
  return server;
}

FileServer::FileServer(FileServer&& other) noexcept
    : socket_(std::exchange(other.socket_, -1)), port_(other.port_) {}

FileServer::~FileServer() {
  if (socket_ >= 0) ::close(socket_);
}

bool FileServer::serve(const FileToServe& file, unsigned seconds,
                       const std::function<void()>& meanwhile) {
  const auto end = Clock::now() + std::chrono::seconds(seconds);
  const std::string host = barefxt::host::formatted("127.0.0.1:{}", port_);
  // Browsers open connections before they need them: a silent client keeps no other waiting.
  std::vector<std::unique_ptr<Connection>> open;
  std::vector<pollfd> waits;
  while (seconds == 0 || Clock::now() < end) {
    meanwhile();
    waits.assign(1, {socket_, POLLIN, 0});
    for (const auto& connection : open) waits.push_back(connection->wait());
    if (::poll(waits.data(), waits.size(), kAskedEvery) < 0) continue;
    for (size_t i = 0; i < open.size(); ++i) {
      if (waits[i + 1].revents != 0) open[i]->go_on(file, host);
      open[i]->look_at_time(Clock::now());
      if (open[i]->state() == Connection::State::kOver && open[i]->has_sent_file()) return true;
    }
    std::erase_if(open, [](const auto& one) { return one->state() == Connection::State::kOver; });
    if (waits[0].revents == 0) continue;
    for (size_t i = 0; i < kMaxOpen; ++i) {
      const int accepted = ::accept4(socket_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
      if (accepted < 0) break;
      open.push_back(std::make_unique<Connection>(accepted));
      if (open.size() <= kMaxOpen) continue;
      // Drop the oldest client that does not get the file; the new one is such a client.
      open.erase(std::ranges::find_if(open, [](const auto& one) { return !one->has_file(); }));
    }
  }
  return std::ranges::any_of(open, [](const auto& one) { return one->has_sent_file(); });
}

}  // namespace barefxt::serve
