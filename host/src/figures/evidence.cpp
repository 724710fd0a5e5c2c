// Records that a trace must hold so that a statistic means anything. If they are missing, a 0 means
// only that nothing was recorded.
#include <algorithm>
#include <initializer_list>

#include <barefxt/host/measures.h>

namespace barefxt::host {
namespace {

constexpr std::string_view kNoSwitches = "no context switches are recorded";
constexpr std::string_view kNoWakeups = "no wakeups are recorded";
constexpr std::string_view kNoWaits =
    "no waits are recorded: the category is off, or the kernel's hooks record none";

bool is_one_of(std::string_view metric, std::initializer_list<std::string_view> all) {
  return std::find(all.begin(), all.end(), metric) != all.end();
}

// Waits for locks are recorded, and all without a holder.
bool has_only_unknown_holders(const Statistics& statistics) {
  bool has_waits = false;
  for (const auto& [key, lock] : statistics.contention) {
    const std::string_view kind = kind_of_wait(key.label);
    if (kind != "lock" && kind != "mutex") continue;
    for (const auto& [holder, waits] : lock.by_holder) {
      if (holder) return false;
      has_waits = true;
    }
  }
  return has_waits;
}

}  // namespace

std::string_view missing_for(const Statistics& statistics, std::string_view metric) {
  const bool has_switches = statistics.records_by_kind.contains("context_switch");
  if (is_one_of(metric, {"busy", "idle", "lost", "observed", "running", "running_on", "waiting",
                         "unknown", "switches", "runs", "run"}))
    return has_switches ? "" : kNoSwitches;
  if (is_one_of(metric, {"runnable", "blocked", "block", "wakeup_latency", "missing_wakeups"}) &&
      !has_switches)
    return kNoSwitches;
  if (is_one_of(metric,
                {"runnable", "blocked", "block", "wakeup_latency", "missing_wakeups", "wakeups"}))
    return statistics.wakeups_recorded ? "" : kNoWakeups;
  if (metric == "interrupt" || metric == "kept_off")
    return statistics.interrupts.empty() ? "no interrupts are recorded" : "";
  if (metric == "duration") return statistics.durations.empty() ? "no durations are recorded" : "";
  if (metric == "function")
    return statistics.functions.empty() ? "no calls of functions are recorded" : "";
  if (metric == "flow") return statistics.flows.empty() ? "no flows are recorded" : "";
  if (metric == "job" || metric == "job_interval")
    return statistics.jobs.empty() ? "no jobs are recorded" : "";
  if (metric == "counter") return statistics.counters.empty() ? "no counters are recorded" : "";
  if (metric == "contention") return statistics.waits_recorded ? "" : kNoWaits;
  if (metric == "priority_inversion") {
    if (!statistics.waits_recorded) return kNoWaits;
    if (!has_switches) return kNoSwitches;
    if (!statistics.priorities_recorded) return "no priorities are recorded";
    return has_only_unknown_holders(statistics) ? "no wait names the holder of the lock" : "";
  }
  if (metric == "calls_left_out")
    return statistics.calls_left_out ? "" : "no limits of calls are recorded";
  if (metric == "loss") return statistics.losses.empty() ? "no loss is recorded" : "";
  return "";
}

bool is_lower_bound(const Statistics& statistics, const Measure& measure) {
  if (measure.metric != "losses" && measure.metric != "loss") return false;
  const bool is_records = measure.statistic == "records";
  if (!is_records && measure.statistic != "bytes") return false;
  if (measure.metric == "losses" && statistics.losses.empty())
    return statistics.buffer_full_events > 0;
  return std::any_of(statistics.losses.begin(), statistics.losses.end(), [&](const auto& entry) {
    const auto& [key, loss] = entry;
    const bool is_meant =
        measure.metric == "losses" ||
        (cpu_of_name(key.first) == measure.subject.cpu && key.second == measure.subject.name);
    return is_meant && (is_records ? loss.records_unknown : loss.bytes_unknown);
  });
}

}  // namespace barefxt::host
