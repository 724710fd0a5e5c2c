// A kernel that runs in QEMU while the test looks at it from outside: over QEMU's own monitor
// (QMP), with gdb, and in the file that is its memory.
#pragma once

#include <cstdint>
#include <future>
#include <string>
#include <vector>

#include "qemu.h"

namespace barefxt::test {

class Machine {
 public:
  // Boots it with all that.
  explicit Machine(Boot options);
  ~Machine();
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  // Files of the test beside it, removed with it.
  std::string file(const std::string& name) const { return directory_ + "/" + name; }
  // The file that is its memory, from this address on.
  std::string memory() const { return file("ram"); }
  uint64_t memory_base() const { return memory_.base; }
  size_t memory_bytes() const { return memory_.bytes; }

  // The targets whose machine's memory can be a file, at least the part with the rings.
  static std::vector<std::string> targets();
  struct Memory {
    uint64_t base;
    size_t bytes;
    bool is_all;
    // True if QEMU's core has the program's flash as well: not if that is behind a memory
    // protection controller.
    bool core_has_flash;
  };
  static const Memory& memory_of(const std::string& target);

  // One command of QMP, as JSON; fails the test where QEMU calls it an error.
  void send(const std::string& command);
  // Runs these commands in gdb, attached to it. It runs on afterwards.
  Output gdb(const std::string& commands) const;
  // The end of QEMU, wherever it is.
  void kill();
  bool is_over() const;
  // Waits for the end of the run.
  const Booted& wait();

 private:
  bool connect();
  std::string line();

  std::string directory_;
  std::string build_;
  Memory memory_;
  int monitor_ = -1;
  std::string received_;
  std::future<Booted> run_;
  Booted over_;
};

}  // namespace barefxt::test
