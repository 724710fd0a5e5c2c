#include "file_server.h"

#include <arpa/inet.h>
#include <array>
#include <cerrno>
#include <chrono>
#include <memory>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace barefxt::serve {
namespace {

constexpr std::size_t kMostRequest = 16384;
constexpr int kPatience = 10;  // seconds, for a request to come or an answer to go on
constexpr std::size_t kMostOpen = 64;
constexpr int kAskedEvery = 200;  // milliseconds

class Connection {
 public:
  explicit Connection(int socket) : socket_(socket) {
    const timeval patience{kPatience, 0};
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    ::setsockopt(socket_, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection() { ::close(socket_); }

  int socket() const { return socket_; }

  // Up to the empty line; empty where there is none.
  std::string request() const {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(kPatience);
    std::string text;
    std::array<char, 2048> piece;
    while (text.size() < kMostRequest && std::chrono::steady_clock::now() < end) {
      const ssize_t got = ::recv(socket_, piece.data(), piece.size(), 0);
      if (got <= 0) break;
      text.append(piece.data(), static_cast<std::size_t>(got));
      if (text.find("\r\n\r\n") != std::string::npos) return text;
    }
    return {};
  }
  bool send(const void* data, std::size_t size) const {
    const auto* at = static_cast<const char*>(data);
    while (size > 0) {
      const ssize_t sent = ::send(socket_, at, size, MSG_NOSIGNAL);
      if (sent <= 0) return false;
      at += sent;
      size -= static_cast<std::size_t>(sent);
    }
    return true;
  }
  bool send(const std::string& text) const { return send(text.data(), text.size()); }
  // Until the other side has closed its end: what was sent has arrived.
  void linger() const {
    ::shutdown(socket_, SHUT_WR);
    std::array<char, 256> rest;
    while (::recv(socket_, rest.data(), rest.size(), 0) > 0) {
    }
  }

 private:
  int socket_;
};

// Whether the file went out as a whole.
bool answer(const Connection& connection, const FileToServe& file) {
  const std::string request = connection.request();
  const std::string line = request.substr(0, request.find("\r\n"));
  const std::size_t space = line.find(' ');
  const std::string method = line.substr(0, space);
  std::string path;
  if (space != std::string::npos)
    path = line.substr(space + 1, line.find_first_of(" ?", space + 1) - space - 1);
  // What a browser asks for before it lets a page from the network read from this machine.
  const std::string rights = "Access-Control-Allow-Origin: " + file.origin +
                             "\r\nAccess-Control-Allow-Private-Network: true\r\n"
                             "Cache-Control: no-cache\r\nConnection: close\r\n";
  const auto refuse = [&](const char* status) {
    const std::string text = std::string(status) + "\n";
    connection.send("HTTP/1.1 " + text.substr(0, text.size() - 1) + "\r\n" + rights +
                    "Content-Type: text/plain\r\nContent-Length: " + std::to_string(text.size()) +
                    "\r\n\r\n" + text);
    connection.linger();
    return false;
  };
  if (request.empty()) return refuse("400 Bad Request");
  if (method == "OPTIONS") {
    connection.send("HTTP/1.1 204 No Content\r\n" + rights +
                    "Access-Control-Allow-Methods: GET, HEAD\r\n"
                    "Access-Control-Allow-Headers: *\r\nContent-Length: 0\r\n\r\n");
    connection.linger();
    return false;
  }
  if (method != "GET" && method != "HEAD") return refuse("405 Method Not Allowed");
  if (path != file.path) return refuse("404 Not Found");
  const std::string head = "HTTP/1.1 200 OK\r\n" + rights +
                           "Content-Type: application/octet-stream\r\nContent-Length: " +
                           std::to_string(file.bytes.size()) + "\r\n\r\n";
  const bool wanted = method == "GET";
  const bool sent =
      connection.send(head) && (!wanted || connection.send(file.bytes.data(), file.bytes.size()));
  if (sent) connection.linger();
  return sent && wanted;
}

}  // namespace

host::Result<FileServer> FileServer::listen(unsigned port) {
  const std::string where = "127.0.0.1:" + std::to_string(port);
  const int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (listener < 0) return host::system_error("cannot listen", errno, where);
  FileServer server(listener, port);
  const int yes = 1;
  ::setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  constexpr int kWaiting = 8;
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
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
  // Browsers open connections before they need them: whoever is silent keeps nobody waiting.
  std::vector<std::unique_ptr<Connection>> open;
  while (seconds == 0 || std::chrono::steady_clock::now() < end) {
    meanwhile();
    std::vector<pollfd> waits = {{socket_, POLLIN, 0}};
    for (const auto& connection : open) waits.push_back({connection->socket(), POLLIN, 0});
    if (::poll(waits.data(), waits.size(), kAskedEvery) <= 0) continue;
    for (std::size_t i = waits.size(); i-- > 1;) {
      if (waits[i].revents == 0) continue;
      const auto at = open.begin() + static_cast<std::ptrdiff_t>(i - 1);
      const bool fetched = answer(**at, file);
      open.erase(at);
      if (fetched) return true;
    }
    if (waits[0].revents == 0) continue;
    const int accepted = ::accept4(socket_, nullptr, nullptr, SOCK_CLOEXEC);
    if (accepted < 0) continue;
    if (open.size() == kMostOpen) open.erase(open.begin());
    open.push_back(std::make_unique<Connection>(accepted));
  }
  return false;
}

}  // namespace barefxt::serve
