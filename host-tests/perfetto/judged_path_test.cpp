// The critical paths that Perfetto finds, in an archive and in the same in its own format, are
// those that an evaluator computes from switches and wakeups: they go wrong with one waker or
// state. So are the latencies, which Perfetto finds in its own format alone.
//
// Run where BAREFXT_TRACE_PROCESSOR names a trace_processor_shell.
#include <gtest/gtest.h>

#include "convert/converting.h"
#include "critical_paths.h"
#include "rebuild/damaged_captures.h"
#include "rebuild/rebuild_harness.h"
#include "trace_processor.h"

namespace barefxt::test::judged_path_test {
namespace {

CriticalPaths paths_in_perfetto(const std::string& trace) {
  const std::string paths =
      "include perfetto module sched.thread_executing_span; select of.tid, thread.tid, "
      "sum(path.dur) from _critical_path_by_roots!((select id as root_node_id from _wakeup_graph), "
      "_wakeup_graph) path join _wakeup_graph root on root.id = root_id join thread of on of.utid "
      "= root.utid join _wakeup_graph node on node.id = path.id join thread on thread.utid = "
      "node.utid group by 1, 2";
  CriticalPaths found;
  const std::vector<Table> answers = TraceProcessor::ask(trace, {paths});
  for (const auto& row : answers.at(0))
    found[{std::stoull(row[0]), std::stoull(row[1])}] = std::stoull(row[2]);
  return found;
}

// For each thread the count of runs that followed a wait for a CPU, and the sum of these waits, ns.
using Latencies = std::map<uint64_t, std::pair<uint64_t, uint64_t>>;

Latencies latencies_in_perfetto(const std::string& trace) {
  const std::string latencies =
      "include perfetto module sched.latency; select tid, count(*), sum(latency_dur) from "
      "sched_latency_for_running_interval join thread using (utid) where tid > 0 group by 1";
  Latencies found;
  const std::vector<Table> answers = TraceProcessor::ask(trace, {latencies});
  for (const auto& row : answers.at(0))
    found[std::stoull(row[0])] = {std::stoull(row[1]), std::stoull(row[2])};
  return found;
}

// A run that the trace does not end is in no panel.
Latencies latencies_of(const PlainArchive& archive) {
  uint64_t unit = 1;
  std::map<uint64_t, uint64_t> ready;   // since when, in ticks
  std::map<uint64_t, uint64_t> waited;  // by threads that run
  Latencies found;
  for (const PlainRecord& record : archive.records) {
    if (record.type == 1) unit = 1'000'000'000 / record.value;
    if (record.type != 8) continue;
    if (record.subtype == 2) {
      if (!waited.contains(record.thread)) ready.try_emplace(record.thread, record.timestamp);
      continue;
    }
    if (const auto run = waited.find(record.thread); run != waited.end()) {
      auto& [count, sum] = found[record.thread];
      ++count;
      sum += run->second * unit;
      waited.erase(run);
    }
    if (record.numbers.at(0) <= 1) ready[record.thread] = record.timestamp;
    if (const auto since = ready.find(record.other_thread); since != ready.end()) {
      waited[record.other_thread] = record.timestamp - since->second;
      ready.erase(since);
    }
  }
  return found;
}

class PathsInPerfetto : public ::testing::Test {
 protected:
  void SetUp() override {
    if (TraceProcessor::program() == nullptr)
      GTEST_SKIP() << "BAREFXT_TRACE_PROCESSOR names no trace_processor_shell";
  }
};

TEST_F(PathsInPerfetto, OfTheDemoAreThoseOfItsSwitchesAndWakeups) {
  const Bytes bytes = rebuild(demo_capture()).archive;
  const std::string archive(bytes.begin(), bytes.end());
  const PlainArchive records = decode_plainly(bytes);
  const CriticalPaths as_it_is = critical_paths(records, InterruptsBegin::kNoSpan);
  EXPECT_EQ(paths_in_perfetto(archive), as_it_is);
  EXPECT_EQ(paths_in_perfetto(to_perfetto(archive).bytes),
            critical_paths(records, InterruptsBegin::kSpanOverThreads));
  size_t in_others = 0;
  for (const auto& [threads, time] : as_it_is) in_others += threads.first != threads.second;
  EXPECT_GT(in_others, 5U);
}

TEST_F(PathsInPerfetto, LatenciesOfTheDemoAreThoseOfItsSwitchesAndWakeups) {
  const Bytes bytes = rebuild(demo_capture()).archive;
  const PlainArchive records = decode_plainly(bytes);
  Latencies expected = latencies_of(records);
  for (const PlainRecord& record : records.records)
    if (record.type == 7 && record.name.starts_with("idle/")) expected.erase(record.value);
  EXPECT_EQ(latencies_in_perfetto(to_perfetto({bytes.begin(), bytes.end()}).bytes), expected);
  EXPECT_GT(expected.size(), 5U);
}

}  // namespace
}  // namespace barefxt::test::judged_path_test
