// Threads that are killed at random instructions in the middle of records (qemu-tests/killed/). The
// kernel judges its ring after each; here the archive of each session has the records that the
// kernel's line announces, and every other one is counted.

#include <gtest/gtest.h>
#include <map>
#include <sstream>

#include "events.h"
#include "key_values.h"
#include "qemu.h"
#include "targets.h"

namespace barefxt::test {
namespace {

std::map<unsigned, RecordCounts> count_by_provider(const std::vector<Json>& records) {
  std::map<unsigned, std::vector<Json>> of_provider;
  for (const Json& record : records)
    if (record.contains("provider")) of_provider[record.at("provider")].push_back(record);
  std::map<unsigned, RecordCounts> counts;
  for (const auto& [provider, its] : of_provider) counts[provider] = count_records(its);
  return counts;
}

class KilledTest : public ::testing::TestWithParam<Image> {
 protected:
  static void kill(uint32_t rounds, bool on_all_cpus, bool streams = false);
};

void KilledTest::kill(uint32_t rounds, bool on_all_cpus, bool streams) {
  Boot options = {.build = GetParam().build,
                  .image = "kernel_killed",
                  .arguments = "rounds=" + std::to_string(rounds),
                  .counting = !on_all_cpus,
                  .extra = GetParam().room};
  if (streams) options.arguments += " mode=streaming";
  const Booted run = boot(options);
  const std::string console = read_file(run.uart);
  ASSERT_EQ(run.status, 0) << console << read_file(run.file("qemu.log"));
  const Output rebuilt = barefxt("rebuild " + run.file("trace.bin") + " -o " + run.file("t.fxt"));
  EXPECT_EQ(rebuilt.status, 0) << rebuilt.err;
  const std::map<unsigned, RecordCounts> sessions =
      count_by_provider(read_archive(run.file("t.fxt")));

  uint64_t kills = 0;
  uint64_t in_record = 0;
  uint64_t opened = 0;
  uint64_t lost = 0;
  unsigned provider = 0;
  std::istringstream lines(console);
  for (std::string line; std::getline(lines, line) && line != "KILLED end";) {
    std::istringstream words(line);
    std::string first;
    words >> first;
    ASSERT_EQ(first, "KILLED") << line;
    const KeyValues fields = read_key_values(words);
    EXPECT_EQ(fields.at("result"), "ok") << line;
    EXPECT_EQ(number(fields, "cpus"), on_all_cpus ? GetParam().cpus : 1u) << line;
    kills += number(fields, "kills");
    in_record += number(fields, "in_record");
    opened += number(fields, "opened");
    ASSERT_EQ(sessions.count(++provider), 1u) << line;
    const RecordCounts& session = sessions.at(provider);
    // Names that the ring has are records, too, but no events.
    const std::string all = ": " + fields.at("recorded") + " records in ";
    EXPECT_TRUE(contains(rebuilt.err, all)) << line;
    EXPECT_LE(session.recorded, number(fields, "recorded")) << line;
    EXPECT_GE(20 * session.recorded, 19 * number(fields, "recorded")) << line;
    EXPECT_EQ(session.lost, number(fields, "lost") + number(fields, "overwritten")) << line;
    // Nothing is lost but what threads were killed in; some had just committed theirs. A stream may
    // fill the ring.
    if (!streams) {
      EXPECT_LE(number(fields, "lost"), number(fields, "in_record")) << line;
    }
    lost += number(fields, "lost");
  }
  EXPECT_EQ(sessions.size(), provider);
  EXPECT_GE(kills, rounds);
  EXPECT_GT(lost, on_all_cpus ? 0 : kills / 50);
  EXPECT_GT(opened, kills / 500) << "the range of instructions ends within openings";
  std::printf("KILLED target=%s compiler=%s cpus=%u kills=%llu in_record=%llu\n",
              GetParam().target.c_str(), GetParam().compiler.c_str(),
              on_all_cpus ? GetParam().cpus : 1, static_cast<unsigned long long>(kills),
              static_cast<unsigned long long>(in_record));
}

TEST_P(KilledTest, AThreadKilledInARecordCostsNoSegmentAndNoOtherRecord) {
  kill(is_full_run() ? 100'000 : 2'000, false);
}

TEST_P(KilledTest, AThreadKilledInARecordOfAStreamCostsNoSegmentEither) {
  kill(is_full_run() ? 10'000 : 200, false, true);
}

using KilledOnAllTest = KilledTest;
TEST_P(KilledOnAllTest, WhatACpuEndsForAnotherWhileThatWritesIsEndedOnce) {
  kill(is_full_run() ? 10'000 : 600, true);
}

// One for each way to swap a word. The default run boots two.
INSTANTIATE_TEST_SUITE_P(Targets, KilledTest,
                         ::testing::ValuesIn(images_by_default(Portion::kAll,
                                                               images_of({"cortex-m3", "rv64"}))),
                         name_of_image);
INSTANTIATE_TEST_SUITE_P(Full, KilledTest,
                         ::testing::ValuesIn(images_by_default(
                             Portion::kAll, images_of({"aarch64", "rv32-no-a", "x86_64"}))),
                         name_of_image);

INSTANTIATE_TEST_SUITE_P(Targets, KilledOnAllTest,
                         ::testing::ValuesIn(images_by_default(Portion::kAll, images_of({"rv64"}))),
                         name_of_image);
INSTANTIATE_TEST_SUITE_P(Full, KilledOnAllTest,
                         ::testing::ValuesIn(images_by_default(Portion::kAll,
                                                               images_of({"aarch64", "x86_64"}))),
                         name_of_image);

}  // namespace
}  // namespace barefxt::test
