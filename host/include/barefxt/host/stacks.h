// Stacks: the marks that the target's barefxt_stack_reached, _left and _scan record, as counters
// whose ids are koids.
#pragma once

#include <barefxt/host/stats.h>

namespace barefxt::host {

// Both the category and the name of these counters, and the argument with the bytes left.
inline constexpr std::string_view kStackLabel = "stack";
inline constexpr std::string_view kStackLeft = "left";

inline bool is_stack(std::string_view category, std::string_view name) {
  return category == kStackLabel && name == kStackLabel;
}

struct StackMark {
  uint64_t thread;  // koid, or that of an object
  uint64_t size;
  uint64_t left;   // at least: the least that is recorded
  uint64_t at;     // time of that record
  uint64_t moved;  // how often
};

// The least bytes left first.
std::vector<StackMark> stacks_of(const Statistics& statistics);
// Of a thread, or else of an object; empty if it has none.
std::string name_of_stack(const Statistics& statistics, uint64_t koid);

}  // namespace barefxt::host
