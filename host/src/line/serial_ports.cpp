// By libserialport, which knows where Linux shows the USB device behind a port. Opening a port is
// ours (serial_line.cpp): libserialport refuses pseudo terminals and links, locks no port, and does
// not report the rate that it gets.
#include "serial_ports.h"

#include <algorithm>
#include <libserialport.h>
#include <memory>

namespace barefxt::line {
namespace {

std::string_view name_of(sp_transport transport) {
  switch (transport) {
    case SP_TRANSPORT_USB:
      return "usb";
    case SP_TRANSPORT_BLUETOOTH:
      return "bluetooth";
    case SP_TRANSPORT_NATIVE:
      break;
  }
  return "native";
}

std::string text_or_empty(const char* text) { return text == nullptr ? "" : text; }

SerialPort described(const sp_port* from) {
  SerialPort port;
  port.path = text_or_empty(sp_get_port_name(from));
  port.transport = name_of(sp_get_port_transport(from));
  int vendor = 0;
  int product = 0;
  if (sp_get_port_usb_vid_pid(from, &vendor, &product) == SP_OK)
    port.usb = {static_cast<uint16_t>(vendor), static_cast<uint16_t>(product)};
  port.manufacturer = text_or_empty(sp_get_port_usb_manufacturer(from));
  port.product = text_or_empty(sp_get_port_usb_product(from));
  port.serial_number = text_or_empty(sp_get_port_usb_serial(from));
  return port;
}

}  // namespace

host::Result<std::vector<SerialPort>> serial_ports() {
  sp_port** found = nullptr;
  if (sp_list_ports(&found) != SP_OK)
    return host::system_error("cannot list serial ports", sp_last_error_code(), {},
                              "they are found in /sys/class/tty; name the port with --serial");
  const std::unique_ptr<sp_port*, decltype(&sp_free_port_list)> owner(found, sp_free_port_list);
  std::vector<SerialPort> ports;
  for (sp_port** port = found; *port != nullptr; ++port) ports.push_back(described(*port));
  std::sort(ports.begin(), ports.end(),
            [](const SerialPort& a, const SerialPort& b) { return a.path < b.path; });
  return ports;
}

}  // namespace barefxt::line
