// Threads added up by name and by process, against sums of what each did.
#include <gtest/gtest.h>
#include <map>
#include <nlohmann/json.hpp>
#include <rapidcheck/gtest.h>
#include <sstream>

#include <barefxt/host/archive_writer.h>
#include <barefxt/host/measures.h>

#include "archive/memory_archive.h"
#include "contains.h"
#include "simulated_kernel.h"
#include "summing.h"

namespace barefxt::test::groups_test {
namespace {

using host::GroupBy;
using Json = nlohmann::json;

constexpr uint64_t kWithoutName = 3;

// Threads 1, 2, 3 ... are called "one" and "two" in turns, but for one of them, and are of three
// processes; two of them have the same name and one has none. Idle threads keep their names.
std::string name_of(uint64_t koid) {
  if (koid >= kSimIdle) return "idle/" + std::to_string(koid);
  if (koid == kWithoutName) return "";
  return koid % 2 == 0 ? "two" : "one";
}
uint64_t process_of(uint64_t koid) { return koid >= kSimIdle ? 0 : 50 + koid % 3; }

std::string with_names(const SimulatedTrace& trace) {
  MemoryArchive writer;
  for (const auto& [koid, thread] : trace.threads)
    name_thread(writer, koid, process_of(koid), name_of(koid));
  for (const uint64_t process : {50, 51})
    (void)writer.kernel_object(process, fxt::KernelObjectType::kProcess, text("shell"), {});
  return archive_of(trace.records) + writer.text().substr(8);
}

host::Statistics grouped(const std::string& archive, GroupBy by) {
  host::StatisticsOptions options;
  options.precision = host::Precision::kExact;
  options.group_by = by;
  return statistics_in(archive, options);
}

Json json_of(const std::string& archive, GroupBy by) {
  host::StringOutput out;
  print_statistics_json(out, grouped(archive, by));
  return Json::parse(out.take());
}

Json key_of(const Json& thread, GroupBy by) {
  if (by == GroupBy::kProcess) return thread["process"];
  return thread["name"] == "" ? Json() : thread["name"];
}

std::vector<uint64_t> lengths_of(const std::vector<SimulatedLength>& all) {
  std::vector<uint64_t> lengths;
  for (const SimulatedLength& one : all) lengths.push_back(one.end - one.begin);
  return lengths;
}

void expect_set(const Json& set, std::vector<uint64_t> lengths) {
  ASSERT_EQ(set["count"], lengths.size());
  if (lengths.empty()) return;
  std::sort(lengths.begin(), lengths.end());
  uint64_t total = 0;
  for (const uint64_t one : lengths) total += one;
  EXPECT_EQ(set["total_ticks"], total);
  EXPECT_EQ(set["min_ticks"], lengths.front());
  EXPECT_EQ(set["max_ticks"], lengths.back());
  for (const auto& [key, per_mille] :
       std::map<std::string, size_t>{{"p50_ticks", 500}, {"p90_ticks", 900}, {"p999_ticks", 999}})
    EXPECT_EQ(set[key], lengths[(per_mille * lengths.size() + 999) / 1000 - 1]);
}

void compare(const SimulatedTrace& trace, GroupBy by) {
  const std::string archive = with_names(trace);
  const Json plain = json_of(archive, GroupBy::kThread);
  const Json rows = json_of(archive, by);
  ASSERT_FALSE(rows.contains("threads"));
  std::map<Json, Json> sums;
  std::map<Json, std::map<Json, uint64_t>> by_cpu;
  std::map<Json, std::map<std::string, std::vector<uint64_t>>> sets;
  for (const Json& thread : plain["threads"]) {
    const Json key = key_of(thread, by);
    Json& sum = sums.emplace(key, Json::object()).first->second;
    sum["threads"] = sum.value("threads", 0) + 1;
    for (const auto& [name, value] : thread.items())
      if (value.is_number_integer() && name != "thread" && name != "process")
        sum[name] = sum.value(name, uint64_t{0}) + value.get<uint64_t>();
    for (const Json& there : thread["cpus"])
      by_cpu[key][there["cpu"]] += there["running_ticks"].get<uint64_t>();
    const SimulatedThread& simulated = trace.threads.at(thread["thread"]);
    const auto add = [&](const char* set, const std::vector<SimulatedLength>& lengths) {
      for (const uint64_t one : lengths_of(lengths)) sets[key][set].push_back(one);
    };
    add("wakeup_latency", simulated.latencies);
    add("run", simulated.runs);
    add("block", simulated.blocks);
  }
  ASSERT_EQ(rows["groups"].size(), sums.size());
  for (const Json& group : rows["groups"]) {
    const Json key = group[by == GroupBy::kName ? "name" : "process"];
    ASSERT_TRUE(sums.contains(key)) << key;
    for (const auto& [name, value] : sums[key].items()) EXPECT_EQ(group[name], value) << name;
    std::map<Json, uint64_t> cpus;
    for (const Json& there : group["cpus"]) cpus[there["cpu"]] = there["running_ticks"];
    EXPECT_EQ(cpus, by_cpu[key]);
    for (const auto& [set, lengths] : sets[key]) expect_set(group[set], lengths);
    if (by == GroupBy::kProcess) {
      EXPECT_EQ(group["name"], key == 50 || key == 51 ? Json("shell") : Json());
      EXPECT_EQ(group["idle"], key == 0);
    }
  }
}

RC_GTEST_PROP(Groups, AreSumsOfTheirThreads, (const std::vector<uint32_t>& choices)) {
  const SimulatedTrace trace = simulate(choices);
  compare(trace, GroupBy::kName);
  compare(trace, GroupBy::kProcess);
  RC_ASSERT(!::testing::Test::HasFailure());
}

std::vector<uint32_t> many_choices() {
  std::vector<uint32_t> choices;
  for (uint32_t i = 0; i < 2000; ++i) choices.push_back(i * 2654435761u >> 7);
  return choices;
}

// A row of the table, by the names of its columns.
std::vector<std::map<std::string, std::string>> rows_of(const std::string& csv) {
  const auto fields_of = [](const std::string& line) {
    std::vector<std::string> fields;
    std::istringstream stream(line + ",");
    for (std::string field; std::getline(stream, field, ',');) fields.push_back(field);
    return fields;
  };
  std::istringstream lines(csv);
  std::string line;
  std::getline(lines, line);
  const std::vector<std::string> head = fields_of(line);
  std::vector<std::map<std::string, std::string>> rows;
  while (std::getline(lines, line)) {
    const std::vector<std::string> fields = fields_of(line);
    EXPECT_EQ(fields.size(), head.size()) << line;
    std::map<std::string, std::string> row;
    for (size_t i = 0; i < std::min(head.size(), fields.size()); ++i) row[head[i]] = fields[i];
    rows.push_back(row);
  }
  return rows;
}

void compare_table(GroupBy by, const std::string& key_column, const std::string& key) {
  const std::string archive = with_names(simulate(many_choices()));
  const auto of_key = [&](const Json& group) {
    const Json& value = group[key];
    return value.is_null() ? "" : value.is_string() ? value.get<std::string>() : value.dump();
  };
  host::StringOutput out;
  print_statistics_csv(out, grouped(archive, by));
  std::map<std::string, std::map<std::string, double>> rows;
  for (auto& row : rows_of(out.take())) {
    EXPECT_EQ(row["thread"], "");
    if (!row["cpu"].empty() || !row["category"].empty() || !row["name"].empty()) continue;
    const std::string metric = row["metric"] + " " + row["statistic"];
    EXPECT_TRUE(rows[row[key_column]].emplace(metric, std::stod(row["value"])).second) << metric;
    if (by == GroupBy::kProcess && (row["process"] == "50" || row["process"] == "51")) {
      EXPECT_EQ(row["process_name"], "shell");
    }
  }
  const Json document = json_of(archive, by);
  for (const Json& group : document["groups"]) {
    const auto& row = rows[of_key(group)];
    EXPECT_EQ(row.at("threads count"), group["threads"]);
    EXPECT_EQ(row.at("running total"), group["running_ticks"]);
    EXPECT_EQ(row.at("running share"), group["running_share"]);
    EXPECT_EQ(row.at("runs count"), group["runs"]);
    EXPECT_EQ(row.at("switches preempted"), group["preempted"]);
    EXPECT_EQ(row.at("run total"), group["run"]["total_ticks"]);
    EXPECT_EQ(row.at("run p99"), group["run"]["p99_ticks"]);
    EXPECT_EQ(row.at("wakeup_latency count"), group["wakeup_latency"]["count"]);
  }
}

TEST(Groups, StandInTheTableByName) { compare_table(GroupBy::kName, "thread_name", "name"); }
TEST(Groups, StandInTheTableByProcess) { compare_table(GroupBy::kProcess, "process", "process"); }

// CPUs are busy while threads run: the shares of both are of the same time.
TEST(Shares, OfWhatThreadsRanAddUpToThoseOfCpus) {
  const Json document = json_of(with_names(simulate(many_choices())), GroupBy::kThread);
  double longest = 0;
  double busy = 0;
  for (const Json& cpu : document["cpus"]) {
    longest = std::max(longest, cpu["observed_ticks"].get<double>());
    busy += cpu["busy_share"].get<double>() * cpu["observed_ticks"].get<double>();
  }
  double ran = 0;
  for (const Json& thread : document["threads"]) {
    EXPECT_DOUBLE_EQ(thread["running_share"].get<double>() * longest,
                     thread["running_ticks"].get<double>());
    if (!thread["idle"].get<bool>()) ran += thread["running_share"].get<double>();
  }
  EXPECT_GT(ran, 0);
  EXPECT_NEAR(ran * longest, busy, longest * 1e-9);
}

std::string text_of(GroupBy by) {
  host::StringOutput out;
  print_statistics(out, grouped(with_names(simulate(many_choices())), by));
  return out.take();
}

TEST(Groups, AreNamedWithTheNumberOfTheirThreads) {
  const std::string names = text_of(GroupBy::kName);
  EXPECT_TRUE(contains(names, "\nBusiest names "));
  EXPECT_TRUE(contains(names, "\ntwo x2 "));
  EXPECT_TRUE(contains(names, "\nwithout a name "));
  EXPECT_TRUE(lacks(names, "\nidle/"));
  const std::string processes = text_of(GroupBy::kProcess);
  EXPECT_TRUE(contains(processes, "\nBusiest processes "));
  EXPECT_TRUE(contains(processes, "\nshell #51 x2 "));
  EXPECT_TRUE(contains(processes, "\nprocess 52 "));
}

}  // namespace
}  // namespace barefxt::test::groups_test
