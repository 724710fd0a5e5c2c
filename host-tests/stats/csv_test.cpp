// --csv has the numbers of --json: none is in one of the two only, and none differs.
#include <gtest/gtest.h>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include <barefxt/host/json.h>
#include <barefxt/host/measures.h>

#include "everything.h"
#include "simulated_kernel.h"
#include "summing.h"

namespace barefxt::test::csv_test {
namespace {

using Json = nlohmann::json;

// Metric, subject and statistic, as they stand in the table.
struct Key {
  std::string metric;
  std::map<std::string, std::string> subject;
  std::string statistic;
  auto operator<=>(const Key&) const = default;
};
struct Row {
  double value;
  std::string begin;
  std::string end;
  std::string offset;
};

std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> fields;
  std::istringstream stream(line);
  for (std::string field; std::getline(stream, field, ',');) fields.push_back(field);
  fields.resize(16);
  return fields;
}

std::map<Key, Row> table_of(const host::Statistics& statistics) {
  host::StringOutput out;
  host::print_statistics_csv(out, statistics);
  std::istringstream lines(out.take());
  std::string line;
  std::getline(lines, line);
  const std::vector<std::string> head = fields_of(line);
  std::map<Key, Row> table;
  while (std::getline(lines, line)) {
    const std::vector<std::string> fields = fields_of(line);
    Key key{fields[0], {}, fields[10]};
    for (size_t i = 1; i < 10; ++i) {
      if (!fields[i].empty() && head[i] != "thread_name") key.subject[head[i]] = fields[i];
    }
    const bool added =
        table.emplace(key, Row{std::stod(fields[12]), fields[13], fields[14], fields[15]}).second;
    EXPECT_TRUE(added) << line;
  }
  return table;
}

class Compared {
 public:
  explicit Compared(const host::Statistics& statistics) : table_(table_of(statistics)) {
    host::StringOutput out;
    host::print_statistics_json(out, statistics);
    json_ = Json::parse(out.take());
  }

  void all() {
    for (Json& one : json_["cpus"]) cpu(one);
    for (Json& one : json_["threads"]) thread(one);
    for (Json& one : json_["interrupts"]) interrupt(one);
    for (Json& one : json_["unannounced_interrupts"]) {
      std::map<std::string, std::string> subject = label(one);
      subject["cpu"] = one["cpu"].dump();
      take(one, "wakeups", {"unannounced_interrupt", subject, "wakeups"});
      nothing_else(one, {"cpu", "name"});
    }
    for (Json& one : json_["durations"]) duration("duration", one);
    for (Json& one : json_["functions"]) {
      one["category"] = "function";
      duration("function", one);
    }
    for (Json& one : json_["counters"]) counter(one);
    for (Json& one : json_["flows"]) flow(one);
    for (Json& one : json_["contention"]) contention(one);
    for (Json& one : json_["priority_inversions"]) inversion(one);
    for (Json& one : json_["jobs"]) job(one);
    for (Json& one : json_["losses"]) loss(one);
    rest();
    for (const auto& [key, row] : table_) {
      // Sums of rows above.
      const bool sum =
          key.subject.empty() && (key.metric == "priority_inversion" ||
                                  (key.metric == "losses" && key.statistic != "total"));
      EXPECT_TRUE(sum || seen_.contains(key)) << key.metric << " " << key.statistic;
    }
  }

 private:
  void is(const Key& key, const Json& value) {
    const auto found = table_.find(key);
    ASSERT_NE(found, table_.end())
        << key.metric << " " << Json(key.subject) << " " << key.statistic;
    const double number = value.is_boolean() ? (value.get<bool>() ? 1 : 0) : value.get<double>();
    EXPECT_DOUBLE_EQ(found->second.value, number) << key.metric << " " << key.statistic;
    seen_.insert(key);
  }
  void take(Json& from, const char* name, const Key& key) {
    ASSERT_TRUE(from.contains(name)) << name;
    is(key, from[name]);
    from.erase(name);
  }
  void nothing_else(Json& one, const std::set<std::string>& names) {
    for (const auto& [name, value] : one.items()) EXPECT_TRUE(names.contains(name)) << name;
  }

