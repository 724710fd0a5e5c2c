#include "line_faults.h"

#include <algorithm>

namespace barefxt::test {

LineFaults::Place LineFaults::behind(const Bytes& line, Place at, size_t count) {
  return std::min(at + static_cast<Place>(count), static_cast<Place>(line.size()));
}

void LineFaults::strike(Bytes& line, bool is_text) {
  switch (below(is_text ? 9 : 7)) {
    case 0:
      return drop(line);
    case 1:
      return flip(line);
    case 2:
      return repeat(line);
    case 3:
      return insert(line);
    case 4:
      return reorder(line);
    case 5:
      return cut(line);
    case 6:
    case 7:
      return add_console_text(line);
    default:
      return add_to_line_ends(line);
  }
}

void LineFaults::drop(Bytes& line) {
  // A byte, as a UART without flow control does; or as much as a buffer holds.
  const Place at = anywhere(line);
  line.erase(line.begin() + at, line.begin() + behind(line, at, 1 + below(below(2) ? 3 : 3000)));
}

void LineFaults::flip(Bytes& line) {
  if (line.empty()) return;
  for (size_t flips = 1 + below(4); flips > 0; --flips)
    line[below(line.size())] ^= static_cast<uint8_t>(1 + below(255));
}

void LineFaults::repeat(Bytes& line) {
  // Only a part, since the whole could be another boot's.
  const Place at = anywhere(line);
  const size_t most = std::min<size_t>(4000, line.size() / 2);
  const Place end = behind(line, at, 1 + below(below(2) ? 3 : most));
  const Bytes again(line.begin() + at, line.begin() + end);
  line.insert(line.begin() + (below(2) ? end : anywhere(line)), again.begin(), again.end());
}

void LineFaults::insert(Bytes& line) {
  Bytes noise(1 + below(200));
  const bool zeros = below(4) == 0;
  for (uint8_t& byte : noise) byte = static_cast<uint8_t>(zeros ? 0 : below(256));
  line.insert(line.begin() + anywhere(line), noise.begin(), noise.end());
}

void LineFaults::reorder(Bytes& line) {
  const Place first = anywhere(line);
  const Place middle = behind(line, first, 1 + below(3000));
  const Place end = behind(line, middle, 1 + below(3000));
  std::rotate(line.begin() + first, line.begin() + middle, line.begin() + end);
}

void LineFaults::cut(Bytes& line) {
  const Place at = anywhere(line);
  if (below(3) == 0)
    line.erase(line.begin(), line.begin() + at / 4);
  else
    line.erase(line.begin() + (at + 3 * static_cast<Place>(line.size())) / 4, line.end());
}

void LineFaults::add_console_text(Bytes& line) {
  const std::string texts[] = {"\nkernel: temperature is 57 degrees\n",
                               "[   12.345678] usb 1-1: new device\r\n",
                               "panic",
                               "\x1b[31mred\x1b[0m\n",
                               "\nbarefxt: is a tracer\n",
                               "\nbarefxt:AAAA\n",
                               "\r\n",
                               "w"};
  const std::string& text = texts[below(std::size(texts))];
  line.insert(line.begin() + anywhere(line), text.begin(), text.end());
}

void LineFaults::add_to_line_ends(Bytes& line) {
  const std::string stamp = below(2) ? "2026-11-21T10:11:12Z " : "";
  Bytes logged;
  for (const uint8_t byte : line) {
    if (byte == '\n') logged.push_back('\r');
    logged.push_back(byte);
    if (byte == '\n') logged.insert(logged.end(), stamp.begin(), stamp.end());
  }
  line = logged;
}

}  // namespace barefxt::test
