// Wakers: a machine is simulated from random numbers and knows it; the archive names the
// same waker or, where records are missing, none.
#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>
#include <random>

#include "convert/converting.h"
#include "rebuild_harness.h"

namespace barefxt::test::wakers_test {
namespace {

using fxt::EventType;
using host::ArchiveWriter;
using U = uint64_t;

constexpr U kCpuProcess = 0x7e000000;
constexpr U kCpuThread = 0x7f000000;
constexpr U kKoids[] = {11, 12, 20};  // of the threads with indices 1 to 3

struct SimulatedRecord {
  enum class Kind { kSwitch, kWakeup, kInterrupt, kInterruptBegin, kInterruptEnd, kLoss } kind;
  using enum Kind;
  U time = 0;      // of an interrupt its end
  U begin = 0;     // of an interrupt
  U outgoing = 0;  // index into kKoids
  U incoming = 0;  // the same; of a wakeup: the woken thread
  U waker = 0;     // its koid
};

// One CPU: threads that switch and wake each other, interrupts that nest and wake as well.
class SimulatedCpu {
 public:
  SimulatedCpu(std::mt19937& random, unsigned cpu, bool lossy)
      : random_(random), cpu_(cpu), lossy_(lossy) {}

  std::vector<SimulatedRecord> run(int steps) {
    for (int i = 0; i < steps; ++i) step(0);
    change_thread();
    change_thread();
    return std::move(records_);
  }

 private:
  U random(U below) { return random_() % below; }
  void change_thread() {
    const U next = random(std::size(kKoids));
    add({.kind = SimulatedRecord::kSwitch, .time = ++now_, .outgoing = running_, .incoming = next});
    running_ = next;
  }
  void add(const SimulatedRecord& record) {
    if (lossy_ && random(8) == 0) {
      if (records_.empty() || records_.back().kind != SimulatedRecord::kLoss)
        records_.push_back({.kind = SimulatedRecord::kLoss, .time = now_});
      return;
    }
    records_.push_back(record);
  }
  void step(unsigned depth) {
    const U what = random(8);
    if (what == 0 && depth == 0) return change_thread();
    if (what < 3 && depth < 3) {
      const U begin = ++now_;
      const bool in_two_records = random(2) == 0;
      if (in_two_records) add({.kind = SimulatedRecord::kInterruptBegin, .time = begin});
      for (U i = random(4); i > 0; --i) step(depth + 1);
      if (in_two_records) return add({.kind = SimulatedRecord::kInterruptEnd, .time = ++now_});
      return add({.kind = SimulatedRecord::kInterrupt, .time = ++now_, .begin = begin});
    }
    add({.kind = SimulatedRecord::kWakeup,
         .time = ++now_,
         .incoming = random(std::size(kKoids)),
         .waker = depth > 0 ? kCpuThread + cpu_ : kKoids[running_]});
  }