  void lengths(Json& from, const std::string& metric,
               const std::map<std::string, std::string>& subject) {
    const bool none = from["count"] == 0;
    take(from, "count", {metric, subject, "count"});
    take(from, "total_ticks", {metric, subject, "total"});
    for (const auto& [name, statistic] :
         std::map<std::string, std::string>{{"mean_ticks", "mean"},
                                            {"min_ticks", "min"},
                                            {"p50_ticks", "p50"},
                                            {"p90_ticks", "p90"},
                                            {"p95_ticks", "p95"},
                                            {"p99_ticks", "p99"},
                                            {"p999_ticks", "p99.9"}}) {
      if (none) {
        from.erase(name);
      } else {
        take(from, name.c_str(), {metric, subject, statistic});
      }
    }
    if (none) {
      from.erase("max_ticks");
      return;
    }
    const auto found = table_.find({metric, subject, "max"});
    ASSERT_NE(found, table_.end()) << metric;
    EXPECT_EQ(found->second.begin, from["max_begin"].dump());
    EXPECT_EQ(found->second.end, from["max_end"].dump());
    EXPECT_EQ(found->second.offset, from["max_offset"].dump());
    take(from, "max_ticks", {metric, subject, "max"});
    for (const char* place : {"max_begin", "max_end", "max_offset"}) from.erase(place);
  }
  void switches(Json& from, const std::map<std::string, std::string>& subject) {
    take(from, "switches", {"switches", subject, "count"});
    for (const char* cause : {"preempted", "yielded", "blocked", "ended", "other"})
      take(from, cause, {"switches", subject, cause});
  }
  static std::map<std::string, std::string> label(const Json& one) {
    std::map<std::string, std::string> subject;
    for (const char* name : {"category", "name", "argument"}) {
      if (one.contains(name)) subject[name] = one[name];
    }
    return subject;
  }

