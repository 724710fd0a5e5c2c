#include "connection.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <sys/socket.h>
#include <unistd.h>

namespace barefxt::serve {
namespace {

// Sending the file may take longer than kPatience, at this rate.
constexpr size_t kMinBytesPerSecond = size_t{1} << 20;
constexpr std::string_view kEndOfHead = "\r\n\r\n";

}  // namespace

Connection::~Connection() { ::close(socket_); }

pollfd Connection::wait() const {
  const int events = state_ == State::kSending ? POLLOUT : POLLIN;
  return {socket_, static_cast<short>(events), 0};
}

void Connection::look_at_time(Clock::time_point now) {
  if (now < end_) return;
  if (state_ == State::kSending) answer_.is_file = false;
  state_ = State::kOver;
}

void Connection::go_on(const FileToServe& file, const std::string& host) {
  if (state_ == State::kReading) read(file, host);
  if (state_ == State::kSending) send();
  if (state_ == State::kClosing) await_end();
}

void Connection::read(const FileToServe& file, const std::string& host) {
  std::array<char, 2048> piece;
  const ssize_t got = ::recv(socket_, piece.data(), piece.size(), 0);
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
  // The end of the head may span two reads.
  const size_t from = request_.size() - std::min(request_.size(), kEndOfHead.size() - 1);
  if (got > 0) request_.append(piece.data(), static_cast<size_t>(got));
  const size_t end = request_.find(kEndOfHead, from);
  const bool is_whole = end != std::string::npos && end + kEndOfHead.size() <= kMaxRequest;
  if (!is_whole && got > 0 && request_.size() < kMaxRequest) return;
  // A body is ignored.
  if (is_whole) request_.resize(end + kEndOfHead.size());
  answer_ = is_whole ? answer(request_, file, host) : bad_request();
  state_ = State::kSending;
  end_ = Clock::now() + kPatience + std::chrono::seconds(answer_.body.size() / kMinBytesPerSecond);
}

void Connection::send() {
  for (const auto* head = reinterpret_cast<const uint8_t*>(answer_.head.data());;) {
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
    sent_ += static_cast<size_t>(sent);
  }
  ::shutdown(socket_, SHUT_WR);
  state_ = State::kClosing;
  end_ = Clock::now() + kPatience;
}

void Connection::await_end() {
  std::array<char, 4096> rest;
  const ssize_t got = ::recv(socket_, rest.data(), rest.size(), 0);
  if (got > 0 || (got < 0 && (errno == EAGAIN || errno == EINTR))) return;
  state_ = State::kOver;
}

}  // namespace barefxt::serve
