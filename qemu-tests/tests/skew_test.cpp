// CPUs with a counter each, which are not in step: times in the archive are by CPU 0's counter, to
// the reported error.
//
// Evidence: while CPU 1 records something it reads CPU 0's counter before and after, as a register
// of the machine. The tracer never sees those readings, nor do they take its offset.

#include <algorithm>
#include <gtest/gtest.h>
#include <map>

#include "events.h"
#include "qemu.h"
#include "tally_lines.h"
#include "targets.h"

namespace barefxt::test {
namespace {

class SkewTest : public ::testing::TestWithParam<Image> {};

// "... 1 CPU set by the clock of cpu 0, right to within 7 ticks": 7. Without this text 0.
uint64_t reported_error(const std::string& messages) {
  const std::string before = "1 CPU set by the clock of cpu 0, right to within ";
  const size_t at = messages.find(before);
  return at == std::string::npos ? 0 : std::stoull(messages.substr(at + before.size()));
}

void expect_times_of_cpu_0(const std::vector<Json>& archive, const Tally& tally, uint64_t error) {
  // The board sets the counters apart by this, less the time of a run: 45 seconds.
  constexpr uint64_t kApart = 900'000'000;
  std::map<uint64_t, uint64_t> found;
  for (const Json& record : archive) {
    if (record.at("record") != "event" || record.at("name") != "bracketed") continue;
    const uint64_t id = argument_word(*find_argument(record, "bracket"));
    ASSERT_EQ(tally.clocks.count(id), 1u);
    const ClockReading& clock = tally.clocks.at(id);
    const uint64_t ticks = record.at("timestamp");
    const uint64_t wrong_by = clock.cpu == 0 ? 0 : error;
    EXPECT_LE(clock.from, ticks + wrong_by) << "bracket " << id << " on CPU " << clock.cpu;
    EXPECT_LE(ticks, clock.to + wrong_by) << "bracket " << id << " on CPU " << clock.cpu;
    if (clock.cpu == 0)
      EXPECT_TRUE(clock.from <= clock.own && clock.own <= clock.to);
    else
      EXPECT_GT(std::max(clock.own, clock.from) - std::min(clock.own, clock.from), kApart)
          << "counters in step: nothing is shown";
    ++found[clock.cpu];
  }
  // How many of the threads each CPU takes is a matter of chance, but for all or none.
  EXPECT_GT(found[0], 0u);
  EXPECT_GT(found[1], 0u);
}

// No message arrives before it was sent, but for the error. How many there are that go from one CPU
// to the other is a matter of chance.
void expect_messages_in_order(const std::vector<Json>& archive, uint64_t error) {
  struct End {
    uint64_t cpu = 0;
    uint64_t ticks = 0;
  };
  std::map<uint64_t, End> begun;
  std::map<uint64_t, End> ended;
  for (const Json& record : archive) {
    if (record.at("record") != "event" || record.at("category") != "message") continue;
    const std::string kind = record.at("event");
    if (kind != "flow_begin" && kind != "flow_end") continue;
    const uint64_t message = record.at("correlation_id");
    auto& ends = kind == "flow_begin" ? begun : ended;
    const End end = {argument_word(*find_argument(record, "cpu")), record.at("timestamp")};
    EXPECT_TRUE(ends.insert({message, end}).second) << kind << " of " << message << " came twice";
  }
  for (const auto& [message, end] : ended) {
    ASSERT_EQ(begun.count(message), 1u);
    const End& begin = begun.at(message);
    EXPECT_LE(begin.ticks, end.ticks + (begin.cpu == end.cpu ? 0 : error)) << "message " << message;
  }
  EXPECT_FALSE(ended.empty());
}

TEST_P(SkewTest, RecordsOfAllCpusBearTheTimeOfCpu0ToTheReportedError) {
  const Booted run = boot({.build = GetParam().build, .arguments = "seconds=1 dump=file"});
  ASSERT_EQ(run.status, 0) << read_file(run.file("qemu.log")) << read_file(run.uart);
  const Output rebuilt = barefxt("rebuild " + run.file("trace.bin") + " -o " + run.file("t.fxt"));
  ASSERT_EQ(rebuilt.status, 0) << rebuilt.err;
  // At boot the kernel asks until it knows that much.
  const uint64_t error = reported_error(rebuilt.err);
  EXPECT_GT(error, 0u) << rebuilt.err;
  EXPECT_LE(error, 100u) << rebuilt.err;
  const std::vector<Json> archive = read_archive(run.file("t.fxt"));
  expect_times_of_cpu_0(archive, read_tally(read_file(run.uart)), error);
  expect_messages_in_order(archive, error);
}

BAREFXT_TEST_IMAGES(SkewTest, Portion::kSample, images_of({"cortex-m33-smp"}));

}  // namespace
}  // namespace barefxt::test
