#include "file_server.h"

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <cerrno>
#include <chrono>
#include <memory>
#include <poll.h>
#include <string_view>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace barefxt::serve {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kMostRequest = 16384;
// The limit for a request to arrive, for an answer without the file to leave, and for the client to
// close its end.
constexpr auto kPatience = std::chrono::seconds(10);
// Sending the file may take longer, at this rate.
constexpr std::size_t kLeastBytesPerSecond = std::size_t{1} << 20;
constexpr std::size_t kMostOpen = 64;
constexpr int kAskedEvery = 200;  // milliseconds

// ASCII only.
char to_lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// A header of a request: how often it occurs, and its last value.
struct Header {
  unsigned count = 0;
  std::string value;
};
Header header_of(const std::string& request, std::string_view name) {
  Header header;
  for (std::size_t at = request.find("\r\n"); at != std::string::npos;) {
    const std::size_t begin = at + 2;
    at = request.find("\r\n", begin);
    const std::string_view line = std::string_view(request).substr(begin, at - begin);
    const std::size_t colon = line.find(':');
    const auto is_same = [](char a, char b) { return to_lower(a) == to_lower(b); };
    if (colon == std::string_view::npos ||
        !std::ranges::equal(line.substr(0, colon), name, is_same))
      continue;
    std::string_view value = line.substr(colon + 1);
    while (value.starts_with(' ') || value.starts_with('\t')) value.remove_prefix(1);
    while (value.ends_with(' ') || value.ends_with('\t')) value.remove_suffix(1);
    ++header.count;
    header.value = value;
  }
  return header;
}

struct Answer {
  std::string head;  // with a short body
  host::Bytes body;
  bool is_file = false;
};

Answer refusal(const char* status, const std::string& rights = {}) {
  const std::string text = std::string(status) + "\n";
  return {.head = "HTTP/1.1 " + std::string(status) + "\r\n" + rights +
                  "Connection: close\r\nContent-Type: text/plain\r\nContent-Length: " +
                  std::to_string(text.size()) + "\r\n\r\n" + text,
          .body = {}};
}

// `host` is the only Host header accepted: another name may be rebound to this address.
Answer answer(const std::string& request, const FileToServe& file, const std::string& host) {
  const std::string line = request.substr(0, request.find("\r\n"));
  const std::size_t space = line.find(' ');
  if (space == std::string::npos) return refusal("400 Bad Request");
  const std::string method = line.substr(0, space);
  const std::string path = line.substr(space + 1, line.find_first_of(" ?", space + 1) - space - 1);
  const Header asked_host = header_of(request, "Host");
  const Header origin = header_of(request, "Origin");
  if (asked_host.count != 1 || asked_host.value != host || origin.count > 1 ||
      (origin.count == 1 && origin.value != file.origin))
    return refusal("403 Forbidden");
  // What a browser asks for before it lets a page from the network read from this machine.
  const std::string rights = "Access-Control-Allow-Origin: " + file.origin +
                             "\r\nAccess-Control-Allow-Private-Network: true\r\n"
                             "Cache-Control: no-cache\r\n";
  const bool is_question = method == "OPTIONS";
  if (!is_question && method != "GET" && method != "HEAD")
    return refusal("405 Method Not Allowed", rights);
  if (path != file.path) return refusal("404 Not Found", rights);
  if (is_question)
    return {.head = "HTTP/1.1 204 No Content\r\n" + rights +
                    "Connection: close\r\nAccess-Control-Allow-Methods: GET, HEAD\r\n"
                    "Access-Control-Allow-Headers: *\r\nContent-Length: 0\r\n\r\n",
            .body = {}};
  const bool is_file = method == "GET";
  return {.head = "HTTP/1.1 200 OK\r\n" + rights +
                  "Connection: close\r\nContent-Type: application/octet-stream\r\n"
                  "Content-Length: " +
                  std::to_string(file.bytes.size()) + "\r\n\r\n",
          .body = is_file ? file.bytes : host::Bytes(),
          .is_file = is_file};
}

// One client, from accept to close. The socket is non-blocking, so no call waits.
class Connection {
 public:
  enum class State : std::uint8_t {
    kReading,
    kSending,
    kClosing,  // all is sent; waits until the client closes its end
    kOver
  };

  explicit Connection(int socket) : socket_(socket) {}
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection() { ::close(socket_); }

  State state() const { return state_; }
  pollfd wait() const {
    const int events = state_ == State::kSending ? POLLOUT : POLLIN;
    return {socket_, static_cast<short>(events), 0};
  }
  // Whether the whole file was sent.
  bool has_sent_file() const { return answer_.is_file && state_ > State::kSending; }