  std::mt19937& random_;
  unsigned cpu_;
  bool lossy_;
  U now_ = 1000;
  U running_ = 0;
  std::vector<SimulatedRecord> records_;
};

std::vector<SimulatedRecord> simulate(std::mt19937& random, unsigned cpu, bool lossy) {
  return SimulatedCpu(random, cpu, lossy).run(40);
}

Words half_of_duration(U subtype, U time, unsigned thread) {
  return {U{4} | U{2} << 4 | subtype << 16 | U{thread} << 24 | U{1} << 32 | U{4} << 48, time};
}

std::string rebuilt(const std::vector<std::vector<SimulatedRecord>>& cpus) {
  TestCapture capture = two_cpu_capture(0);
  for (uint16_t cpu = 0; cpu < cpus.size(); ++cpu) {
    TestPiece piece{.cpu = cpu, .segment = 0, .records = {}};
    for (const SimulatedRecord& record : cpus[cpu]) {
      switch (record.kind) {
        case SimulatedRecord::kLoss:
          if (!piece.records.empty()) capture.pieces.push_back(piece);
          piece.records.clear();
          ++piece.segment;
          ++piece.records_lost;
          piece.bytes_lost += 24;
          break;
        case SimulatedRecord::kSwitch:
          piece.records.push_back(
              context_switch(record.time, cpu, 3, record.outgoing + 1, record.incoming + 1, 5, 5));
          break;
        case SimulatedRecord::kWakeup:
          piece.records.push_back(
              {U{8} | U{3} << 4 | U{cpu} << 20 | U{2} << 60, record.time, kKoids[record.incoming]});
          break;
        case SimulatedRecord::kInterrupt:
          piece.records.push_back(duration_complete(record.begin, record.time, 4 + cpu, 1, 4));
          break;
        case SimulatedRecord::kInterruptBegin:
          piece.records.push_back(half_of_duration(2, record.time, 4 + cpu));
          break;
        case SimulatedRecord::kInterruptEnd:
          piece.records.push_back(half_of_duration(3, record.time, 4 + cpu));
          break;
      }
    }
    if (!piece.records.empty()) capture.pieces.push_back(piece);
    capture.records_lost_in_all.push_back(piece.records_lost);
  }
  const Rebuilt rebuilt = rebuild(binary_form(capture.frames()));
  expect_sound(rebuilt);
  return {rebuilt.archive.begin(), rebuilt.archive.end()};
}

void add(ArchiveWriter& writer, EventType type, std::string_view name, U time, U end,
         unsigned cpu) {
  EXPECT_TRUE(add_event(writer, type, time, {0, kCpuProcess, kCpuThread + cpu}, "irq", name, end));
}

// The archive that an older version would have rebuilt: wakeups name no waker.
std::string archive_without_wakers(const std::vector<std::vector<SimulatedRecord>>& cpus) {
  std::vector<std::pair<SimulatedRecord, unsigned>> all;
  for (unsigned cpu = 0; cpu < cpus.size(); ++cpu)
    for (const SimulatedRecord& record : cpus[cpu]) all.emplace_back(record, cpu);
  // Each CPU's records stay in their order: its times rise, but for losses.
  std::vector<size_t> order(all.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return std::pair(all[a].first.time, a) < std::pair(all[b].first.time, b);
  });
  return written([&](ArchiveWriter& writer) {
    writer.provider_info(1, "simulated");
    for (const size_t at : order) {
      const auto& [record, cpu] = all[at];
      switch (record.kind) {
        case SimulatedRecord::kLoss:
          writer.provider_event(1, fxt::ProviderEvent::kBufferFull);
          add(writer, EventType::kDurationComplete, "drop_stats", record.time, record.time, cpu);
          break;
        case SimulatedRecord::kSwitch:
          EXPECT_TRUE(writer.context_switch(
              {record.time, static_cast<uint16_t>(cpu), fxt::ThreadState::kBlocked,
               kKoids[record.outgoing], kKoids[record.incoming]},
              {}));
          break;
        case SimulatedRecord::kWakeup:
          EXPECT_TRUE(writer.thread_wakeup(
              {record.time, static_cast<uint16_t>(cpu), kKoids[record.incoming]}, {}));
          break;
        case SimulatedRecord::kInterrupt:
          add(writer, EventType::kDurationComplete, "timer", record.begin, record.time, cpu);
          break;
        case SimulatedRecord::kInterruptBegin:
          add(writer, EventType::kDurationBegin, "timer", record.time, 0, cpu);
          break;
        case SimulatedRecord::kInterruptEnd:
          add(writer, EventType::kDurationEnd, "timer", record.time, 0, cpu);
          break;
      }
    }
  });
}

struct Found {
  unsigned named = 0;
  unsigned nameless = 0;
};

// Compares the archive's wakers with those of the simulation, in each CPU's order.
Found compare(const std::string& archive, const std::vector<std::vector<SimulatedRecord>>& cpus) {
  Found found;
  std::vector<size_t> next(cpus.size());
  for (const PlainRecord& record : decode_plainly(Bytes(archive.begin(), archive.end())).records) {
    if (record.type != 8 || record.subtype != 2) continue;
    const auto& simulated = cpus[record.cpu];
    size_t& at = next[record.cpu];
    while (simulated[at].kind != SimulatedRecord::kWakeup) ++at;
    EXPECT_EQ(record.timestamp, simulated[at].time);
    const PlainArgument* const waker = record.argument("waker");
    ++(waker != nullptr ? found.named : found.nameless);
    if (waker != nullptr) {
      EXPECT_EQ(waker->type, 8) << "a koid";
      EXPECT_EQ(waker->bits, simulated[at].waker) << "at " << record.timestamp;
    }
    ++at;
  }
  return found;
}

TEST(Wakers, AreNamedInWhateverOrderSwitchesAndInterruptsCome) {
  std::mt19937 random(1);
  Found all;
  for (int round = 0; round < 200; ++round) {
    const std::vector<std::vector<SimulatedRecord>> cpus = {simulate(random, 0, false),
                                                            simulate(random, 1, false)};
    for (const std::string& archive : {rebuilt(cpus), to_fxt(archive_without_wakers(cpus)).bytes}) {
      const Found found = compare(archive, cpus);
      EXPECT_EQ(found.nameless, 0U) << "round " << round;
      all.named += found.named;
    }
  }
  EXPECT_GT(all.named, 5000U);
}

TEST(Wakers, AreNeverWrongWhereRecordsAreMissing) {
  std::mt19937 random(2);
  Found all;
  for (int round = 0; round < 400; ++round) {
    const std::vector<std::vector<SimulatedRecord>> cpus = {simulate(random, 0, true),
                                                            simulate(random, 1, true)};
    const std::string archive = rebuilt(cpus);
    const std::string converted = to_fxt(archive_without_wakers(cpus)).bytes;
    const Found found = compare(archive, cpus);
    EXPECT_EQ(compare(converted, cpus).named, found.named);
    all.named += found.named;
    all.nameless += found.nameless;
  }
  EXPECT_GT(all.named, 10000U);
  EXPECT_GT(all.nameless, 10000U);
}

TEST(Wakers, ThatAHookRecordedStay) {
  const std::string archive = written([](ArchiveWriter& writer) {
    const host::ArchiveArgument waker = host::ArchiveArgument::koid(text("waker"), 77);
    EXPECT_TRUE(writer.context_switch({1, 0, fxt::ThreadState::kBlocked, 11, 12}, {}));
    EXPECT_TRUE(writer.thread_wakeup({2, 0, 11}, {&waker, 1}));
    EXPECT_TRUE(writer.context_switch({3, 0, fxt::ThreadState::kBlocked, 12, 11}, {}));
  });
  const std::string converted = to_fxt(archive).bytes;
  EXPECT_EQ(to_fxt(converted).bytes, converted);
  for (const PlainRecord& record :
       decode_plainly(Bytes(converted.begin(), converted.end())).records) {
    if (record.type != 8 || record.subtype != 2) continue;
    ASSERT_EQ(record.arguments.size(), 1U);
    EXPECT_EQ(record.arguments[0].bits, 77U);
  }
}

}  // namespace
}  // namespace barefxt::test::wakers_test
