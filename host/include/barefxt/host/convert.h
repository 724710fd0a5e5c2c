// Counts of records that a conversion leaves out or changes: the same kinds for every output
// format.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

namespace barefxt::host {

enum class Change : uint8_t {
  // Something is missing from the output.
  kUnknownRecord,
  kUnknownEvent,
  kUnknownArgument,
  kExtraWords,
  kEndBeforeBegin,
  kNamelessString,
  kNamelessThread,
  kRepairedText,
  kCutText,
  kUnplacedEvent,
  kLargeArgument,
  kForgotten,
  kBlobName,
  kSeriesValue,
  kOtherBuild,
  // The output has the same content in another form, or its format has no place for it.
  kScope,
  kNoTicks,
  kSplitLarge,
  kUndeclaredProvider,
  kReservedBits,
  kNoPlaceInFormat,
};
inline constexpr size_t kChanges = static_cast<size_t>(Change::kNoPlaceInFormat) + 1;

class ChangeCounts {
 public:
  void add(Change change, uint64_t count = 1) { counts_[static_cast<size_t>(change)] += count; }
  uint64_t of(Change change) const { return counts_[static_cast<size_t>(change)]; }

  // Returns true if something in the archive is missing from the output.
  bool lost() const;
  // A line for each kind of change that there was.
  void say(const std::function<void(const std::string&)>& say) const;

 private:
  std::array<uint64_t, kChanges> counts_{};
};

}  // namespace barefxt::host
