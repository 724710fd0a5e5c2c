// `barefxt capture --list` on machines with and without serial ports (preloaded_ports.cpp), and on
// this one.
#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>
#include <pty.h>
#include <unistd.h>

#include "hostile/shell.h"

namespace barefxt::test::serial_ports_test {
namespace {

class SerialPorts : public Shell {
 protected:
  int list(const char* machine, const std::string& options = "") {
    ::setenv("BAREFXT_PORTS", machine,
             1);  // in the line, the command's path would replace its name
    return run("LD_PRELOAD='" BAREFXT_PRELOADED
               "' ASAN_OPTIONS=\"$ASAN_OPTIONS:verify_asan_link_order=0\" BAREFXT capture --list" +
               options);
  }
};

TEST_F(SerialPorts, AreListedByPathWithWhatTheirDevicesAre) {
  ASSERT_EQ(list("several"), 0) << messages();
  EXPECT_EQ(printed(),
            "/dev/rfcomm1  bluetooth\n"
            "/dev/ttyACM0  usb 0483:374b STMicroelectronics STM32 STLink (serial number 066)\n"
            "/dev/ttyS0    native\n"
            "/dev/ttyUSB0  usb 0403:6001 UART \\u001b[31m\xef\xbf\xbd\n");
  EXPECT_EQ(messages(), "");
}

TEST_F(SerialPorts, AreLinesOfJson) {
  ASSERT_EQ(list("several", " --json"), 0) << messages();
  EXPECT_EQ(printed(),
            R"({"path":"/dev/rfcomm1","transport":"bluetooth"})"
            "\n"
            R"({"path":"/dev/ttyACM0","transport":"usb","vendor_id":1155,"product_id":14155,)"
            R"("manufacturer":"STMicroelectronics","product":"STM32 STLink","serial_number":"066"})"
            "\n"
            R"({"path":"/dev/ttyS0","transport":"native"})"
            "\n"
            R"({"path":"/dev/ttyUSB0","transport":"usb","vendor_id":1027,"product_id":24577,)"
            "\"product\":\"UART \\u001b[31m\xef\xbf\xbd\"}\n");
}

TEST_F(SerialPorts, OfAMachineWithoutAnyAreNoFailure) {
  ASSERT_EQ(list("none"), 0) << messages();
  EXPECT_EQ(printed(), "no serial port found\n");
  ASSERT_EQ(list("none", " --json"), 0) << messages();
  EXPECT_EQ(printed(), "");
}

TEST_F(SerialPorts, ThatCannotBeListedAreAFailureWithAHint) {
  EXPECT_EQ(list("broken"), 2);
  EXPECT_EQ(messages(),
            "barefxt: cannot list serial ports: Permission denied. Hint: they are found in "
            "/sys/class/tty; name the port with --serial\n");
}

// By the library itself.
TEST_F(SerialPorts, OfThisMachineDoNotIncludeItsPseudoTerminals) {
  int target = -1;
  int port = -1;
  ASSERT_EQ(openpty(&target, &port, nullptr, nullptr, nullptr), 0);
  EXPECT_EQ(run("BAREFXT capture --list"), std::filesystem::exists("/sys/class/tty") ? 0 : 2)
      << messages();
  EXPECT_TRUE(lacks(printed(), "/dev/pts"));
  close(target);
  close(port);
}

}  // namespace
}  // namespace barefxt::test::serial_ports_test
