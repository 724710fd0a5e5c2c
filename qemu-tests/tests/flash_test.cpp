// The tracer's share of a target's flash and RAM, at the level for size: images with the smallest
// runtimes (qemu-tests/flash), compared with one that has no tracing. linear_demo_test shows that
// those with the smallest runtime work.

#include <gtest/gtest.h>

#include "costs_file.h"
#include "image_code.h"
#include "qemu.h"
#include "targets.h"

namespace barefxt::test {
namespace {

constexpr uint64_t kTableEntries = 16;  // as qemu-tests/flash/flash.cmake sets it

class FlashTest : public ::testing::TestWithParam<Image> {};

// Over an image without tracing.
struct Figures {
  uint64_t recording;
  uint64_t with_dump;
};
// Promised of images for which flash counts: 1024 and 2560 bytes on Cortex-M3, with either
// compiler, and half as much again elsewhere with GCC. A margin is left for what comes yet.
constexpr uint64_t kMargin = 32;
constexpr Figures kLimit = {1024 - kMargin, 2560 - kMargin};
constexpr Figures limit_of(const std::string& target) {
  return target == "cortex-m3" ? kLimit
                               : Figures{kLimit.recording * 3 / 2, kLimit.with_dump * 3 / 2};
}

// With segments: what it takes, and less than 2 % more. Targets that are not named have no limit.
struct SegmentsLimit {
  const char* target;
  Figures figures;
  uint64_t coder;
};
constexpr SegmentsLimit kSegmentsLimits[] = {
    {"aarch64", {5896, 9780}, 1896},
    {"cortex-m0", {4046, 6678}, 1280},
    {"cortex-m3", {3954, 6570}, 1280},
    {"cortex-m33-smp", {4018, 6634}, 1280},
};

// `runtime`: a part of the images' names.
Figures figures_of(const Image& target, const std::string& runtime) {
  const uint64_t empty = flash_bytes(image_path(target.build, "flash_empty"));
  EXPECT_GT(empty, 0u) << "no image";
  EXPECT_LE(empty, 64u);
  const Figures figures = {
      flash_bytes(image_path(target.build, "flash_recording" + runtime)) - empty,
      flash_bytes(image_path(target.build, "flash_dump" + runtime)) - empty};
  EXPECT_GT(figures.recording, 500u) << "fewer than the protocol needs: a wrong count";
  EXPECT_GT(figures.with_dump, figures.recording + 500) << "fewer than it needs: a wrong count";
  return figures;
}

TEST_P(FlashTest, TheTracersShareOfAnImageIsReportedTargetByTarget) {
  const auto path = [](const char* image) { return image_path(GetParam().build, image); };
  const Figures figures = figures_of(GetParam(), "");
  const Figures segments = figures_of(GetParam(), "_segments");
  const uint64_t coder =
      flash_bytes(path("flash_dump_coded")) - flash_bytes(path("flash_dump_segments"));
  // As much as the texts, their table of 3 entries, and what sends them.
  const uint64_t in_elf = flash_bytes(path("flash_dump_strings"));
  const uint64_t saved = flash_bytes(path("flash_dump")) - in_elf;
  EXPECT_GT(saved, sizeof "work" + sizeof "instant" + sizeof "number" + 3 * sizeof(uint32_t));
  EXPECT_LT(saved, 400u) << "more than the strings take: a wrong count";
  EXPECT_GT(coder, 400u) << "fewer than the code needs: a wrong count";
  const uint64_t ring = symbol_bytes(path("flash_recording"), "_ZN7barefxt5ringsE");
  const uint64_t ring_of_segments =
      symbol_bytes(path("flash_recording_segments"), "_ZN7barefxt5ringsE");
  EXPECT_GT(ring, 0u);
  EXPECT_LE(ring, ring_of_segments);
  EXPECT_LE(ring_of_segments, 128u);
  // And how many are taken, in a word.
  const uint64_t threads = symbol_bytes(path("flash_recording"), "_ZN7barefxt6linear7threadsE");
  EXPECT_LE(threads, kTableEntries * 32 + 8);
  EXPECT_EQ(symbol_bytes(path("flash_recording_segments"), "_ZN7barefxt12thread_tableE"),
            kTableEntries * 32);
  const Figures limit = limit_of(GetParam().target);
  EXPECT_LE(figures.recording, limit.recording);
  EXPECT_LE(figures.with_dump, limit.with_dump);
  for (const SegmentsLimit& known : kSegmentsLimits) {
    if (GetParam().target != known.target) continue;
    EXPECT_LE(segments.recording, known.figures.recording);
    EXPECT_LE(segments.with_dump, known.figures.with_dump);
    EXPECT_LE(coder, known.coder);
  }
  const Json report = {{"target", GetParam().target},
                       {"record", "image"},
                       {"flash_bytes", figures.recording},
                       {"flash_bytes_with_dump", figures.with_dump},
                       {"flash_bytes_segments", segments.recording},
                       {"flash_bytes_segments_with_dump", segments.with_dump},
                       {"flash_bytes_coder", coder},
                       {"flash_bytes_strings", saved},
                       {"ram_bytes_per_cpu", ring_of_segments},
                       {"ram_bytes_per_thread", threads / kTableEntries}};
  std::printf("%s\n", report.dump().c_str());
  note_costs(Json::array({report}));
}

// One compiler's figures stand for the target.
BAREFXT_TEST_IMAGES(FlashTest, Portion::kCosts, images_by_gcc());

class SmallestFlashTest : public ::testing::TestWithParam<Image> {};

TEST_P(SmallestFlashTest, IsWithinItsLimitsWithClangToo) {
  const Figures figures = figures_of(GetParam(), "");
  EXPECT_LE(figures.recording, kLimit.recording);
  EXPECT_LE(figures.with_dump, kLimit.with_dump);
  std::printf("flash with clang: %llu bytes, with the dump %llu\n",
              static_cast<unsigned long long>(figures.recording),
              static_cast<unsigned long long>(figures.with_dump));
}

BAREFXT_TEST_IMAGES(SmallestFlashTest, Portion::kCosts, {image_of_build("cortex-m3-clang")});

}  // namespace
}  // namespace barefxt::test
