// The picture that Perfetto's trace processor makes of an archive, with and without packets for its
// logs, and of the same in its own format, is the one that an evaluator makes of the records:
// wakers, depths of slices, the begin of the trace, slices that stay open. Before and after damage
// to the capture, by seed.
//
// Run where BAREFXT_TRACE_PROCESSOR names a trace_processor_shell.
#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <tuple>

#include "convert/converting.h"
#include "convert/shown_slices.h"
#include "rebuild/damaged_captures.h"
#include "rebuild/rebuild_harness.h"
#include "stats/interrupted_cpus.h"
#include "stats/locking_kernel.h"
#include "stats/simulated_kernel.h"
#include "trace_processor.h"

namespace barefxt::test::judged_picture_test {
namespace {

using U = uint64_t;

constexpr U kNanoseconds = 1'000'000'000;
constexpr U kFirstCpu = 0x7f000000;

const std::vector<std::string>& questions() {
  static const std::vector<std::string> all = {
      "select name, value from stats where severity in ('error', 'data_loss') and value > 0",
      "select woken.tid, ts, waker.tid, ifnull(irq_context, 0) from thread_state join thread woken "
      "using (utid) join thread waker on waker.utid = waker_utid order by ts",
      "select tid, ts, depth from slice join thread_track on thread_track.id = track_id join "
      "thread using (utid)",
      "select start_ts from trace_bounds",
      "select tid, cpu, ts, dur from sched join thread using (utid) where tid > 0 and "
      "ifnull(name, '') not glob 'idle/*'",
      "select count(*), ifnull(max(depth), 0) from slice join track on track.id = track_id where "
      "track.type = 'cpu_irq'",
  };
  return all;
}
enum Question : size_t {  // unscoped: indices
  kStats,
  kWakers,
  kDepths,
  kStart,
  kRows,
  kInterrupts,
};

struct Wakeup {
  U woken;
  U time;  // ns
  bool in_interrupt;
  U waker;  // of one outside of interrupts; 0: not known
  auto operator<=>(const Wakeup&) const = default;
};

U number(const std::string& text) { return text.empty() ? 0 : std::stoull(text); }

class Picture {
 public:
  Picture(const std::string& archive, As as)
      : as_(as), archive_(decode_plainly(Bytes(archive.begin(), archive.end()))) {
    const std::string trace = form_of(archive, as);
    shown_ = as == As::kPerfetto      ? shown_of_perfetto(trace)
             : as == As::kFxtWithLogs ? shown_of_archive(archive_, ShownLogs::kPoints)
                                      : shown_of_archive(archive_);
    answers_ = TraceProcessor::ask(trace, questions());
    for (const PlainRecord& record : archive_.records) {
      if (record.type == 1) unit_ = kNanoseconds / record.value;
      if (record.type == 4 && record.name == "drop_stats") losses_.push_back(record);
      if (record.type == 7 && record.name.starts_with("idle/")) idle_.insert(record.value);
      if (record.type == 8 && record.subtype == 2) has_no_wakeups_ = false;
    }
  }

  void check() const {
    errors();
    wakers();
    depths();
    start();
    rows();
    interrupts();
  }

 private:
  U time(const PlainRecord& record) const { return record.timestamp * unit_; }

  // Perfetto cannot place flow events outside of slices, in archives.
  void errors() const {
    for (const auto& row : answers_[kStats]) EXPECT_EQ(row[0], "flow_no_enclosing_slice") << row[1];
  }

  // Perfetto's reader of archives shows each wakeup, by the woken thread itself if none is named.
  std::multiset<Wakeup> wakeups_of_archive() const {
    std::multiset<Wakeup> expected;
    for (const PlainRecord& record : archive_.records) {
      if (record.type != 8 || record.subtype != 2) continue;
      const PlainArgument* const waker = record.argument("waker");
      expected.insert(
          {record.thread, time(record), false, waker == nullptr ? record.thread : waker->bits});
    }
    return expected;
  }
  // The scheduler's events show wakeups of threads that may wait. One in an interrupt is marked if
  // its CPU has switched before. Idle threads have no numbers, and no states.
  std::multiset<Wakeup> wakeups_of_scheduler() const {
    std::multiset<Wakeup> expected;
    std::map<U, bool> waits;
    std::set<U> cpus;
    for (const PlainRecord& record : archive_.records) {
      if (record.type == 4 && record.name == "drop_stats") waits.clear();
      if (record.type != 8) continue;
      if (record.subtype == 2 && idle_.contains(record.thread)) continue;
      if (record.subtype != 2) {
        cpus.insert(record.cpu);
        waits[record.thread] = record.numbers.at(0) > 1;
        waits[record.other_thread] = false;
        continue;
      }
      const PlainArgument* const waker = record.argument("waker");
      const U koid = waker == nullptr || idle_.contains(waker->bits) ? 0 : waker->bits;
      const bool by_interrupt = koid >= kFirstCpu;
      const bool in_interrupt = by_interrupt && cpus.contains(record.cpu);
      bool& is_waiting = waits.try_emplace(record.thread, true).first->second;
      if (!is_waiting) continue;
      is_waiting = false;
      expected.insert({record.thread, time(record), in_interrupt, by_interrupt ? 0 : koid});
    }
    return expected;
  }

