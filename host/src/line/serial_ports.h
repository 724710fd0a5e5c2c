// The serial ports of this machine, and the USB devices behind them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <barefxt/host/status.h>

namespace barefxt::line {

struct UsbIds {
  uint16_t vendor;
  uint16_t product;
};

struct SerialPort {
  std::string path;
  std::string_view transport;  // native, usb or bluetooth
  // A USB device has these. Text is as the device sends it, empty where it has none.
  std::optional<UsbIds> usb;
  std::string manufacturer;
  std::string product;
  std::string serial_number;
};

// Returns the ports that a device is behind, by path. Pseudo terminals are not among them. Opens
// none for reading, but asks old PC ports for their kind.
host::Result<std::vector<SerialPort>> serial_ports();

}  // namespace barefxt::line
