// Serial ports, and what looks like one: terminals of any kind, pseudo terminals among them.
//
// Uses Linux's own calls. POSIX has a fixed list of rates; Linux takes any rate that the port's
// clock can be divided to, and returns the actual one.
#include <asm/termbits.h>
#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <utility>

#include <barefxt/host/status.h>

#include "handle_line.h"

namespace barefxt::line {
namespace {

// By how much a rate may be off: receivers follow to about 5 in 100 over a byte, and the other side
// is not exact either.
constexpr unsigned kPercentOff = 3;

class SerialLine final : public TwoWayLine {
 public:
  SerialLine(std::string name, int handle, const termios2& before)
      : TwoWayLine(std::move(name), handle), before_(before) {}
  ~SerialLine() override {
    ioctl(handle(), TCSETS2, &before_);
    ioctl(handle(), TIOCNXCL);
  }
  SerialLine(const SerialLine&) = delete;
  SerialLine& operator=(const SerialLine&) = delete;

  ReadResult read(std::span<uint8_t> into) override {
    ReadResult result = TwoWayLine::read(into);
    if (is_gone(result)) result = {0, LineState::kBroken, "the device is gone"};
    return result;
  }

 private:
  // A terminal that hung up reads as ended from then on; one that is hanging up, or whose driver
  // takes it away, as broken.
  static bool is_gone(const ReadResult& result) {
    return result.state == LineState::kEnded || result.error == EIO || result.error == ENODEV ||
           result.error == ENXIO;
  }

  termios2 before_;
};

// Bytes as they are, 8 data bits, no parity, one stop bit, no modem's lines; a read that finds
// nothing returns.
termios2 raw(termios2 settings, const SerialSettings& wanted) {
  settings.c_iflag = wanted.flow_control == FlowControl::kXonXoff ? IXON | IXOFF : 0;
  settings.c_oflag = 0;
  settings.c_lflag = 0;
  settings.c_cflag = CS8 | CREAD | CLOCAL | BOTHER | (BOTHER << IBSHIFT);
  if (wanted.flow_control == FlowControl::kRtsCts) settings.c_cflag |= CRTSCTS;
  settings.c_ispeed = static_cast<speed_t>(wanted.baud);
  settings.c_ospeed = static_cast<speed_t>(wanted.baud);
  settings.c_cc[VMIN] = 1;
  settings.c_cc[VTIME] = 0;
  return settings;
}

host::Error in_use(const std::string& path) {
  return {"is in use by another program", path,
          "end the other capture or terminal program; lsof names it"};
}

bool is_near(unsigned rate, unsigned wanted) {
  const unsigned off = rate > wanted ? rate - wanted : wanted - rate;
  return uint64_t{off} * 100 <= uint64_t{wanted} * kPercentOff;
}

}  // namespace

Opened open_serial(const std::string& path, const SerialSettings& settings) {
  const int handle = open(path.c_str(), O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
  if (handle < 0 && errno == EBUSY) return in_use(path);
  if (handle < 0)
    return host::system_error("cannot open", errno, path,
                              errno == EACCES   ? "are you in the group dialout?"
                              : errno == ENOENT ? "barefxt capture --list shows the ports"
                                                : "");
  termios2 before = {};
  if (ioctl(handle, TCGETS2, &before) != 0) {
    close(handle);
    return host::Error{"not a serial port", path, {}};
  }
  // Two readers would each get half. The lock also excludes root, which TIOCEXCL does not, and ends
  // with the process.
  if (flock(handle, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    close(handle);
    return in_use(path);
  }
  // From here on the line restores and closes it.
  auto line = std::make_unique<SerialLine>(path, handle, before);
  if (ioctl(handle, TIOCEXCL) != 0)
    return host::system_error("cannot be opened exclusively", errno, path);
  const termios2 wanted = raw(before, settings);
  termios2 now = {};
  if (ioctl(handle, TCSETS2, &wanted) != 0 || ioctl(handle, TCGETS2, &now) != 0)
    return host::system_error("cannot set up the port", errno, path);
  if (!is_near(now.c_ispeed, wanted.c_ispeed))
    return host::Error{
        host::formatted("the port runs at {} baud rather than {}", now.c_ispeed, settings.baud),
        path, "set both sides to a rate that this port has"};
  return std::unique_ptr<Line>(std::move(line));
}

}  // namespace barefxt::line
