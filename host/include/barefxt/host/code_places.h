// Lines of the source, and functions that were inlined there, for addresses of a program: from its
// DWARF sections of versions 2 to 5.
//
// Not by libdw, which trusts what a file claims of itself (see elf_file.h). Nothing is read outside
// of the sections, and the work is bounded by a multiple of their size: of a damaged file, places
// are missing. Compressed sections and split debug information are not read.
#pragma once

#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include <barefxt/host/elf_file.h>

namespace barefxt::host {

// Texts are views into the file's bytes, and so end with them.
struct CodePlace {
  std::string_view function;   // of an inlined function, mangled; empty: as the symbols say
  std::string_view directory;  // of the file, if that is not named by itself
  std::string_view file;       // empty: not known
  uint64_t line = 0;
};

// The places of each address that has any, innermost first: the last one is the function that holds
// the code, the others were inlined into it.
using CodePlaces = std::map<uint64_t, std::vector<CodePlace>>;
// `addresses` in order, each once.
CodePlaces places_in_code(const ElfFile& program, const std::vector<uint64_t>& addresses);

}  // namespace barefxt::host
