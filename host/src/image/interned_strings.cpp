#include "interned_strings.h"

#include <algorithm>
#include <limits>
#include <utility>

#include <barefxt/fxt/reference.h>

#include "fields.h"

namespace barefxt::host {
namespace {

constexpr size_t kEntryBytes = 4;

const Memory kNothing;

}  // namespace

InternedStrings::InternedStrings(const TargetMemory& memory, const TargetMemory& program,
                                 const FoundDescriptor& descriptor)
    : descriptor_(descriptor),
      places_{memory, program.memory != nullptr ? program : TargetMemory{&kNothing, 0}},
      has_program_(program.memory != nullptr),
      count_(std::min(descriptor.content.string_count, fxt::kMaxStringIndex)) {
  for (place_ = 0; place_ < places_.size(); ++place_)
    if (read_table(place_)) return;
  place_ = 0;
}

bool InternedStrings::read_table(size_t place) {
  std::vector<uint8_t> table(count_ * kEntryBytes);
  if (places_[place].read(descriptor_.content.strings, table) != table.size()) return false;
  uint32_t sum = kChecksumBasis;
  for (const uint8_t byte : table) sum = add_to_checksum(sum, byte);
  if (sum != descriptor_.content.strings_checksum) {
    has_other_table_ = true;
    return false;
  }
  table_ = std::move(table);
  return true;
}

std::string InternedStrings::complaint() const {
  if (is_found()) return {};
  if (has_other_table_)
    return has_program_ ? "the strings are not those of the trace: is the program of --elf the one "
                          "that ran?"
                        : "the strings in the image are damaged: name the program with --elf";
  return has_program_ ? "the strings are neither in the image nor in the program"
                      : "the strings are not in the image: name the program with --elf";
}

std::optional<std::string> InternedStrings::text(uint32_t index) const {
  if (table_.empty()) return {};
  const size_t entry = (index - 1) * kEntryBytes;
  const auto distance = static_cast<int32_t>(ImageFields(table_, descriptor_.order).u32(entry));
  uint64_t address = descriptor_.content.strings + entry + static_cast<uint64_t>(int64_t{distance});
  if (descriptor_.content.address_bits == 32) address &= std::numeric_limits<uint32_t>::max();
  const std::optional<std::string> text = places_[place_].text(address);
  return text ? text : places_[1 - place_].text(address);
}

}  // namespace barefxt::host