  void cpu(Json& one) {
    const std::map<std::string, std::string> subject = {{"cpu", one["cpu"].dump()}};
    take(one, "observed_ticks", {"observed", subject, "total"});
    for (const std::string what : {"busy", "idle", "unknown", "lost"}) {
      take(one, (what + "_ticks").c_str(), {what, subject, "total"});
      take(one, (what + "_share").c_str(), {what, subject, "share"});
    }
    switches(one, subject);
    nothing_else(one, {"cpu"});
  }
  void thread(Json& one) {
    std::map<std::string, std::string> subject = {{"thread", one["thread"].dump()}};
    take(one, "observed_ticks", {"observed", subject, "total"});
    const Json running = one["running_ticks"];
    for (const std::string what : {"running", "runnable", "blocked", "waiting", "unknown"}) {
      take(one, (what + "_ticks").c_str(), {what, subject, "total"});
      take(one, (what + "_share").c_str(), {what, subject, "share"});
    }
    for (const char* what : {"runs", "wakeups", "missing_wakeups"})
      take(one, what, {what, subject, "count"});
    switches(one, subject);
    for (const char* what : {"wakeup_latency", "run", "block"}) {
      lengths(one[what], what, subject);
      nothing_else(one[what], {});
    }
    for (Json& there : one["cpus"]) {
      subject["cpu"] = there["cpu"].dump();
      const double ticks = there["running_ticks"];
      const double all = running;
      take(there, "running_ticks", {"running_on", subject, "total"});
      is({"running_on", subject, "share"}, all == 0 ? 0 : ticks / all);
      nothing_else(there, {"cpu"});
    }
    nothing_else(one,
                 {"thread", "name", "process", "idle", "wakeup_latency", "run", "block", "cpus"});
  }
  void interrupt(Json& one) {
    std::map<std::string, std::string> subject = label(one);
    subject["cpu"] = one["cpu"].dump();
    take(one, "per_second", {"interrupt", subject, "rate"});
    lengths(one, "interrupt", subject);
    take(one, "own_ticks", {"interrupt", subject, "own"});
    take(one, "nested", {"interrupt", subject, "nested"});
    take(one, "deepest", {"interrupt", subject, "deepest"});
    Json& kept_off = one["kept_off"];
    if (kept_off["count"] != 0) {
      // The row of the longest also has its thread.
      std::map<std::string, std::string> longest = subject;
      longest["thread"] = one["kept_off_thread"].dump();
      Row row = table_.at({"kept_off", longest, "max"});
      seen_.insert({"kept_off", longest, "max"});
      table_.emplace(Key{"kept_off", subject, "max"}, row);
    }
    lengths(kept_off, "kept_off", subject);
    nothing_else(one, {"cpu", "name", "kept_off", "kept_off_thread"});
  }
  void duration(const char* metric, Json& one) {
    const auto subject = label(one);
    lengths(one, metric, subject);
    take(one, "self_ticks", {metric, subject, "self"});
    for (const char* what : {"self_count", "in_doubt", "unended"})
      take(one, what, {metric, subject, what});
    nothing_else(one, {"category", "name"});
  }
  void counter(Json& one) {
    std::map<std::string, std::string> subject = label(one);
    subject["object"] = one["counter_id"].dump();
    take(one, "samples", {"counter", subject, "count"});
    for (const char* what : {"min", "max", "last", "mean", "time_weighted_mean"})
      take(one, what, {"counter", subject, what});
    take(one, "covered_ticks", {"counter", subject, "covered"});
    nothing_else(one, {"category", "name", "argument", "counter_id"});
  }
  void flow(Json& one) {
    const auto subject = label(one);
    for (const char* what : {"begun", "steps", "ended", "unfinished", "in_doubt"})
      take(one, what, {"flow", subject, what});
    lengths(one["end_to_end"], "flow", subject);
    nothing_else(one, {"category", "name", "end_to_end"});
  }
  void contention(Json& one) {
    std::map<std::string, std::string> subject = label(one);
    if (!one["object"].is_null()) subject["object"] = one["object"].dump();
    lengths(one, "contention", subject);
    take(one, "woken_in_vain", {"contention", subject, "woken_in_vain"});
    take(one, "unfinished", {"contention", subject, "unfinished"});
    for (Json& holder : one["holders"]) {
      subject["holder"] = holder["thread"].is_null() ? "unknown" : holder["thread"].dump();
      lengths(holder, "contention", subject);
      nothing_else(holder, {"thread"});
    }
    nothing_else(one, {"category", "name", "object", "object_name", "kind", "holders"});
  }
  void inversion(Json& one) {
    std::map<std::string, std::string> subject = label(one);
    if (!one["object"].is_null()) subject["object"] = one["object"].dump();
    subject["thread"] = one["waiter"].dump();
    subject["holder"] = one["holder"].dump();
    subject["runner"] = one["runner"].dump();
    EXPECT_EQ(table_.at({"priority_inversion", subject, "max"}).offset, one["max_offset"].dump());
    take(one, "times", {"priority_inversion", subject, "count"});
    take(one, "waits", {"priority_inversion", subject, "waits"});
    take(one, "ticks", {"priority_inversion", subject, "total"});
    take(one, "max_ticks", {"priority_inversion", subject, "max"});
    nothing_else(one, {"category", "name", "object", "object_name", "kind", "waiter", "holder",
                       "runner", "max_begin", "max_end", "max_offset"});
  }
  void job(Json& one) {
    const std::map<std::string, std::string> subject = {
        {"thread", one["thread"].dump()}, {"category", one["source"]}, {"name", one["name"]}};
    lengths(one, "job", subject);
    lengths(one["interval"], "job_interval", subject);
    nothing_else(one["interval"], {});
    take(one, "overdue_ticks", {"job", subject, "overdue_ticks"});
    for (const char* what : {"period_ns", "deadline_ns", "on_time", "late", "late_share", "overdue",
                             "not_due", "in_doubt", "without_deadline"})
      take(one, what, {"job", subject, what});
    nothing_else(one, {"thread", "name", "source", "interval", "histogram"});
  }
  void loss(Json& one) {
    std::map<std::string, std::string> subject;
    if (!one["cpu"].is_null()) subject["cpu"] = one["cpu"].dump();
    subject["name"] = one["where"];
    take(one, "times", {"loss", subject, "count"});
    for (const char* what :
         {"records", "records_unknown", "bytes", "bytes_unknown", "first", "last"})
      take(one, what, {"loss", subject, what});
    nothing_else(one, {"cpu", "where"});
  }
  void rest() {
    for (const char* what : {"ticks_per_second", "first", "last", "sorted", "left_out",
                             "unmatched_begins", "unmatched_ends"})
      take(json_, what, {"trace", {}, what});
    take(json_, "span_ticks", {"trace", {}, "span"});
    take(json_, "quantile_error", {"trace", {}, "quantile_error"});
    take(json_, "loss_ticks", {"losses", {}, "total"});
    take(json_, "loss_share", {"losses", {}, "share"});
    take(json_, "buffer_full_events", {"losses", {}, "buffer_full_events"});
    take(json_["malformed"], "places", {"trace", {}, "malformed_places"});
    take(json_["malformed"], "bytes", {"trace", {}, "malformed_bytes"});
    for (const auto& [kind, count] : json_["records"].items()) {
      std::map<std::string, std::string> subject;
      if (kind != "total") subject["name"] = kind;
      is({"records", subject, "count"}, count);
    }
    if (json_.contains("calls_left_out")) {
      for (const char* what : {"too_short", "too_deep", "without_end", "open"})
        take(json_["calls_left_out"], what, {"calls_left_out", {}, what});
    }
    nothing_else(json_, {"cpus", "threads", "interrupts", "unannounced_interrupts", "durations",
                         "functions", "counters", "flows", "contention", "priority_inversions",
                         "jobs", "losses", "malformed", "records", "calls_left_out"});
  }

