// What statistics need of a record, in a size that allows sorting.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include <barefxt/host/stats.h>

namespace barefxt::host {

enum class MomentKind : std::uint8_t { kSwitch, kWakeup, kBegin, kEnd, kComplete, kLoss };

struct Moment {
  // The order of reservation: a complete duration counts by its end.
  std::uint64_t time;
  std::uint64_t thread;    // the event's, the woken or the outgoing one
  std::uint64_t incoming;  // of a switch; of a complete duration and a loss, its begin
  std::uint32_t label;     // of an event
  std::uint32_t cpu;       // of a switch
  MomentKind kind;
  std::uint64_t offset = 0;  // of the record: what came first is first among equals
};

// Numbers for pairs of category and name. Beyond the limit all share one, named "(others)".
class Labels {
 public:
  std::uint32_t number_of(std::string_view category, std::string_view name);
  const Label& operator[](std::uint32_t number) const { return labels_[number]; }

 private:
  static constexpr std::size_t kMost = 1 << 16;
  std::unordered_map<std::string, std::uint32_t> numbers_;
  std::vector<Label> labels_;
  std::string key_;  // kept to save the allocation
};

}  // namespace barefxt::host
