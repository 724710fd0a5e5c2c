// Names of interrupts, by the number that a target records (argument "irq"): from a list that a
// person wrote, or from the vector table of the program that ran.
//
// Invariant: memory is bounded by kMax for any list and any program.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include <barefxt/host/elf_file.h>
#include <barefxt/host/status.h>

namespace barefxt::host {

class InterruptNames {
 public:
  // Limits of a list.
  static constexpr size_t kMax = 65536;
  static constexpr size_t kMaxNameBytes = 255;
  // Vectors of a Cortex-M: 16 of the core, and at most 480 more.
  static constexpr uint32_t kCoreVectors = 16;
  static constexpr uint32_t kMaxVectors = 496;

  // The functions that a Cortex-M's vector table leads to, by exception number, as IPSR has it, and
  // those of Zephyr's own table behind it. A function that several vectors share names none of
  // them. Empty for other programs: on other CPUs handlers are registered at run time.
  static InterruptNames read(const ElfFile& program);

  // Lines of a number and a name, `37 UART0`; `#` begins a comment. `file` is for messages.
  static Result<InterruptNames> parse(std::string_view list, const std::string& file);

  // Adds those of `others` whose numbers have no name yet.
  void add(const InterruptNames& others) {
    names_.insert(others.names_.begin(), others.names_.end());
  }

  // Returns an empty text if there is none.
  std::string_view name(uint32_t number) const;
  bool empty() const { return names_.empty(); }

 private:
  std::map<uint32_t, std::string> names_;
};

}  // namespace barefxt::host
