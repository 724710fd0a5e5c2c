// Boots the kernel in QEMU and gives back what came out of it.
#pragma once

#include <string>
#include <vector>

#include "host-tests/contains.h"

namespace barefxt::test {

struct Boot {
  std::string build = "aarch64";  // folder of the cross build, which also names the machine
  std::string image = {};         // of that build; empty: see image_path
  std::string arguments = {};     // of the kernel, "key=value key=value"
  bool counting = false;          // on one CPU, whose counter counts instructions
  // The machine's CPUs stop each other anywhere, as often as possible: for tests that look for
  // that.
  bool breaks_in = false;
  // The CPUs check each other at boot, as always in a full run. With more of them than the host has
  // that takes several times as long as the demo, so by default one test of each image does it.
  bool checks_cpus = false;
  // Its code stays in memory over resets, see kept_code.h: for runs with many.
  bool keeps_code = false;
  // Ends a machine that hangs. Many times what any takes alone: beside machines of four CPUs each,
  // one has been seen to take ten times as long.
  unsigned timeout_seconds = 600;
  std::string serial = "file:uart.raw";  // where the serial line goes, in QEMU's syntax
  std::string extra = {};                // options of QEMU
};

struct Booted {
  int status = -1;        // what the kernel ended with; 124 where the time ran out
  std::string directory;  // of this run's files, removed by the destructor
  std::string uart;       // path of the serial line's bytes

  Booted() = default;
  Booted(Booted&& other) noexcept { *this = static_cast<Booted&&>(other); }
  Booted& operator=(Booted&& other) noexcept;
  ~Booted();

  std::string file(const std::string& name) const { return directory + "/" + name; }
};

Booted boot(const Boot& options);

// Path of the image, even if it is not there. Without a name it is the kernel that has all modes:
// kernel_roomy if the machine lacks the RAM for that, and then gets more.
std::string image_path(const std::string& build, const std::string& image = {});

struct Output {
  int status = -1;
  std::string out;  // standard output
  std::string err;
};

// Through a shell.
Output run_command(const std::string& command);
// The command barefxt with these arguments.
Output barefxt(const std::string& arguments);

std::string read_file(const std::string& path);
void write_file(const std::string& path, const std::string& bytes);

}  // namespace barefxt::test
