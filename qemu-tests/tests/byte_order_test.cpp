// The target's byte order is the target's own affair: the host reads its words either way, and
// writes an archive in the order that is asked for.

#include <gtest/gtest.h>

#include <barefxt/host/frame_scanner.h>

#include "events.h"
#include "qemu.h"
#include "tally_lines.h"
#include "targets.h"

namespace barefxt::test {
namespace {

class ByteOrderTest : public ::testing::TestWithParam<Image> {};

// In which order the image's data are, by its ELF header.
bool is_big_endian(const Image& image) {
  constexpr size_t kDataEncoding = 5;
  constexpr char kMostSignificantFirst = 2;
  return read_file(image_path(image.build)).at(kDataEncoding) == kMostSignificantFirst;
}

struct CountFrames : host::FrameSink {
  void on_frame(const host::Frame& frame) override {
    ++frames;
    if ((frame.flags & wire::FrameFlags::kBigEndianWords) != 0) ++big_endian;
  }
  void on_damaged(uint64_t) override { ++others; }
  void on_other_version(uint8_t, uint64_t) override { ++others; }

  uint64_t frames = 0;
  uint64_t big_endian = 0;
  uint64_t others = 0;
};

TEST_P(ByteOrderTest, TheArchiveSaysTheSameInEitherOrder) {
  Boot options;
  options.build = GetParam().build;
  options.arguments = "seconds=1 dump=uart workers=20";
  const Booted run = boot(options);
  ASSERT_EQ(run.status, 0) << read_file(run.file("qemu.log"));

  const std::string capture = read_file(run.uart);
  CountFrames count;
  host::FrameScanner scanner(count);
  scanner.feed({reinterpret_cast<const uint8_t*>(capture.data()), capture.size()});
  scanner.finish();
  EXPECT_GT(count.frames, 0u);
  EXPECT_EQ(count.big_endian, is_big_endian(GetParam()) ? count.frames : 0u);
  EXPECT_EQ(count.others, 0u);

  std::string printed[2];
  for (const std::string order : {"little", "big"}) {
    const std::string archive = run.file(order + ".fxt");
    ASSERT_EQ(barefxt("rebuild --byte-order " + order + " " + run.uart + " -o " + archive).status,
              0);
    // The magic word is 0x0016547846040010.
    EXPECT_EQ(read_file(archive).substr(0, 2),
              order == "big" ? std::string("\x00\x16", 2) : std::string("\x10\x00", 2));
    // Of a big-endian archive lint has this to say, and nothing else: Perfetto reads none.
    const std::string told =
        order == "big" ? "0: warning: the archive is big-endian [big-endian]\n" : "";
    const Output lint = barefxt("lint " + archive);
    EXPECT_EQ(lint.out, told) << lint.err;
    EXPECT_EQ(lint.status, order == "big" ? 1 : 0);
    printed[order == "big"] = barefxt("print --json " + archive).out;
  }
  EXPECT_FALSE(printed[0].empty());
  EXPECT_TRUE(printed[0] == printed[1]);
}

INSTANTIATE_TEST_SUITE_P(Targets, ByteOrderTest, ::testing::ValuesIn(all_images()), name_of_image);

// The same sources for the other order, on a CPU that counts its instructions as time: the kernel
// does the same, and counts the same. Not to the instruction, since registers of devices and bytes
// of words are turned around in one of the two: where a tick of the timer comes just before a
// thread blocks in the one, and just behind that in the other, it preempts the thread in one of
// them only. So all is the same but the order of switches, and how many of them are preemptions.
class OtherByteOrderTest : public ::testing::TestWithParam<Image> {
 protected:
  static Tally count(const std::string& build) {
    Boot options;
    options.build = build;
    options.counting = true;
    options.arguments = "seconds=1 dump=none";
    const Booted run = boot(options);
    EXPECT_EQ(run.status, 0) << read_file(run.file("qemu.log"));
    return read_tally(read_file(run.uart));
  }
};

TEST_P(OtherByteOrderTest, TheKernelCountsTheSameInEitherOrder) {
  constexpr size_t kSuffix = sizeof "_be" - 1;
  std::string little = GetParam().build;
  little.erase(little.find("_be"), kSuffix);
  const Tally mine = count(GetParam().build);
  const Tally other = count(little);
  ASSERT_TRUE(mine.complete && other.complete);
  EXPECT_GT(mine.records, 1000u);
  const auto without_switches = [](const Tally& tally) {
    return tally.records - tally.switches.at(0).count;
  };
  EXPECT_EQ(without_switches(mine), without_switches(other));
  EXPECT_EQ(mine.events, other.events);
  EXPECT_EQ(mine.interrupts, other.interrupts);  // with their order
  EXPECT_EQ(mine.messages, other.messages);      // likewise
  EXPECT_EQ(mine.wakeups.at(0).count, other.wakeups.at(0).count);
  EXPECT_EQ(mine.processes, other.processes);
  EXPECT_EQ(mine.created, other.created);
}

INSTANTIATE_TEST_SUITE_P(Targets, OtherByteOrderTest,
                         ::testing::ValuesIn(images_of({"aarch64_be"})), name_of_image);

}  // namespace
}  // namespace barefxt::test
