// Jobs, and lengths above a limit, in the JSON of statistics.
#include <barefxt/host/measures.h>

#include "histogram.h"
#include "json_lengths.h"

namespace barefxt::host {

void json_jobs(JsonObject& all, const Statistics& statistics) {
  all.list("jobs", statistics.jobs, [&](JsonObject& one, const auto& key, const auto& jobs) {
    one.number("thread", key.thread);
    one.string("name", key.name);
    one.string("source", key.source == JobSource::kRecorded ? "recorded" : "wakeups");
    one.number("period_ns", jobs.period_ns);
    one.number("deadline_ns", jobs.deadline_ns);
    lengths(one, jobs.response);
    one.number("on_time", jobs.on_time);
    one.number("late", jobs.late);
    one.real("late_share", jobs.late_share());
    one.number("overdue", jobs.overdue);
    one.number("overdue_ticks", jobs.overdue_ticks);
    one.number("not_due", jobs.not_due);
    one.number("in_doubt", jobs.in_doubt);
    one.number("without_deadline", jobs.without_deadline);
    lengths(one, "interval", jobs.interval);
    json_histogram(one, statistics, jobs.response);
  });
}

void json_above(JsonObject& all, const Statistics& statistics) {
  if (statistics.above.empty()) return;
  JsonList list(all.key("above"));
  for (const TicksAbove& limit : statistics.above) {
    for_each_distribution(
        statistics, [&](std::string_view metric, const Subject& subject, const Distribution& set) {
          if (set.count() == 0) return;
          JsonObject one(list.next());
          one.string("limit", limit.text);
          one.number("limit_ticks", limit.ticks);
          one.string("metric", metric);
          one.string("of", describe(subject));
          const uint64_t count = set.count_above(limit.ticks);
          one.number("count", count);
          one.real("share", share(count, set.count()));
        });
  }
}

}  // namespace barefxt::host
