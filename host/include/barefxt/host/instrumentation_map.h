// Which function an id of an XRay log is: the section xray_instr_map of the image that ran, and its
// symbols.
//
// Ids count the runs of entries of one function, from 1 on, as the target's runtime and LLVM's
// tools count them. Names are demangled.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <barefxt/host/elf_file.h>

namespace barefxt::host {

class InstrumentationMap {
 public:
  // `name` is the file's, for people. The ELF file's bytes are not needed afterwards.
  static Result<InstrumentationMap> read(const ElfFile& file, const std::string& name);

  // Ids are 1 to this.
  uint32_t functions() const { return static_cast<uint32_t>(functions_.size()); }
  uint64_t address(uint32_t id) const { return functions_[id - 1].address; }
  // Empty for an id that the map does not have, or whose function has no symbol.
  std::string_view name(uint32_t id) const {
    return id == 0 || id > functions_.size() ? std::string_view() : functions_[id - 1].name;
  }

 private:
  struct Function {
    uint64_t address;
    std::string name;
  };
  std::vector<Function> functions_;
};

}  // namespace barefxt::host
