#include "skewed_cpus.h"

#include <atomic>
#include <thread>
#include <utility>

namespace barefxt::test {
namespace {

// A counter showed `ticks` at `since`, and goes on from there.
struct Counter {
  uint64_t since = 0;
  uint64_t ticks = 0;
  uint64_t ticks_per_second = 0;

  uint64_t at(uint64_t time) const {
    __extension__ using Wide = unsigned __int128;
    return ticks + static_cast<uint64_t>(static_cast<Wide>(time - since) * ticks_per_second /
                                         1'000'000'000);
  }
};

std::atomic<uint64_t> true_time;
std::array<Counter, BAREFXT_MAX_CPUS> counters;
std::array<int64_t, BAREFXT_MAX_CPUS> skews;
std::function<void()> before;
std::function<void()> after;
std::atomic<bool> yields;

Counter& counter_of(uint32_t cpu) { return counters[clock_of_cpu(cpu)]; }

// The values that the hooks of all the time before would have left.
void set_epochs() {
  for (auto& epoch : clock_epochs)
    epoch.store_relaxed(
        static_cast<uint32_t>(true_time >> (kCounterIsShort ? kCounterBits - 1 : 63)));
}

uint64_t read_counter() {
  if (yields) std::this_thread::yield();
  if (before) std::exchange(before, nullptr)();
  const uint64_t value = counter_of(barefxt_host_cpu).at(++true_time);
  if (after) std::exchange(after, nullptr)();
  return value;
}

}  // namespace

void SkewedCpusTest::SetUp() {
  SessionTest::SetUp();
  true_time = 1'000'000'000;
  counters.fill({true_time, true_time, kRate});
  skews.fill(0);
  yields = false;
  before = nullptr;
  after = nullptr;
  for (auto& offset : clock_offsets) offset.clear();
  set_epochs();
  barefxt_host_counter = read_counter;
}

void SkewedCpusTest::TearDown() {
  before = nullptr;
  after = nullptr;
  SessionTest::TearDown();
  true_time = 0;
  set_epochs();
}

uint64_t SkewedCpusTest::now() { return true_time; }

// The hooks of all CPUs come at least eight times in a period of the counter.
void SkewedCpusTest::pass(uint64_t nanoseconds) {
  const uint32_t here = barefxt_host_cpu;
  while (nanoseconds != 0) {
    constexpr uint64_t kPeriod = uint64_t{1} << (kCounterIsShort ? kCounterBits : 40);
    static_assert(kPeriod / 8 * 2 < kPeriod / 2, "also at the highest rate, two to the nanosecond");
    const uint64_t step = std::min(nanoseconds, kPeriod / 8);
    true_time += step;
    nanoseconds -= step;
    for (uint32_t cpu = 0; cpu < kCpus; ++cpu) {
      run_on_cpu(cpu);
      const uint64_t time = true_time;
      barefxt_clock_tick();
      true_time = time;
    }
  }
  run_on_cpu(here);
}

void SkewedCpusTest::set_skew(uint32_t cpu, int64_t ticks) {
  skews[cpu] = ticks;
  counter_of(cpu) = {true_time, true_time + static_cast<uint64_t>(ticks), kRate};
}
int64_t SkewedCpusTest::true_offset(uint32_t cpu) { return skews[0] - skews[cpu]; }

void SkewedCpusTest::report_offset(uint32_t cpu, int64_t ticks, uint64_t error) {
  const uint64_t words[ClockOffset::kWords] = {static_cast<uint64_t>(ticks), error};
  publish_clock_offset(clock_of_cpu(cpu), words);
}
void SkewedCpusTest::report_true_offsets() {
  for (uint32_t cpu = 1; cpu < kCpus; ++cpu) report_offset(cpu, true_offset(cpu), 3);
}

void SkewedCpusTest::set_rate(uint32_t cpu, uint64_t ticks_per_second) {
  Counter& counter = counter_of(cpu);
  counter = {true_time, counter.at(true_time), ticks_per_second};
}
void SkewedCpusTest::sleep(uint32_t cpu, uint64_t nanoseconds) {
  Counter& counter = counter_of(cpu);
  const uint64_t ticks = counter.at(true_time);
  const uint64_t rate = counter.ticks_per_second;
  counter = {true_time, ticks, 0};
  pass(nanoseconds);
  counter = {true_time, ticks, rate};
}

void SkewedCpusTest::yield_on_reads() { yields = true; }

void SkewedCpusTest::before_next_read(std::function<void()> interrupt) {
  before = std::move(interrupt);
}
void SkewedCpusTest::after_next_read(std::function<void()> interrupt) {
  after = std::move(interrupt);
}

}  // namespace barefxt::test
