// A line between a machine and the command, which does to what the machine sends what real lines
// do: it loses bytes, and mixes in what others write to the same log. The command has it as a
// terminal, the machine as a socket.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <thread>

namespace barefxt::test {

class LineBetween {
 public:
  // Among the first `disturbed_bytes` of the machine a byte is lost every so often, and a line of
  // text comes in between; the rest is left alone. The command keeps its input in `taken`: the line
  // is held until all of it is there, since a terminal that hangs up drops the bytes that were not
  // read yet.
  LineBetween(std::string machine_socket, uint64_t disturbed_bytes, std::string taken);
  ~LineBetween();
  LineBetween(const LineBetween&) = delete;
  LineBetween& operator=(const LineBetween&) = delete;

  // The terminal that the command is to read.
  const std::string& terminal() const { return terminal_; }

  uint64_t lost_bytes() const { return lost_bytes_; }
  // Bytes that the command has sent to the machine.
  uint64_t asked_bytes() const { return asked_bytes_; }

 private:
  void carry();
  std::string as_it_arrives(const char* bytes, size_t count);
  void wait_until_all_is_taken() const;

  std::string machine_socket_;
  uint64_t disturbed_bytes_;
  std::string taken_;
  uint64_t sent_bytes_ = 0;     // by the machine
  uint64_t arrived_bytes_ = 0;  // at the terminal
  std::atomic<uint64_t> lost_bytes_ = 0;
  std::atomic<uint64_t> asked_bytes_ = 0;
  std::string terminal_;
  int master_ = -1;
  int slave_ = -1;  // kept open, so that the terminal lives before and between its readers
  std::thread thread_;
};

}  // namespace barefxt::test
