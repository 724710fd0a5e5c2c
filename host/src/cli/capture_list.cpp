// barefxt capture --list: the serial ports, for people and for programs.
#include <algorithm>
#include <string>
#include <unistd.h>
#include <vector>

#include <barefxt/host/json.h>
#include <barefxt/host/safe_text.h>

#include "capture_options.h"
#include "line/serial_ports.h"
#include "messages.h"

namespace barefxt::cli {
namespace {

std::string ids_of(const line::UsbIds& usb) {
  return host::formatted("{:04x}:{:04x}", usb.vendor, usb.product);
}

void print_json(host::Output& out, const line::SerialPort& port) {
  {
    host::JsonObject object(out);
    object.string("path", port.path);
    object.string("transport", port.transport);
    if (port.usb) {
      object.number("vendor_id", port.usb->vendor);
      object.number("product_id", port.usb->product);
    }
    if (!port.manufacturer.empty()) object.string("manufacturer", port.manufacturer);
    if (!port.product.empty()) object.string("product", port.product);
    if (!port.serial_number.empty()) object.string("serial_number", port.serial_number);
  }
  out.character('\n');
}

void print_human(host::Output& out, const line::SerialPort& port, size_t width) {
  std::string text = port.path + std::string(width - port.path.size(), ' ');
  host::append(text, "  {}", port.transport);
  if (port.usb) host::append(text, " {}", ids_of(*port.usb));
  if (!port.manufacturer.empty()) host::append(text, " {}", port.manufacturer);
  if (!port.product.empty()) host::append(text, " {}", port.product);
  if (!port.serial_number.empty()) host::append(text, " (serial number {})", port.serial_number);
  out.text(host::safe_text(text));
  out.character('\n');
}

}  // namespace

int list_serial_ports(bool json) {
  const auto ports = line::serial_ports();
  if (!ports.ok()) return complain(ports.error());
  host::DescriptorOutput out(STDOUT_FILENO);
  size_t width = 0;
  for (const line::SerialPort& port : ports.value()) width = std::max(width, port.path.size());
  for (const line::SerialPort& port : ports.value())
    json ? print_json(out, port) : print_human(out, port, width);
  if (ports.value().empty() && !json) out.text("no serial port found\n");
  return finish_output(out, kDone);
}

}  // namespace barefxt::cli
