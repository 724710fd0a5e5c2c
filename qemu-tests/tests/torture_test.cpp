// All contexts of all CPUs write at once, in all modes of the rings: nothing torn, nothing out of
// order, nothing lost in silence. The kernel reads most of it itself, and judges; the last trace is
// dumped and looked at here.
//
// BAREFXT_FULL=1 in the environment: 10^8 records and more with the first image, which takes the
// better part of an hour, and 10^7 with the others.

#include <gtest/gtest.h>
#include <map>
#include <sstream>

#include "events.h"
#include "key_values.h"
#include "qemu.h"
#include "targets.h"
#include "torture/records.h"

namespace barefxt::test {
namespace {

std::map<std::string, KeyValues> read_lines(const std::string& console, const std::string& build) {
  std::map<std::string, KeyValues> by_mode;
  std::istringstream lines(console);
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("TORTURE on=", 0) != 0) continue;
    while (!line.empty() && (line.back() == '\r' || line.back() == '\n')) line.pop_back();
    std::istringstream words(line);
    const KeyValues values = read_key_values(words);
    // A board has several images, so the image's name is a part of the key.
    const size_t rest = line.find(" mode=");
    std::printf("TORTURE on=%s%s\n", build.c_str(), line.substr(rest).c_str());
    by_mode[values.at("mode")] = values;
  }
  return by_mode;
}

// The records of a torture in the archive: whole, and those of one writer in order, also where they
// lie in several rings.
void expect_intact(const std::vector<Json>& archive) {
  std::map<uint64_t, uint64_t> next;
  uint64_t found = 0;
  for (const Json& record : archive) {
    if (record.at("record") != "event" || record.at("name") != "torture") continue;
    const uint64_t identity = argument_word(*find_argument(record, "identity"));
    const uint64_t begun = argument_word(*find_argument(record, "begun"));
    const auto check = static_cast<uint32_t>(argument_word(*find_argument(record, "check")));
    ASSERT_EQ(check, torture::check_word(identity, begun));
    ASSERT_LE(begun, record.at("timestamp").get<uint64_t>());
    const auto number = static_cast<uint32_t>(identity);
    const Json* text = find_argument(record, "text");
    ASSERT_EQ(text != nullptr, torture::has_text(number));
    if (text != nullptr) {
      const std::string written(torture::text_bytes(check), torture::text_letter(check));
      ASSERT_EQ(text->at("value"), written);
    }
    uint64_t& least = next[identity >> 32];
    ASSERT_GE(number, least);
    least = number + 1;
    ++found;
  }
  EXPECT_GT(found, 500u);
}

class TortureTest : public ::testing::TestWithParam<Image> {
 protected:
  static void torture(const std::string& kernel);
};

void TortureTest::torture(const std::string& kernel) {
  const bool is_full = is_full_run();
  Boot options = {.build = GetParam().build, .image = kernel, .breaks_in = true};
  // Enough to fill the rings of all CPUs, in a short run.
  uint32_t records = GetParam().cpus > 1 ? 250'000 : 100'000;
  if (is_full) records = options.build == "aarch64" ? 100'000'000 : 10'000'000;
  options.arguments = "mode=torture dump=file records=" + std::to_string(records);
  if (is_full) options.timeout_seconds = 3 * 3600;
  const Booted run = boot(options);
  const std::string console = read_file(run.uart);
  ASSERT_EQ(run.status, 0) << console << read_file(run.file("qemu.log"));

  const auto by_mode = read_lines(console, options.build);
  uint64_t contended = 0;
  uint64_t migrated = 0;
  uint64_t nested = 0;
  uint64_t nonmaskable = 0;
  for (const char* mode : {"one-shot", "streaming", "circular"}) {
    ASSERT_EQ(by_mode.count(mode), 1u) << console;
    const KeyValues& line = by_mode.at(mode);
    EXPECT_EQ(line.at("result"), "ok");
    EXPECT_EQ(number(line, "cpus"), GetParam().cpus);
    EXPECT_EQ(number(line, "read") + number(line, "lost") + number(line, "overwritten"),
              number(line, "attempted"));
    EXPECT_GT(number(line, "read"), 1000u);
    contended += number(line, "contended");
    migrated += number(line, "migrated");
    nested += number(line, "nested");
    nonmaskable += number(line, "nonmaskable");
  }
  EXPECT_GT(number(by_mode.at("one-shot"), "lost"), 0u);
  EXPECT_GT(number(by_mode.at("circular"), "overwritten"), 0u);
  // On one CPU writers disturb each other only where they interrupt each other.
  EXPECT_GT(contended, 0u);
  EXPECT_EQ(migrated > 0, GetParam().cpus > 1);
  EXPECT_GT(nested, 0u);
  EXPECT_EQ(nonmaskable > 0, GetParam().target == "x86_64");

  const Output rebuilt = barefxt("rebuild " + run.file("trace.bin") + " -o " + run.file("t.fxt"));
  EXPECT_EQ(rebuilt.status, 0) << rebuilt.err;
  const std::vector<Json> archive = read_archive(run.file("t.fxt"));
  expect_intact(archive);
  const RecordCounts counts = count_records(archive);
  const KeyValues& last = by_mode.at("circular");
  EXPECT_EQ(counts.recorded, number(last, "read"));
  EXPECT_EQ(counts.lost, number(last, "lost") + number(last, "overwritten"));
}

TEST_P(TortureTest, AllContextsWriteAtOnceAndEveryRecordIsAccountedFor) { torture({}); }

BAREFXT_TEST_IMAGES(TortureTest, Portion::kAll);

// Writers that migrate between the load of the ring's address and that of its position.
using RingRegisterTortureTest = TortureTest;

TEST_P(RingRegisterTortureTest, AllContextsWriteAtOnceAndEveryRecordIsAccountedFor) {
  torture(kRingRegisterImage);
}

BAREFXT_TEST_IMAGES(RingRegisterTortureTest, Portion::kAll, images_with_ring_register());

}  // namespace
}  // namespace barefxt::test