  std::map<Key, Row> table_;
  std::set<Key> seen_;
  Json json_;
};

TEST(StatisticsTable, HasWhatTheJsonHas) {
  const host::Statistics statistics = statistics_in(archive_of_everything());
  ASSERT_EQ(statistics.interrupts.size(), 2U);
  const std::map<host::InterruptKey, uint64_t> unannounced = {{{0, "adc"}, 2}, {{0, "irq 37"}, 1}};
  ASSERT_EQ(statistics.unannounced_interrupts, unannounced);
  ASSERT_EQ(statistics.inversions.size(), 1U);
  ASSERT_EQ(statistics.contention.begin()->second.by_holder.size(), 2U);
  ASSERT_EQ(statistics.losses.size(), 2U);
  ASSERT_EQ(statistics.jobs.begin()->second.late, 2U);
  ASSERT_FALSE(statistics.flows.empty() || statistics.functions.empty());
  Compared(statistics).all();
}

TEST(StatisticsTable, HasWhatTheJsonHasOfSeveralCpus) {
  const SimulatedTrace trace =
      with_loss(simulate({7, 100, 3, 900, 4, 77, 1000, 12, 5, 8, 300, 7, 31, 64, 90}), 1, 1, 2);
  Compared(statistics_in(archive_of(trace.records))).all();
}

TEST(StatisticsTable, IsMadeOfKnownMetricsAndStatistics) {
  const auto known = [](const std::vector<std::string_view>& all, std::string_view one) {
    return std::find(all.begin(), all.end(), one) != all.end();
  };
  host::for_each_measure(statistics_in(archive_of_everything()), [&](const host::Measure& one) {
    EXPECT_TRUE(known(host::known_metrics(), one.metric)) << one.metric;
    EXPECT_TRUE(known(host::known_statistics(), one.statistic)) << one.statistic;
  });
}

}  // namespace
}  // namespace barefxt::test::csv_test
