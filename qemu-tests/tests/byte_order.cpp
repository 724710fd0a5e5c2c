#include "byte_order.h"

#include <gtest/gtest.h>
#include <sstream>

#include <barefxt/host/frame_scanner.h>

namespace barefxt::test {
namespace {

// In which order the image's data are, by its ELF header.
bool is_big_endian(const Image& image) {
  constexpr size_t kDataEncoding = 5;
  constexpr char kBigEndian = 2;
  return read_file(image_path(image.build)).at(kDataEncoding) == kBigEndian;
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

// Returns lint's warnings alone. Its notes concern clocks whose ticks are no whole nanoseconds, and
// the demo's wide integers; lint does not show all of these.
std::string without_notes(const std::string& text) {
  std::istringstream lines(text);
  std::string warnings;
  for (std::string line; std::getline(lines, line);)
    if (line.find(": note: ") == std::string::npos &&
        line.find(" more [wide-integer]") == std::string::npos)
      warnings += line + '\n';
  return warnings;
}

}  // namespace

void expect_the_same_in_either_order(const Image& image, const Booted& run) {
  const std::string capture = read_file(run.uart);
  CountFrames count;
  host::FrameScanner scanner(count);
  scanner.feed({reinterpret_cast<const uint8_t*>(capture.data()), capture.size()});
  scanner.finish();
  EXPECT_GT(count.frames, 0u);
  EXPECT_EQ(count.big_endian, is_big_endian(image) ? count.frames : 0u);
  EXPECT_EQ(count.others, 0u);

  std::string printed[2];
  for (const std::string order : {"little", "big"}) {
    const std::string archive = run.file(order + ".fxt");
    ASSERT_EQ(
        barefxt("rebuild --output-byte-order " + order + " " + run.uart + " -o " + archive).status,
        0);
    // The magic word is 0x0016547846040010.
    EXPECT_EQ(read_file(archive).substr(0, 2),
              order == "big" ? std::string("\x00\x16", 2) : std::string("\x10\x00", 2));
    // A big-endian archive gives this finding of lint, and no other: Perfetto reads none.
    const std::string expected =
        order == "big" ? "0: warning: the archive is big-endian [big-endian]\n" : "";
    const Output lint = barefxt("lint " + archive);
    EXPECT_EQ(without_notes(lint.out), expected) << lint.err;
    EXPECT_EQ(lint.status, order == "big" ? 1 : 0);
    printed[order == "big"] = barefxt("print --json " + archive).out;
  }
  EXPECT_FALSE(printed[0].empty());
  EXPECT_TRUE(printed[0] == printed[1]);
}

}  // namespace barefxt::test
