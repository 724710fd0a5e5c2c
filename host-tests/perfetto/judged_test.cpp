// Perfetto's trace processor gets the numbers of `barefxt stats` from an archive, and from the same
// converted to Perfetto's own format.
//
// Runs if BAREFXT_TRACE_PROCESSOR names a trace_processor_shell. BAREFXT_JUDGED may name more
// archives to be looked at, separated by colons.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>
#include <sstream>

#include "convert/converting.h"
#include "rebuild/rebuild_harness.h"
#include "stats/everything.h"
#include "stats/interrupted_cpus.h"
#include "stats/locking_kernel.h"
#include "stats/simulated_kernel.h"
#include "stats/summing.h"
#include "trace_processor.h"

namespace barefxt::test::judged_test {
namespace {

using U = uint64_t;
// The questions, in the order in which their answers are looked at.
const std::vector<std::string>& questions() {
  // Slices that have not ended when the trace does last until then.
  static const std::string lasts = "iif(dur < 0, (select end_ts from trace_bounds) - ts, dur)";
  static const std::vector<std::string> all = {
      "select name, value from stats where severity in ('error', 'data_loss') and value > 0",
      "select tid, hex(name) from thread where name is not null",
      "select tid, cpu, count(*), sum(" + lasts +
          ") from sched join thread using (utid) where tid > 0 group by tid, cpu",
      "select tid, rtrim(state, '+'), sum(" + lasts +
          "), count(*), count(waker_utid) from thread_state join thread using (utid) group by 1, 2",
      "select hex(category), hex(slice.name), count(*), sum(" + lasts +
          "), sum(dur < 0) from slice join thread_track on thread_track.id = track_id group by 1, "
          "2",
      "select hex(track.name), count(*), min(value), max(value) from counter join track on "
      "track.id = track_id group by 1",
      "select count(*) from flow",
      "select tid, hex(msg), ts, prio from android_logs join thread using (utid)",
      "select hex(category), hex(name), count(*) from slice where track_id not in (select id from "
      "thread_track) group by 1, 2",
  };
  return all;
}
enum Question : size_t {  // unscoped: indices
  kStats,
  kThreads,
  kRunning,
  kStates,
  kSlices,
  kCounters,
  kFlows,
  kLogs,
  kOperations
};

// Records of logs have no priority. Perfetto's page hides those below "verbose", 2.
constexpr const char* kInfo = "4";

U number(const std::string& text) { return std::stoull(text); }

class Judged {
 public:
  Judged(const std::string& name, const std::string& archive, As as) : as_(as), archive_(archive) {
    host::StatisticsOptions exact;
    exact.precision = host::Precision::kExact;
    statistics_ = statistics_in(archive, exact);
    where_ = name + name_of(as);
    answers_ = TraceProcessor::ask(form_of(archive, as), questions());
    losses_ = !statistics_.losses.empty();
    read();
  }

  void check() const {
    SCOPED_TRACE(where_);
    no_errors();
    threads();
    cpus();
    running();
    states();
    durations();
    counters();
    flows();
    logs();
    operations();
  }

 private:
  // Events that stats does not count: logs, async events, and slices without a length: instants
  // and, converted, flow events and logs.
  void read() {
    host::Reader reader(as_bytes(archive_), host::guess_form(as_bytes(archive_), {}).form);
    while (const host::Record* record = reader.next()) {
      if (const auto* log = std::get_if<host::Log>(&record->content); log && as_ != As::kFxt) {
        const std::string message(log->message);
        logs_.push_back({std::to_string(log->thread.thread), hex(message),
                         std::to_string(nanoseconds(log->timestamp)), kInfo});
        ++points_[{"log", message}];
      }
      const auto* event = std::get_if<host::Event>(&record->content);
      if (event == nullptr) continue;
      const bool flow = event->type == fxt::EventType::kFlowBegin ||
                        event->type == fxt::EventType::kFlowStep ||
                        event->type == fxt::EventType::kFlowEnd;
      const auto label =
          std::pair(std::string(event->category.bytes), std::string(event->name.bytes));
      if (event->type == fxt::EventType::kAsyncBegin ||
          event->type == fxt::EventType::kAsyncInstant)
        ++operations_[label];
      const bool instant = event->type == fxt::EventType::kInstant && !event->has_scope;
      if (instant || (flow && as_ == As::kPerfetto)) ++points_[label];
    }
  }
  U nanoseconds(U ticks) const {
    return static_cast<U>(static_cast<unsigned __int128>(ticks) * 1'000'000'000 /
                          statistics_.ticks_per_second);
  }
  // Each length loses less than a nanosecond where ticks are no whole ones.
  void is_about(const std::string& shown, U ticks, U lengths, const std::string& what) const {
    const bool exact = 1'000'000'000 % statistics_.ticks_per_second == 0;
    const double error = exact ? 0 : static_cast<double>(lengths);
    EXPECT_NEAR(std::stod(shown), static_cast<double>(nanoseconds(ticks)), error) << what;
  }
  // One of those that Perfetto knows by its name and number.
  bool is_seen(U koid) const { return !statistics_.is_idle(koid); }

