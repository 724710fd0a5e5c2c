// Marks of stacks: found among the counters, as text and as JSON.
#include <barefxt/host/stacks.h>

#include "shares.h"
#include "stacks_output.h"
#include "text_lines.h"

namespace barefxt::host {
namespace {

class StackLines : TextLines {
 public:
  using TextLines::TextLines;

  void print(const std::vector<StackMark>& stacks) {
    if (stacks.empty()) return out_.text("No stack is recorded\n");
    TextTable table("Stacks", {{.title = "left", .rank = 0},
                               {.title = "size", .rank = 1},
                               {.title = "used", .rank = 2},
                               {.title = "at", .rank = 3}});
    constexpr double kPercent = 100;
    for (const StackMark& one : stacks)
      table.row(
          name(one.thread),
          {std::to_string(one.left), std::to_string(one.size),
           formatted("{:.1f}%", share(one.size - one.left, one.size) * kPercent), at(one.at)});
    if (!statistics_.is_whole()) table.end_note("records are missing: less may have been left");
    TextLines::print(table);
  }

 private:
  std::string name(uint64_t koid) const {
    const bool is_object =
        !statistics_.names.contains(koid) && statistics_.object_names.contains(koid);
    return is_object ? readable(name_of_stack(statistics_, koid)) : column(koid);
  }
};

uint64_t bytes_in(__int128 value) { return value < 0 ? 0 : static_cast<uint64_t>(value); }

}  // namespace

std::vector<StackMark> stacks_of(const Statistics& statistics) {
  std::vector<StackMark> found;
  for (const auto& [key, left] : statistics.counters) {
    if (!is_stack(key.label.category, key.label.name) || key.argument != kStackLeft ||
        left.samples == 0)
      continue;
    const auto used = statistics.counters.find({key.label, key.id, "used"});
    const uint64_t rest = used == statistics.counters.end() ? 0 : bytes_in(used->second.last);
    found.push_back(
        {key.id, bytes_in(left.last) + rest, bytes_in(left.least), left.least_at, left.samples});
  }
  std::ranges::stable_sort(found, {}, &StackMark::left);
  return found;
}

std::string name_of_stack(const Statistics& statistics, uint64_t koid) {
  const auto object = statistics.object_names.find(koid);
  const std::string name = statistics.name_of(koid);
  return name.empty() && object != statistics.object_names.end() ? object->second : name;
}

void print_stacks(Output& out, const Statistics& statistics, const TextLook& look) {
  StackLines(out, statistics, look).print(stacks_of(statistics));
}

void stacks_json(JsonObject& all, const Statistics& statistics) {
  all.boolean("stacks_known", statistics.is_whole());
  all.list("stacks", stacks_of(statistics), [&](JsonObject& one, const StackMark& stack) {
    one.number("thread", stack.thread);
    one.string_or_null("name", name_of_stack(statistics, stack.thread));
    one.number("size", stack.size);
    one.number("left", stack.left);
    one.number("at", stack.at);
    one.number("moved", stack.moved);
  });
}

}  // namespace barefxt::host
