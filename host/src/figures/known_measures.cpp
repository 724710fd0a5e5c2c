// The words that budgets may use.
#include <barefxt/host/measures.h>

namespace barefxt::host {

// clang-format off
const std::vector<std::string_view>& known_metrics() {
  static const std::vector<std::string_view> metrics = {
      "busy", "idle", "lost", "observed", "running", "running_on", "runnable", "blocked",
      "waiting", "unknown", "switches", "runs", "wakeups", "missing_wakeups", "run", "block",
      "interrupt", "kept_off", "duration", "wakeup_latency", "flow", "contention", "counter",
      "losses", "loss", "priority_inversion", "function", "trace", "records", "calls_left_out",
      "job", "job_interval", "unannounced_interrupt"};
  return metrics;
}

const std::vector<std::string_view>& known_statistics() {
  static const std::vector<std::string_view> statistics = {
      "count", "total", "share", "mean", "min", "p50", "p90", "p95", "p99", "p99.9", "max",
      "rate", "own", "nested", "deepest", "self", "self_count", "in_doubt", "begun", "steps",
      "ended", "unfinished", "last", "first", "covered", "records", "records_unknown", "bytes",
      "bytes_unknown", "buffer_full_events", "preempted", "yielded", "other", "blocked",
      "time_weighted_mean", "unended", "ticks_per_second", "span", "sorted", "left_out",
      "unmatched_begins", "unmatched_ends", "malformed_places", "malformed_bytes", "too_short",
      "too_deep", "without_end", "open", "quantile_error", "woken_in_vain", "waits", "on_time", "late", "late_share",
      "overdue", "overdue_ticks", "not_due", "without_deadline", "period_ns", "deadline_ns", "wakeups"};
  return statistics;
}

const std::vector<std::string_view>& known_sets() {
  static const std::vector<std::string_view> sets = {
      "wakeup_latency", "run", "block", "interrupt", "kept_off", "duration", "function", "flow",
      "contention", "job", "job_interval"};
  return sets;
}
// clang-format on

}  // namespace barefxt::host