  // Complaints that Perfetto may have. After losses, a CPU is found with another thread than it was
  // left with. Ends may lack a begin. The importer of archives cannot place flows outside of
  // durations.
  void no_errors() const {
    U flows = 0;
    for (const auto& [label, one] : statistics_.flows) flows += one.begun + one.steps + one.ended;
    std::map<std::string, U> known = {{"misplaced_end_event", statistics_.unmatched_ends}};
    if (losses_) known["mismatched_sched_switch_tids"] = switches();
    if (as_ != As::kPerfetto) known["flow_no_enclosing_slice"] = flows;
    for (const auto& row : answers_[kStats]) EXPECT_LE(number(row[1]), known[row[0]]) << row[0];
  }
  U switches() const {
    U sum = 0;
    for (const auto& [number_of, cpu] : statistics_.cpus) sum += cpu.switches.total();
    return sum;
  }
  bool is_flow_left_out() const {
    return std::any_of(answers_[kStats].begin(), answers_[kStats].end(),
                       [](const auto& row) { return row[0] == "flow_no_enclosing_slice"; });
  }

  void threads() const {
    std::set<std::pair<std::string, std::string>> named;
    for (const auto& row : answers_[kThreads]) named.insert({row[0], row[1]});
    for (const auto& [koid, thread] : statistics_.threads) {
      const std::string name = statistics_.name_of(koid);
      if (name.empty() || !is_seen(koid)) continue;
      EXPECT_TRUE(named.contains({std::to_string(koid), hex(name)})) << name;
    }
  }

  void cpus() const {
    // During losses, Perfetto lets the last thread run on; stats calls the time unknown.
    if (losses_) return;
    std::map<U, std::pair<U, U>> shown;  // slices and time
    for (const auto& row : answers_[kRunning]) {
      if (!is_seen(number(row[0]))) continue;
      shown[number(row[1])].first += number(row[2]);
      shown[number(row[1])].second += number(row[3]);
    }
    for (const auto& [number_of, cpu] : statistics_.cpus) {
      const auto& [slices, time] = shown[number_of];
      is_about(std::to_string(time), cpu.busy, slices, "CPU " + std::to_string(number_of));
    }
  }

  void running() const {
    std::map<U, U> runs;
    std::map<std::pair<U, U>, std::string> ran;
    for (const auto& row : answers_[kRunning]) {
      runs[number(row[0])] += number(row[2]);
      ran[{number(row[0]), number(row[1])}] = row[3];
    }
    for (const auto& [koid, thread] : statistics_.threads) {
      if (!is_seen(koid)) continue;
      EXPECT_EQ(runs[koid], thread.runs) << "thread " << koid;
      if (losses_) continue;
      for (const auto& [cpu, ticks] : thread.running_by_cpu) {
        if (ticks > 0)
          is_about(ran[{koid, cpu}], ticks, thread.runs, "thread " + std::to_string(koid));
      }
    }
  }

