// The target's table of interned strings, out of memory or of the program's file: which of them
// holds it as it was when the trace was started, a checksum tells.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "descriptor_search.h"

namespace barefxt::host {

class InternedStrings {
 public:
  // `program` may be null.
  InternedStrings(const TargetMemory& memory, const Memory* program,
                  const FoundDescriptor& descriptor);

  // Whether the table was found, and where it was not: what a person should know.
  bool is_found() const { return count_ == 0 || !table_.empty(); }
  std::string complaint() const;

  uint32_t count() const { return count_; }
  // Of index 1 to count(); nothing where it is not there.
  std::optional<std::string> text(uint32_t index) const;

 private:
  bool read_table(size_t place);

  FoundDescriptor descriptor_;
  // Where to look: the table in the order of trust, texts in that place first.
  std::array<TargetMemory, 2> places_;
  size_t place_ = 0;
  bool has_program_;
  bool has_other_table_ = false;
  uint32_t count_;
  std::vector<uint8_t> table_;
};

}  // namespace barefxt::host