  void wakers() const {
    std::multiset<Wakeup> expected =
        as_ == As::kPerfetto ? wakeups_of_scheduler() : wakeups_of_archive();
    std::multiset<Wakeup> shown;
    for (const auto& row : answers_[kWakers]) {
      const bool in_interrupt = number(row[3]) != 0;
      shown.insert(
          {number(row[0]), number(row[1]), in_interrupt, in_interrupt ? 0 : number(row[2])});
    }
    for (const Wakeup& one : shown) {
      const auto found = expected.find(one);
      if (found == expected.end()) {
        ADD_FAILURE() << one.woken << " at " << one.time << " by " << one.waker;
      } else {
        expected.erase(found);
      }
    }
    if (as_ != As::kPerfetto || losses_.empty()) {
      EXPECT_EQ(expected.size(), 0U) << "wakeups that are not shown";
    }
    EXPECT_EQ(shown.empty(), has_no_wakeups_);
  }

  void depths() const {
    using Depth = std::tuple<U, U, U>;  // thread, time, depth
    std::multiset<Depth> expected;
    for (const ShownSlice& slice : shown_.slices)
      expected.insert({slice.begin.thread, slice.begin.time, slice.around.size()});
    std::multiset<Depth> found;
    for (const auto& row : answers_[kDepths])
      found.insert({number(row[0]), number(row[1]), number(row[2])});
    std::vector<Depth> differing;
    std::set_symmetric_difference(expected.begin(), expected.end(), found.begin(), found.end(),
                                  std::back_inserter(differing));
    EXPECT_EQ(differing.size(), 0U) << "of " << expected.size();
    for (size_t i = 0; i < std::min<size_t>(differing.size(), 5); ++i)
      ADD_FAILURE() << "thread " << std::get<0>(differing[i]) << " at " << std::get<1>(differing[i])
                    << ", depth " << std::get<2>(differing[i]);
  }

  // A switch is the first record of all archives here, or behind it.
  void start() const {
    U first = ~U{0};
    U first_switch = ~U{0};
    for (const PlainRecord& record : archive_.records) {
      const bool is_shown_log = record.type == 9 && as_ != As::kFxt;
      if (record.type != 4 && record.type != 8 && !is_shown_log) continue;
      first = std::min(first, time(record));
      if (record.type == 8 && record.subtype != 2)
        first_switch = std::min(first_switch, time(record));
    }
    const U found = number(answers_[kStart][0][0]);
    EXPECT_GE(found, first);
    EXPECT_LE(found, first_switch);
  }

  // No row spans a loss of its CPU, and each CPU has at most one that is open.
  void rows() const {
    std::map<U, int> open;
    U count = 0;
    for (const auto& row : answers_[kRows]) {
      const bool is_open = row[3] == "-1";
      const U cpu = number(row[1]);
      const U from = number(row[2]);
      open[cpu] += is_open ? 1 : 0;
      ++count;
      for (const PlainRecord& loss : losses_) {
        if (loss.thread != kFirstCpu + cpu) continue;
        const bool ends_ahead = !is_open && from + number(row[3]) <= time(loss);
        EXPECT_TRUE(ends_ahead || from >= loss.value * unit_)
            << "thread " << row[0] << " from " << from << " for " << row[3];
      }
    }
    for (const auto& [cpu, rows] : open) EXPECT_LE(rows, 1) << "CPU " << cpu;
    EXPECT_EQ(count, shown_.rows.size() + count_open(open));
  }
  static U count_open(const std::map<U, int>& open) {
    U count = 0;
    for (const auto& [cpu, rows] : open) count += static_cast<U>(rows);
    return count;
  }

  // In Perfetto's own format they have tracks beside CPUs.
  void interrupts() const {
    U begun = 0;
    for (const PlainRecord& record : archive_.records)
      if (record.type == 4 && record.category == "irq" && record.thread >= kFirstCpu &&
          (record.subtype == 2 || record.subtype == 4))
        ++begun;
    EXPECT_EQ(number(answers_[kInterrupts][0][0]), as_ == As::kPerfetto ? begun : 0);
  }

