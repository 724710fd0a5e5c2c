#include "masked_windows.h"

#include <algorithm>
#include <cstdlib>
#include <map>

namespace barefxt::test {
namespace {

constexpr size_t kTooLong = 200;

// Texts of llvm-objdump, up to where operands differ: AArch64, x86-64, Arm, RISC-V.
bool masks(const std::string& text) {
  if (text.compare(0, 3, "csr") == 0)
    return text.compare(0, 6, "csrrci") == 0 || text.compare(0, 5, "csrci") == 0;
  return text.compare(0, 5, "cpsid") == 0 || text == "cli" ||
         text.find("daifset") != std::string::npos || text.find("DAIFSet") != std::string::npos;
}
bool unmasks(const std::string& text) {
  return text.compare(0, 4, "csrs") == 0 || text.compare(0, 5, "cpsie") == 0 ||
         text.find("msr\tprimask") == 0;
}

std::string mnemonic_of(const std::string& text) {
  return text.substr(0, text.find_first_of(" \t"));
}

// Returns the target of a branch such as "beq a3, a4, 0x8000079c <function+0x18>"; 0: it is none.
uint64_t target_of(const std::string& text) {
  const size_t name = text.find(" <");
  if (name == std::string::npos) return 0;
  const size_t address = text.rfind("0x", name);
  return address == std::string::npos ? 0 : std::strtoull(text.c_str() + address, nullptr, 16);
}

class Walk {
 public:
  Walk(const std::vector<Function>& functions, MaskedWindows& found) : found_(found) {
    for (const Function& function : functions)
      for (const Instruction& instruction : function.instructions)
        text_[instruction.address] = instruction.text;
  }

  void from(uint64_t mask) { go(std::next(text_.find(mask)), 0); }

 private:
  using At = std::map<uint64_t, std::string>::const_iterator;

  void fail(const At& at) {
    found_.endless.push_back(at == text_.end() ? "the end of the code" : at->second);
  }

  void go(At at, size_t length) {
    for (;; ++at) {
      if (at == text_.end() || ++length > kTooLong) return fail(at);
      const auto& [address, text] = *at;
      found_.instructions.insert(address);
      if (unmasks(text)) {
        found_.longest = std::max(found_.longest, length);
        return;
      }
      const std::string mnemonic = mnemonic_of(text);
      const uint64_t target = target_of(text);
      if (mnemonic == "j" || mnemonic == "b" || mnemonic == "b.n" || mnemonic == "b.w") {
        at = std::prev(text_.find(target));
        continue;
      }
      const bool leaves = mnemonic[0] == 'j' || mnemonic == "bl" || mnemonic == "blx" ||
                          mnemonic == "bx" || mnemonic == "pop" || mnemonic == "ret";
      if (leaves) return fail(at);
      const bool may_branch = target != 0 && (mnemonic[0] == 'b' || mnemonic[0] == 'c');
      if (may_branch) go(text_.find(target), length);
    }
  }

  std::map<uint64_t, std::string> text_;
  MaskedWindows& found_;
};

}  // namespace

bool is_of_runtime(const std::string& function) {
  for (const char* start : {"barefxt_", "_ZN7barefxt", "_ZNK7barefxt", "_ZZN7barefxt"})
    if (function.compare(0, std::string(start).size(), start) == 0) return true;
  return false;
}

MaskedWindows masked_windows_of(const std::vector<Function>& functions) {
  MaskedWindows found;
  Walk walk(functions, found);
  for (const Function& function : functions) {
    if (!is_of_runtime(function.name)) continue;
    for (const Instruction& instruction : function.instructions)
      if (masks(instruction.text)) walk.from(instruction.address);
  }
  return found;
}

}  // namespace barefxt::test
