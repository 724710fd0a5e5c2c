// The instructions of an image, by function, and the source lines they come from: as llvm-objdump
// and llvm-symbolizer tell.
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

// Of each address the line, and those that it was inlined from, innermost first.
std::vector<std::vector<SourceLine>> lines_of(const std::string& image,
                                              const std::vector<uint64_t>& addresses);

}  // namespace barefxt::test
