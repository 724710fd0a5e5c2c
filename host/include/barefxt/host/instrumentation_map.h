// Which function an id of an XRay log is: the section xray_instr_map of the image that ran, and its
// symbols.
//
// Ids count the runs of entries of one function, from 1 on, as the target's runtime and LLVM's
// tools count them. Names are those of FunctionNames.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <barefxt/host/elf_file.h>
#include <barefxt/host/name_texts.h>

namespace barefxt::host {

class InstrumentationMap {
 public:
  // `name` is the file's, for people. The ELF file's bytes are not needed afterwards.
  static Result<InstrumentationMap> read(const ElfFile& file, const std::string& name);

  // Ids are 1 to this.
  uint32_t functions() const { return static_cast<uint32_t>(addresses_.size()); }
  uint64_t address(uint32_t id) const { return addresses_[id - 1]; }
  // Returns an empty name for an id that is not in the map, or whose function has no symbol. Valid
  // until the next call.
  std::string_view name(uint32_t id) const {
    return id == 0 || id > addresses_.size() ? std::string_view() : texts_.shown(id - 1);
  }

 private:
  std::vector<uint64_t> addresses_;  // by id
  NameTexts texts_;                  // by position in addresses_
};

}  // namespace barefxt::host