  // For traces without losses.
  void states() const {
    if (losses_) return;
    std::map<std::pair<U, std::string>, std::vector<std::string>> shown;
    for (const auto& row : answers_[kStates]) shown[{number(row[0]), row[1]}] = row;
    const auto ticks_of = [&](U koid, const std::string& states) {
      double sum = 0;
      for (const char state : states) {
        const auto found = shown.find({koid, std::string(1, state)});
        if (found != shown.end()) sum += std::stod(found->second[2]);
      }
      return std::to_string(static_cast<U>(sum));
    };
    for (const auto& [koid, thread] : statistics_.threads) {
      if (!is_seen(koid) || thread.time(host::ThreadTime::kUnknown) > 0) continue;
      const std::string who = "thread " + std::to_string(koid);
      const U lengths = 2 * thread.runs + 2;
      is_about(ticks_of(koid, "RW"), thread.time(host::ThreadTime::kRunnable), lengths,
               who + ", runnable");
      // For Perfetto, a thread that ran again without a wakeup slept until then.
      const U asleep =
          thread.time(host::ThreadTime::kBlocked) + thread.time(host::ThreadTime::kWaiting);
      is_about(ticks_of(koid, "ST"), asleep, lengths, who + ", blocked");
      U woken = 0;
      for (const char* state : {"R", "W"}) {
        const auto found = shown.find({koid, state});
        if (found != shown.end()) woken += number(found->second[4]);
      }
      EXPECT_GE(woken, thread.latency.count()) << who;
      EXPECT_LE(woken, thread.wakeups) << who;
    }
  }

  void durations() const {
    std::map<std::pair<std::string, std::string>, std::vector<std::string>> shown;
    for (const auto& row : answers_[kSlices]) shown[{row[0], row[1]}] = row;
    const auto check = [&](const std::string& category, const std::string& name,
                           const host::DurationStatistics& one) {
      const auto found = shown.find({hex(category), hex(name)});
      ASSERT_NE(found, shown.end()) << category << " " << name;
      const U all = one.total.count() + one.in_doubt + one.unended;
      const auto points = points_.find({category, name});
      EXPECT_EQ(number(found->second[2]), all + (points == points_.end() ? 0 : points->second))
          << category << " " << name;
      // Perfetto ignores losses inside a duration, and lets one without an end last until the end.
      if (one.in_doubt + one.unended > 0) return;
      is_about(found->second[3], one.total.total(), all, category + " " + name);
    };
    for (const auto& [label, one] : statistics_.durations) check(label.category, label.name, one);
    for (const auto& [name, one] : statistics_.functions) check("function", name, one);
    for (const auto& [label, count] : points_) {
      const auto found = shown.find({hex(label.first), hex(label.second)});
      ASSERT_NE(found, shown.end()) << label.first << " " << label.second;
      EXPECT_GE(number(found->second[2]), count) << label.first << " " << label.second;
    }
    U losses = 0;
    for (const auto& [key, one] : statistics_.losses) losses += one.times;
    const auto dropped = shown.find({hex("barefxt"), hex("drop_stats")});
    EXPECT_EQ(dropped == shown.end() ? 0 : number(dropped->second[2]), losses);
  }

  void counters() const {
    std::map<std::string, std::vector<std::string>> shown;
    for (const auto& row : answers_[kCounters]) shown[row[0]] = row;
    for (const auto& [key, one] : statistics_.counters) {
      std::string name = key.label.name + ":" + key.argument;
      // The importer writes 0, too.
      if (key.id != 0 || as_ != As::kPerfetto) name += ":" + std::to_string(key.id);
      ASSERT_TRUE(shown.contains(hex(name))) << name;
      const auto& row = shown.at(hex(name));
      EXPECT_EQ(number(row[1]), one.samples) << name;
      EXPECT_NEAR(std::stod(row[2]), one.least_real, 1e-6 * (1 + std::abs(one.least_real)));
      EXPECT_NEAR(std::stod(row[3]), one.most_real, 1e-6 * (1 + std::abs(one.most_real)));
    }
  }

  // From each event of a flow to the next an arrow.
  void flows() const {
    U arrows = 0;
    for (const auto& [label, one] : statistics_.flows) arrows += one.steps + one.ended;
    if (losses_ || is_flow_left_out()) {
      EXPECT_LE(number(answers_[kFlows][0][0]), arrows);
    } else {
      EXPECT_EQ(number(answers_[kFlows][0][0]), arrows);
    }
  }

