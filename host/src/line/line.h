// Bytes from a target, or from a program beside it, as they arrive: a serial port, a socket, a
// pipe, a file that grows.
//
// Invariants: a read never blocks; opening ends at an interrupt and at a deadline; closing restores
// the settings that a port had before.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include <barefxt/host/status.h>

#include "patience.h"

namespace barefxt::line {

enum class LineState : uint8_t {
  kOpen,
  kEnded,    // the other side closed it, orderly
  kBroken,   // the cable was pulled, or the device is gone: see `why` of the read
  kWaiting,  // a file that grows has no more bytes yet, and nothing signals new ones
};

struct ReadResult {
  size_t bytes = 0;
  LineState state = LineState::kOpen;
  std::string why;
  int error = 0;  // of errno, where it is broken
};

class Line {
 public:
  virtual ~Line() = default;

  // As people know it: /dev/ttyUSB0, board.local:9090.
  const std::string& name() const { return name_; }
  // For poll(): readable where a read would give something. -1: a read has to try.
  virtual int handle() const = 0;
  virtual ReadResult read(std::span<uint8_t> into) = 0;

  // Bytes can go the other way, too.
  virtual bool has_way_back() const { return false; }
  // All of them, which are few; or why not.
  virtual host::Status write(std::span<const uint8_t> bytes);

 protected:
  explicit Line(std::string name) : name_(std::move(name)) {}

 private:
  std::string name_;
};

enum class FlowControl : uint8_t { kNone, kXonXoff, kRtsCts };

struct SerialSettings {
  int baud = 115200;
  FlowControl flow_control = FlowControl::kNone;
};

using Opened = host::Result<std::unique_ptr<Line>>;

// 8 data bits, no parity, one stop bit. Any rate that the system can set.
Opened open_serial(const std::string& path, const SerialSettings& settings);
Opened open_unix(const std::string& path, const Patience& patience);
// HOST:PORT, or [ADDRESS]:PORT where the address has colons itself. `rtt_channel`: the other side
// is a J-Link's server, to be asked for this channel.
Opened open_tcp(const std::string& address, std::optional<int> rtt_channel,
                const Patience& patience);
// PORT, or ADDRESS:PORT of this machine. Takes the first that connects, and waits for it.
Opened open_listening(const std::string& address, const Patience& patience);
// The same for datagrams, of any senders in the order of arrival. The way back goes to the sender
// of the last one; what is written before there is one is lost, as datagrams may be.
Opened open_udp(const std::string& address, const Patience& patience);
Opened open_standard_input();
// Reads from the beginning, then what is appended. A pipe may get its writers later, one after
// another.
Opened follow_file(const std::string& path);

}  // namespace barefxt::line
