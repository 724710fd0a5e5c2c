// The target's table of interned strings, from memory or from the program's file. A checksum shows
// which holds the table as it was when the trace was started.
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
  // `program` may have no memory.
  InternedStrings(const TargetMemory& memory, const TargetMemory& program,
                  const FoundDescriptor& descriptor);

  // If the table was not found, complaint() has a message with a hint.
  bool is_found() const { return count_ == 0 || !table_.empty(); }
  std::string complaint() const;

  uint32_t count() const { return count_; }
  // `index` is 1 to count(); returns nothing for a text that is not there.
  std::optional<std::string> text(uint32_t index) const;

 private:
  bool read_table(size_t place);

  FoundDescriptor descriptor_;
  // The places to search, for the table in the order of trust; texts come from the table's place
  // first.
  std::array<TargetMemory, 2> places_;
  size_t place_ = 0;
  bool has_program_;
  bool has_other_table_ = false;
  uint32_t count_;
  std::vector<uint8_t> table_;
};

}  // namespace barefxt::host
