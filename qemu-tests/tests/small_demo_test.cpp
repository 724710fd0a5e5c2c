// Machines whose RAM has no room for the other tests' data beside the tracer: in their own RAM, a
// smaller demo prints its kernel's counts.
//
// Under an instruction counter, so that the rings have the same load each time.

#include <gtest/gtest.h>
#include <set>

#include "comparison.h"
#include "qemu.h"
#include "targets.h"

namespace barefxt::test {
namespace {

class SmallDemoTest : public ::testing::TestWithParam<Image> {
 protected:
  static Booted boot_small(const std::string& arguments) {
    return boot(
        {.build = GetParam().build, .image = "kernel", .arguments = arguments, .counting = true});
  }
};

TEST_P(SmallDemoTest, TheArchiveSaysWhatTheKernelCounted) {
  const Booted run = boot_small("seconds=2");
  const std::string console = read_file(run.uart);
  ASSERT_EQ(run.status, 0) << read_file(run.file("qemu.log")) << console.substr(0, 2000);
  const Output rebuilt = barefxt("rebuild " + run.uart + " -o " + run.file("trace.fxt"));
  ASSERT_EQ(rebuilt.status, 0) << rebuilt.err;
  const Tally tally = read_tally(console);
  EXPECT_EQ(tally.reported_lost, 0u);
  EXPECT_EQ(tally.reported_unfinished, 0u);
  EXPECT_EQ(tally.reported_recorded, tally.records);
  EXPECT_GT(tally.records, 5000u);
  EXPECT_EQ(tally.processes.size(), 2u);
  EXPECT_FALSE(tally.brackets.empty());
  const std::vector<Json> archive = read_archive(run.file("trace.fxt"));
  const std::vector<std::string> differences = compare(tally, archive);
  EXPECT_TRUE(differences.empty()) << join(differences);

  // Beside the idle thread.
  std::set<uint64_t> ran;
  for (const Json& record : archive)
    if (record.at("record") == "context_switch")
      ran.insert(record.at("incoming").at("thread").get<uint64_t>());
  EXPECT_GE(ran.size(), 1u + 6u);

  const Output lint = barefxt("lint " + run.file("trace.fxt"));
  EXPECT_EQ(lint.status, 0) << lint.out << lint.err;
  const Output doctor = barefxt("doctor " + run.uart);
  EXPECT_EQ(doctor.status, 0) << doctor.out << doctor.err;
}

TEST_P(SmallDemoTest, WhatItHasNoRoomForIsRefused) {
  const Booted run = boot_small("mode=records");
  EXPECT_EQ(run.status, 3) << read_file(run.uart);
}

std::vector<Image> small_images() {
  std::vector<Image> images = all_images();
  std::erase_if(images, [](const Image& image) { return image.room.empty(); });
  return images;
}

INSTANTIATE_TEST_SUITE_P(Targets, SmallDemoTest, ::testing::ValuesIn(small_images()),
                         name_of_image);

}  // namespace
}  // namespace barefxt::test