  // The importer of archives passes over logs without packets. The records of an archive need not
  // be in order of time.
  void logs() const {
    const auto sorted = [](Table rows) {
      std::sort(rows.begin(), rows.end());
      return rows;
    };
    EXPECT_EQ(sorted(answers_[kLogs]), sorted(logs_));
  }

  // Async events, on tracks of their own: those that begin, and those of an instant.
  void operations() const {
    std::map<std::pair<std::string, std::string>, U> shown;
    for (const auto& row : answers_[kOperations]) shown[{row[0], row[1]}] = number(row[2]);
    for (const auto& [label, count] : operations_) {
      const auto found = shown.find({hex(label.first), hex(label.second)});
      ASSERT_NE(found, shown.end()) << label.first << " " << label.second;
      EXPECT_EQ(found->second, count) << label.first << " " << label.second;
    }
  }

  As as_;
  const std::string& archive_;
  std::string where_;
  host::Statistics statistics_;
  std::vector<Table> answers_;
  Table logs_;
  // By category and name.
  std::map<std::pair<std::string, std::string>, U> points_;
  std::map<std::pair<std::string, std::string>, U> operations_;
  bool losses_ = false;
};

void judge(const std::string& name, const std::string& archive) {
  for (const As as : kAllForms) Judged(name, archive, as).check();
}

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  EXPECT_TRUE(file.good()) << path;
  return text.str();
}

std::string archive_in(const Bytes& capture) {
  const Bytes archive = rebuild(capture).archive;
  return {archive.begin(), archive.end()};
}

class TracesInPerfetto : public ::testing::Test {
 protected:
  void SetUp() override {
    if (TraceProcessor::program() == nullptr)
      GTEST_SKIP() << "BAREFXT_TRACE_PROCESSOR names no trace_processor_shell";
  }
};

TEST_F(TracesInPerfetto, HaveEverythingOfAnArchive) {
  judge("everything", archive_of_everything());
}

TEST_F(TracesInPerfetto, HaveWhatSeveralCpusDid) {
  for (unsigned seed = 1; seed <= last_seed(); ++seed) {
    std::mt19937 random(seed);
    std::vector<uint32_t> choices(2000);
    for (uint32_t& one : choices) one = random();
    const SimulatedTrace trace = simulate(choices);
    judge("kernel " + std::to_string(seed), archive_of(trace.records));
    judge("kernel " + std::to_string(seed) + " with a loss",
          archive_of(with_loss(trace, 1, 100 * seed, 20).records));
    judge("locks " + std::to_string(seed), locking::LockingKernel(choices).archive());
    judge("interrupts " + std::to_string(seed), interrupted::InterruptedCpus(choices).archive());
  }
}

TEST_F(TracesInPerfetto, HaveWhatDemosRecorded) {
  for (const char* name :
       {"cortex-m3-demo.v2.raw", "cortex-m3-circular.v1.raw", "freertos-example.raw"})
    judge(name, archive_in(golden_capture(name)));
}

// Kernels with applications of ours, and the real Zephyr with its own.
TEST_F(TracesInPerfetto, HaveWhatKernelsRecorded) {
  size_t captures = 0;
  for (const std::string folder : {"kernels/", "zephyr/", "pico/"}) {
    for (const auto& file : std::filesystem::directory_iterator(
             BAREFXT_SOURCE_DIR "/host-tests/goldens/captures/" + folder)) {
      const std::string name = folder + file.path().filename().string();
      if (name.find(".raw") == std::string::npos) continue;
      const Bytes capture = golden_capture(name);
      ASSERT_FALSE(capture.empty()) << name;
      judge(name, archive_in(capture));
      ++captures;
    }
  }
  EXPECT_GE(captures, 16u);
}

TEST_F(TracesInPerfetto, HaveWhatArchivesAtHandHold) {
  const char* names = std::getenv("BAREFXT_JUDGED");
  std::istringstream list(names == nullptr ? "" : names);
  for (std::string name; std::getline(list, name, ':');) judge(name, bytes_of(name));
}

}  // namespace
}  // namespace barefxt::test::judged_test
