// The instructions of an image, by function, the source lines they come from, and its sizes, by
// llvm-objdump and llvm-symbolizer.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace barefxt::test {

struct Instruction {
  uint64_t address;
  std::string text;
  bool is_padding;  // between functions and loops: never executed
};

struct Function {
  std::string name;  // as the linker knows it
  std::vector<Instruction> instructions;
};

std::vector<Function> functions_of(const std::string& image);

struct SourceLine {
  std::string file;  // its path
  unsigned line;
  std::string text;
};

// Returns each address's line, and those that it was inlined from, innermost first.
std::vector<std::vector<SourceLine>> lines_of(const std::string& image,
                                              const std::vector<uint64_t>& addresses);

struct Section {
  std::string name;
  std::string kind;  // TEXT, DATA, BSS, or none where it is not in the target's memory
  uint64_t bytes;
};
std::vector<Section> sections_of(const std::string& image);

// Code, constants, and what variables begin with.
uint64_t flash_bytes(const std::string& image);
// Variables.
uint64_t ram_bytes(const std::string& image);

// Returns the size in bytes of the variable with this symbol. 0: there is none.
uint64_t symbol_bytes(const std::string& image, const std::string& name);

}  // namespace barefxt::test
