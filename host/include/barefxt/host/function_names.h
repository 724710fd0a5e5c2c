// Names of a program's functions, by address and by the form in which a recording target identifies
// them.
//
// Names are demangled on request and cut at kMaxNameBytes. A name that could grow beyond the
// demangler's bound (see demangle.cpp) stays mangled.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <barefxt/host/elf_file.h>
#include <barefxt/host/name_texts.h>

namespace barefxt::host {

std::string demangled(std::string_view name);

// The functions of a file in the order of their addresses, one for each: of several names the first
// by the alphabet, so that it is always the same. As long as the file's bytes live.
class FunctionSymbols {
 public:
  explicit FunctionSymbols(const ElfFile& file);

  const std::vector<ElfFile::Function>& all() const { return functions_; }
  // Empty where no function begins there.
  std::string_view at(uint64_t address) const;
  // The function that has this address within, or before the next function if its size is not
  // known. Null: there is none.
  const ElfFile::Function* around(uint64_t address) const;
  // Clears the bit that marks Thumb code in an address.
  uint64_t code(uint64_t address) const { return address & code_; }

 private:
  uint64_t code_;
  std::vector<ElfFile::Function> functions_;
};

// Indexed by the number in a ring's call records: see fxt::CallRecord.
class FunctionNames {
 public:
  // Nothing where the program records no calls. The file's bytes are not needed afterwards.
  static std::optional<FunctionNames> read(const ElfFile& file);

  // Returns an empty name if there is none. Valid until the next call.
  std::string_view name(uint32_t function) const;
  // For people: `function#N` where there is none, or no names at all.
  static std::string name_for_people(const FunctionNames* names, uint32_t function);

 private:
  std::vector<uint32_t> numbers_;  // in order
  NameTexts texts_;                // by position in numbers_
};

}  // namespace barefxt::host
