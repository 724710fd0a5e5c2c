// The demo's capture with bits flipped on the line: nothing wrong ever gets into the archive.

#include <gtest/gtest.h>
#include <random>

#include <barefxt/host/rebuild.h>

#include "qemu.h"
#include "targets.h"

namespace barefxt::test {
namespace {

class Memory : public host::ByteSink {
 public:
  host::Status write(std::span<const uint8_t> bytes) override {
    all.insert(all.end(), bytes.begin(), bytes.end());
    return {};
  }
  std::vector<uint8_t> all;
};

struct Rebuilt {
  host::RebuildVerdict verdict = host::RebuildVerdict::kNothing;
  std::vector<uint8_t> archive;
  std::string messages;
};

Rebuilt rebuild(std::span<const uint8_t> capture) {
  Rebuilt result;
  host::Rebuild rebuild([&](const std::string& line) { result.messages += line + "\n"; });
  Memory sink;
  if (!rebuild.feed(capture).ok() || !rebuild.end_input("capture").ok()) return result;
  const auto verdict = rebuild.write(sink, host::ByteOrder::kLittle);
  if (verdict.ok()) result.verdict = verdict.value();
  result.archive = std::move(sink.all);
  return result;
}

TEST(LineDamageTest, AFlippedBitOfTheDemosCaptureIsHarmlessOrReported) {
  const Booted run = boot({.arguments = "seconds=1 dump=uart workers=20"});
  ASSERT_EQ(run.status, 0) << read_file(run.file("qemu.log"));
  const std::string text = read_file(run.uart);
  std::vector<uint8_t> capture(text.begin(), text.end());
  const size_t first_zero = text.find('\0');
  const size_t last_zero = text.rfind('\0');
  const Rebuilt whole = rebuild(capture);
  ASSERT_EQ(whole.verdict, host::RebuildVerdict::kComplete) << whole.messages;

  std::mt19937 random(20260);
  const int flips = is_full_run() ? 10000 : 600;
  int identical = 0;
  for (int i = 0; i < flips; ++i) {
    const size_t byte = random() % capture.size();
    const auto bit = static_cast<uint8_t>(1u << random() % 8);
    capture[byte] ^= bit;
    const Rebuilt flipped = rebuild(capture);
    capture[byte] ^= bit;
    if (flipped.verdict != host::RebuildVerdict::kComplete) continue;
    ASSERT_EQ(flipped.archive, whole.archive) << "byte " << byte << " bit " << int{bit};
    ++identical;
    const bool in_frames = byte >= first_zero && byte <= last_zero;
    // Console text has no check of its own; within frames no flip passes in silence.
    if (in_frames) {
      EXPECT_NE(flipped.messages, whole.messages) << "byte " << byte << " bit " << int{bit};
    }
  }
  std::printf("%d flips left the archive as it was, %d were reported as incomplete\n", identical,
              flips - identical);
}

}  // namespace
}  // namespace barefxt::test
