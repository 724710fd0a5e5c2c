// A machine's serial ports as libserialport reports them, ahead of that library. BAREFXT_PORTS
// names the machine: "several", "none", or "broken", which cannot list them.
#include <array>
#include <cerrno>
#include <cstdlib>
#include <libserialport.h>
#include <string_view>

struct sp_port {
  const char* name;
  sp_transport transport;
  int vendor;
  int product_id;
  const char* manufacturer;
  const char* product;
  const char* serial;
};

namespace {

std::array<sp_port, 4> ports = {{
    {"/dev/ttyUSB0", SP_TRANSPORT_USB, 0x0403, 0x6001, nullptr, "UART \x1b[31m\x80", nullptr},
    {"/dev/ttyACM0", SP_TRANSPORT_USB, 0x0483, 0x374b, "STMicroelectronics", "STM32 STLink", "066"},
    {"/dev/ttyS0", SP_TRANSPORT_NATIVE, -1, -1, nullptr, nullptr, nullptr},
    {"/dev/rfcomm1", SP_TRANSPORT_BLUETOOTH, -1, -1, nullptr, nullptr, nullptr},
}};
std::array<sp_port*, 5> listed = {&ports[0], &ports[1], &ports[2], &ports[3], nullptr};

char* changeable(const char* text) { return const_cast<char*>(text); }  // as the library has it

}  // namespace

extern "C" {

sp_return sp_list_ports(sp_port*** list) {
  const char* const machine = std::getenv("BAREFXT_PORTS");
  const std::string_view kind = machine == nullptr ? "none" : machine;
  *list = nullptr;
  if (kind == "broken") {
    errno = EACCES;
    return SP_ERR_FAIL;
  }
  *list = kind == "several" ? listed.data() : &listed.back();
  return SP_OK;
}
void sp_free_port_list(sp_port** /*list*/) {}
int sp_last_error_code() { return errno; }
char* sp_get_port_name(const sp_port* port) { return changeable(port->name); }
sp_transport sp_get_port_transport(const sp_port* port) { return port->transport; }
sp_return sp_get_port_usb_vid_pid(const sp_port* port, int* vendor, int* product) {
  if (port->vendor < 0) return SP_ERR_SUPP;
  *vendor = port->vendor;
  *product = port->product_id;
  return SP_OK;
}
char* sp_get_port_usb_manufacturer(const sp_port* port) { return changeable(port->manufacturer); }
char* sp_get_port_usb_product(const sp_port* port) { return changeable(port->product); }
char* sp_get_port_usb_serial(const sp_port* port) { return changeable(port->serial); }
}