  As as_;
  PlainArchive archive_;
  Shown shown_;
  std::vector<Table> answers_;
  std::vector<PlainRecord> losses_;
  std::set<U> idle_ = {0};
  bool has_no_wakeups_ = true;
  U unit_ = 1;
};

void judge(const std::string& name, const std::string& archive) {
  for (const As as : kAllForms) {
    SCOPED_TRACE(name + name_of(as));
    Picture(archive, as).check();
  }
}

std::string rebuilt(const Bytes& capture) {
  const Bytes archive = rebuild(capture).archive;
  return {archive.begin(), archive.end()};
}

class PicturesInPerfetto : public ::testing::Test {
 protected:
  void SetUp() override {
    if (TraceProcessor::program() == nullptr)
      GTEST_SKIP() << "BAREFXT_TRACE_PROCESSOR names no trace_processor_shell";
  }
};

TEST_F(PicturesInPerfetto, AreThoseOfTheRecords) {
  judge("the demo", rebuilt(demo_capture()));
  judge("a recorder", rebuilt(golden_capture("cortex-m3-circular.v1.raw")));
  for (const char* kernel : {"freertos-example.raw", "kernels/lk.raw", "kernels/nuttx.raw",
                             "kernels/threadx.raw", "kernels/zephyr.raw"})
    judge(kernel, rebuilt(golden_capture(kernel)));
  for (unsigned seed = 1; seed <= last_seed(); ++seed) {
    std::mt19937 random(seed);
    std::vector<uint32_t> choices(2000);
    for (uint32_t& one : choices) one = random();
    const std::string number = std::to_string(seed);
    judge("kernel " + number, to_fxt(archive_of(simulate(choices).records)).bytes);
    judge("locks " + number, to_fxt(locking::LockingKernel(choices).archive()).bytes);
    judge("interrupts " + number, to_fxt(interrupted::InterruptedCpus(choices).archive()).bytes);
  }
}

TEST_F(PicturesInPerfetto, OfDamagedCapturesAreThoseOfTheRecordsLeft) {
  for (unsigned seed = 1; seed <= last_seed(); ++seed) {
    const std::string number = std::to_string(seed);
    judge("flipped bits, seed " + number, rebuilt(with_flipped_bits(demo_capture(), seed)));
    judge("cuts, seed " + number, rebuilt(with_cuts(demo_capture(), seed)));
  }
}

// A recorder that was full long before, and was dumped an hour after the start.
TEST_F(PicturesInPerfetto, BeginAtTheFirstEvent) {
  constexpr U kHour = 3600 * kNanoseconds;
  const std::string archive = written([](host::ArchiveWriter& writer) {
    writer.provider_info(1, "recorder");
    writer.initialization(kNanoseconds);
    writer.provider_event(1, fxt::ProviderEvent::kBufferFull);
    add_event(writer, fxt::EventType::kDurationComplete, kHour, {0, 0x7e000000, kFirstCpu},
              "barefxt", "drop_stats", kHour + 10);
    EXPECT_TRUE(writer.context_switch({kHour + 20, 0, fxt::ThreadState::kBlocked, 11, 12}, {}));
    EXPECT_TRUE(writer.context_switch({kHour + 30, 0, fxt::ThreadState::kBlocked, 12, 11}, {}));
  });
  const std::string times = "select start_ts, (select min(ts) from slice) from trace_bounds";
  for (const As as : kAllForms) {
    const Table answer = TraceProcessor::ask(form_of(archive, as), {times})[0];
    EXPECT_EQ(answer[0], std::vector<std::string>(2, std::to_string(kHour)));
  }
}

// Perfetto colours CPUs by processes, and hatches what runs at priorities below 100.
TEST_F(PicturesInPerfetto, ThreadsOfOneProcessHaveColoursAndNoneIsRealTime) {
  const std::string archive = rebuilt(golden_capture("kernels/zephyr.raw"));
  const std::string looks =
      "select count(distinct utid), count(distinct upid), sum(priority < 100) from sched join "
      "thread using (utid) where tid > 0";
  const Table as_it_is = TraceProcessor::ask(archive, {looks})[0];
  const Table converted = TraceProcessor::ask(to_perfetto(archive).bytes, {looks})[0];
  EXPECT_EQ(number(as_it_is[0][1]), 1U);
  EXPECT_GT(number(as_it_is[0][0]), 3U);
  EXPECT_EQ(converted[0][0], as_it_is[0][0]);
  EXPECT_EQ(converted[0][1], as_it_is[0][0]);
  EXPECT_EQ(number(converted[0][2]), 0U);
}

TEST_F(PicturesInPerfetto, FlowsKeepTheirArguments) {
  const std::string archive = written([](host::ArchiveWriter& writer) {
    writer.initialization(kNanoseconds);
    for (const U thread : {U{11}, U{12}}) {
      const bool is_first = thread == 11;
      const auto bytes =
          host::ArchiveArgument::plain(text("bytes"), fxt::ArgumentType::kUint32, 60 + thread);
      add(writer, is_first ? fxt::EventType::kFlowBegin : fxt::EventType::kFlowEnd, thread,
          "message", 77, {bytes});
    }
  });
  const std::string arguments =
      "select extract_arg(a.arg_set_id, 'debug.bytes'), extract_arg(b.arg_set_id, 'debug.bytes') "
      "from flow join slice a on a.id = slice_out join slice b on b.id = slice_in";
  EXPECT_EQ(TraceProcessor::ask(to_perfetto(archive).bytes, {arguments})[0], (Table{{"71", "72"}}));
}

}  // namespace
}  // namespace barefxt::test::judged_picture_test
