// One client of the server, from accept to close.
//
// Invariants: no call waits, given a non-blocking socket; the request is bounded in size, and each
// state in time; what is sent depends on the request's head alone, not on how it arrives.
#pragma once

#include <chrono>
#include <cstdint>
#include <poll.h>
#include <string>

#include "request.h"

namespace barefxt::serve {

class Connection {
 public:
  using Clock = std::chrono::steady_clock;

  // A longer request is refused.
  static constexpr size_t kMaxRequest = 16384;

  enum class State : uint8_t {
    kReading,
    kSending,
    kClosing,  // all is sent; waits until the client closes its end
    kOver
  };

  // Takes the socket, and closes it at the end.
  explicit Connection(int socket) : socket_(socket) {}
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection();

  State state() const { return state_; }
  pollfd wait() const;
  // It gets, or got, the file.
  bool has_file() const { return answer_.is_file; }
  // The whole file was sent.
  bool has_sent_file() const { return answer_.is_file && state_ > State::kSending; }

  void look_at_time(Clock::time_point now);
  void go_on(const FileToServe& file, const std::string& host);

 private:
  // The limit for a request to arrive, for an answer without the file to leave, and for the client
  // to close its end.
  static constexpr auto kPatience = std::chrono::seconds(10);

  void read(const FileToServe& file, const std::string& host);
  void send();
  void await_end();

  int socket_;
  State state_ = State::kReading;
  Clock::time_point end_ = Clock::now() + kPatience;
  std::string request_;
  Answer answer_;
  size_t sent_ = 0;
};

}  // namespace barefxt::serve