  void look_at_time(Clock::time_point now) {
    if (now < end_) return;
    if (state_ == State::kSending) answer_.is_file = false;
    state_ = State::kOver;
  }
  void go_on(const FileToServe& file, const std::string& host) {
    if (state_ == State::kReading) read(file, host);
    if (state_ == State::kSending) send();
    if (state_ == State::kClosing) await_end();
  }

 private:
  void read(const FileToServe& file, const std::string& host) {
    std::array<char, 2048> piece;
    const ssize_t got = ::recv(socket_, piece.data(), piece.size(), 0);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (got > 0) request_.append(piece.data(), static_cast<std::size_t>(got));
    // The end of the request may span two reads.
    const std::size_t from = request_.size() - std::min(request_.size(), piece.size() + 3);
    const bool is_whole = request_.find("\r\n\r\n", from) != std::string::npos;
    if (!is_whole && got > 0 && request_.size() < kMostRequest) return;
    answer_ = is_whole ? answer(request_, file, host) : refusal("400 Bad Request");
    state_ = State::kSending;
    end_ =
        Clock::now() + kPatience + std::chrono::seconds(answer_.body.size() / kLeastBytesPerSecond);
  }
  void send() {
    for (const auto* head = reinterpret_cast<const std::uint8_t*>(answer_.head.data());;) {
      const bool in_head = sent_ < answer_.head.size();
      const host::Bytes rest = in_head ? host::Bytes(head, answer_.head.size()).subspan(sent_)
                                       : answer_.body.subspan(sent_ - answer_.head.size());
      if (rest.empty()) break;
      const ssize_t sent = ::send(socket_, rest.data(), rest.size(), MSG_NOSIGNAL);
      if (sent < 0 && (errno == EAGAIN || errno == EINTR)) return;
      if (sent <= 0) {
        state_ = State::kOver;
        answer_.is_file = false;
        return;
      }
      sent_ += static_cast<std::size_t>(sent);
    }
    ::shutdown(socket_, SHUT_WR);
    state_ = State::kClosing;
    end_ = Clock::now() + kPatience;
  }
  void await_end() {
    std::array<char, 4096> rest;
    const ssize_t got = ::recv(socket_, rest.data(), rest.size(), 0);
    if (got > 0 || (got < 0 && (errno == EAGAIN || errno == EINTR))) return;
    state_ = State::kOver;
  }

  int socket_;
  State state_ = State::kReading;
  Clock::time_point end_ = Clock::now() + kPatience;
  std::string request_;
  Answer answer_;
  std::size_t sent_ = 0;
};

}  // namespace

host::Result<FileServer> FileServer::listen(unsigned port) {
  const std::string where = "127.0.0.1:" + std::to_string(port);
  const int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
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
  const auto end = Clock::now() + std::chrono::seconds(seconds);
  const std::string host = "127.0.0.1:" + std::to_string(port_);
  // Browsers open connections before they need them: whoever is silent keeps nobody waiting.
  std::vector<std::unique_ptr<Connection>> open;
  std::vector<pollfd> waits;
  while (seconds == 0 || Clock::now() < end) {
    meanwhile();
    waits.assign(1, {socket_, POLLIN, 0});
    for (const auto& connection : open) waits.push_back(connection->wait());
    if (::poll(waits.data(), waits.size(), kAskedEvery) < 0) continue;
    for (std::size_t i = 0; i < open.size(); ++i) {
      if (waits[i + 1].revents != 0) open[i]->go_on(file, host);
      open[i]->look_at_time(Clock::now());
      if (open[i]->state() == Connection::State::kOver && open[i]->has_sent_file()) return true;
    }
    std::erase_if(open, [](const auto& one) { return one->state() == Connection::State::kOver; });
    if (waits[0].revents == 0) continue;
    for (std::size_t i = 0; i < kMostOpen; ++i) {
      const int accepted = ::accept4(socket_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
      if (accepted < 0) break;
      open.push_back(std::make_unique<Connection>(accepted));
      if (open.size() <= kMostOpen) continue;
      // Drop the oldest client that has sent no request; the new one is such a client.
      open.erase(std::ranges::find_if(
          open, [](const auto& one) { return one->state() == Connection::State::kReading; }));
    }
  }
  return std::ranges::any_of(open, [](const auto& one) { return one->has_sent_file(); });
}

}  // namespace barefxt::serve
