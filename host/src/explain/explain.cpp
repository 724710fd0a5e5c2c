// One read of the archive; then each interval by itself.
#include <algorithm>
#include <numeric>
#include <utility>

#include <barefxt/host/explain.h>

#include "case_finder.h"
#include "partition.h"
#include "with_history.h"

namespace barefxt::host {

std::string_view name_of(CauseKind kind) {
  static constexpr std::string_view kNames[kCauseKinds] = {
      "running", "higher",    "lower",  "other",          "interrupt", "stall",
      "idle",    "migration", "holder", "holder_blocked", "blocked",   "unknown"};
  return kNames[static_cast<size_t>(kind)];
}

std::string_view name_of(UnknownReason reason) {
  static constexpr std::string_view kNames[] = {"none",      "lost",  "thread", "cpu",
                                                "interrupt", "place", "holder", "deep"};
  return kNames[static_cast<size_t>(reason)];
}

std::string_view name_of(CaseKind kind) {
  static constexpr std::string_view kNames[] = {"wakeup_latency", "preempted", "off_cpu",
                                                "lock_wait",      "duration",  "flow"};
  return kNames[static_cast<size_t>(kind)];
}

Result<Explained> explain(Source& source, Form form, const ExplainOptions& options) {
  return explain_with_history(source, form, options, {});
}

Result<Explained> explain_with_history(Source& source, Form form, const ExplainOptions& options,
                                       const SeeHistory& see) {
  CaseFinder history(options);
  StatisticsOptions how;
  how.sorted_in_memory = options.sorted_in_memory;
  Result<Statistics> collected = collect_statistics(source, form, how, &history);
  if (!collected.ok()) return collected.error();
  if (!history.status().ok()) return history.status().error();
  if (!history.steps().status().ok()) return history.steps().status().error();
  Explained explained;
  explained.statistics = std::move(collected.value());
  explained.statistics.left_out += history.left_out();
  explained.looked_at = history.looked_at();
  explained.interrupts_recorded = history.has_interrupts();
  explained.priorities_ordered = history.larger_is_higher();
  const Judge judge(history, explained.statistics);
  std::vector<CaseFinder::Found> cases = history.take();
  // Backwards in time, as each case is parted: so they share what is in memory of the history.
  std::vector<size_t> order(cases.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return std::pair(cases[b].when.end, a) < std::pair(cases[a].when.end, b);
  });
  explained.cases.resize(cases.size());
  for (const size_t number : order) {
    CaseFinder::Found& found = cases[number];
    Explanation& one = explained.cases[number];
    one.kind = found.kind;
    one.begin = found.when.begin;
    one.end = found.when.end;
    one.offset = found.when.offset;
    one.budget_line = found.budget_line;
    one.thread = found.thread;
    one.cpu = found.cpu;
    one.label = std::move(found.label);
    if (found.kind == CaseKind::kLockWait) one.object = history.object(found.object);
    part(one, history, judge, found.first_thread);
    find_chain(one, history, judge);
  }
  if (see) see(history, judge, explained);
  return explained;
}

}  // namespace barefxt::host
