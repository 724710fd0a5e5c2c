// Small ELF programs whose function symbols the test chooses.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rebuild/capture_builder.h"

namespace barefxt::test {

struct FunctionSymbol {
  size_t name;  // its offset in the names
  uint64_t address;
};

// Makes a 64-bit program for AArch64. `names` is the string table; its byte 0 must be zero. A `map`
// that is not empty becomes an xray_instr_map of version 0 with one entry for each address, and
// such a build id a note.
Bytes function_elf(const std::string& names, const std::vector<FunctionSymbol>& symbols,
                   const std::vector<uint64_t>& map = {}, const std::string& build_id = "");

// Returns a mangled C++ name in which each of `levels` parts doubles the one before.
std::string doubling_name(unsigned levels);

}  // namespace barefxt::test
