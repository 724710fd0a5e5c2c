#include "text_lines.h"

#include <barefxt/host/measures.h>
#include <barefxt/host/safe_text.h>

namespace barefxt::host {

namespace {

template <typename Names, typename NameOf>
std::set<std::string, std::less<>> shared(const Names& names, const NameOf& name_of) {
  std::set<std::string, std::less<>> result;
  std::set<std::string_view> seen;
  for (const auto& [koid, one] : names) {
    const std::string& name = name_of(one);
    if (!name.empty() && !seen.insert(name).second) result.insert(name);
  }
  return result;
}

std::string numbered(uint64_t koid) { return formatted(" #{}", koid); }

}  // namespace

TextLines::TextLines(Output& out, const Statistics& statistics, const TextLook& look)
    : out_(out),
      statistics_(statistics),
      look_(look),
      shared_names_(
          shared(statistics.names, [](const ThreadName& thread) -> auto& { return thread.name; })),
      shared_process_names_(shared(statistics.process_names,
                                   [](const std::string& name) -> auto& { return name; })) {}

std::string TextLines::time(double ticks) const {
  return statistics_.ticks_per_second == 0 ? "?" : describe_seconds(statistics_.seconds(ticks));
}

std::string TextLines::at(uint64_t ticks) const {
  return formatted("{:.9f}", statistics_.seconds(static_cast<double>(ticks)));
}

TextTable TextLines::lengths_table(const char* title) {
  return {title,
          {{.title = "count", .rank = 1},
           {.title = "mean", .rank = 5},
           {.title = "p50", .rank = 3},
           {.title = "p95", .rank = 6},
           {.title = "p99", .rank = 2},
           {.title = "max", .rank = 0},
           {.title = "at", .rank = 4, .is_left = true}}};
}

void TextLines::lengths(TextTable& table, const std::string& what, const Distribution& set) const {
  if (set.count() == 0) return table.row(what, {"0"});
  table.row(what, {std::to_string(set.count()), time(set.mean()), time(set.quantile(500)),
                   time(set.quantile(950)), time(set.quantile(990)), time(set.longest()),
                   at(set.longest_extent().end)});
}

void TextLines::print(const TextTable& table) const {
  out_.character('\n');
  table.print(out_, look_);
}

std::string TextLines::column(uint64_t thread) const {
  const std::string recorded = statistics_.name_of(thread);
  std::string name = readable(recorded);
  if (name.empty()) name = formatted("thread {}", thread);
  return fitted(name, shared_names_.contains(recorded) ? numbered(thread) : std::string());
}

std::string TextLines::column(const ThreadGroup& group) const {
  std::string name = readable(group.name);
  std::string suffix;
  if (group.process && name.empty()) name = formatted("process {}", *group.process);
  if (group.process && shared_process_names_.contains(group.name))
    suffix = numbered(*group.process);
  if (name.empty())
    name = formatted("without a {}", statistics_.group_by == GroupBy::kName ? "name" : "process");
  if (group.threads > 1) append(suffix, " x{}", group.threads);
  return fitted(name, suffix);
}

std::string TextLines::fitted(const std::string& name, const std::string& suffix) {
  constexpr size_t kColumns = TextTable::kMaxNameColumns;
  return shortened(name, kColumns - std::min(kColumns, columns_of(suffix))) + suffix;
}

std::string TextLines::readable(std::string_view bytes) { return safe_text(bytes); }

}  // namespace barefxt::host
