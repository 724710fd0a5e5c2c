// What the tracer takes of a target's flash and RAM, at the level for size: images that are built
// here, with the target's toolchain file, and compared with one that has no tracing. That those
// with the smallest runtime work is for linear_demo_test to show.

#include <gtest/gtest.h>

#include "costs_file.h"
#include "image_code.h"
#include "qemu.h"
#include "targets.h"

namespace barefxt::test {
namespace {

constexpr uint64_t kThreads = 16;  // as qemu-tests/flash/CMakeLists.txt says

// The images as built with one choice of what is left out.
class Images {
 public:
  // `choice`: definitions for CMake, and a name for them. Asks for gtest's fatal failures to be
  // looked at.
  Images(const Image& target, const std::string& name, const std::string& choice)
      : directory_(std::string(BAREFXT_IMAGES_DIR) + "/flash/" + target.build + name) {
    const std::string toolchain = std::string(BAREFXT_SOURCE) + "/toolchain/" + target.target +
                                  "-" + target.compiler + ".cmake";
    const Output configured = run_command(
        "cmake -S " BAREFXT_SOURCE "/qemu-tests/flash -B " + directory_ + " -G Ninja --toolchain " +
        toolchain + " -DBAREFXT_SOURCE=" BAREFXT_SOURCE " " + choice +
        " -DCMAKE_BUILD_TYPE=Size -DCMAKE_C_FLAGS_SIZE=-Os -DCMAKE_CXX_FLAGS_SIZE=-Os");
    EXPECT_EQ(configured.status, 0) << configured.out << configured.err;
    const Output built = run_command("cmake --build " + directory_);
    EXPECT_EQ(built.status, 0) << built.out << built.err;
  }

  std::string path(const char* name) const { return directory_ + "/" + name; }

  // Code, constants, and what variables begin with.
  uint64_t flash_bytes(const char* name) const {
    uint64_t sum = 0;
    for (const Section& section : sections_of(path(name)))
      if (section.kind == "TEXT" || section.kind == "DATA") sum += section.bytes;
    return sum;
  }

 private:
  std::string directory_;
};

class FlashTest : public ::testing::TestWithParam<Image> {};

// With GCC, over an image without tracing.
struct Figures {
  uint64_t recording;
  uint64_t with_dump;
};
// What was promised of images for which flash counts: of Cortex-M3, and half as much again
// elsewhere.
constexpr Figures kLimit = {1024, 2560};
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
    {"aarch64", {5310, 9080}, 1450},
    {"cortex-m0", {3700, 6240}, 1100},
    {"cortex-m3", {3630, 6150}, 1024},
    {"cortex-m33-smp", {3700, 6220}, 1036},
};

Figures figures_of(const Images& images) {
  const uint64_t empty = images.flash_bytes("empty");
  EXPECT_LE(empty, 64u);
  const Figures figures = {images.flash_bytes("recording") - empty,
                           images.flash_bytes("dump") - empty};
  EXPECT_GT(figures.recording, 500u) << "fewer than the protocol needs: a wrong count";
  EXPECT_GT(figures.with_dump, figures.recording + 500) << "fewer than it needs: a wrong count";
  return figures;
}

TEST_P(FlashTest, WhatTracingTakesOfAnImageIsToldTargetByTarget) {
  const Images smallest(GetParam(), "", "-DBAREFXT_SMALL=2");
  const Images small(GetParam(), "-segments", "-DBAREFXT_SMALL=1");
  const Images coding(GetParam(), "-coded", "-DBAREFXT_SMALL=1 -DBAREFXT_DUMP_FORMS=5");
  ASSERT_FALSE(HasFailure());
  const Figures figures = figures_of(smallest);
  const Figures segments = figures_of(small);
  const uint64_t coder = coding.flash_bytes("dump") - small.flash_bytes("dump");
  EXPECT_GT(coder, 400u) << "fewer than the code needs: a wrong count";
  const uint64_t ring = symbol_bytes(smallest.path("recording"), "_ZN7barefxt5ringsE");
  const uint64_t ring_of_segments = symbol_bytes(small.path("recording"), "_ZN7barefxt5ringsE");
  EXPECT_GT(ring, 0u);
  EXPECT_LE(ring, ring_of_segments);
  EXPECT_LE(ring_of_segments, 128u);
  // And how many are taken, in a word.
  const uint64_t threads = symbol_bytes(smallest.path("recording"), "_ZN7barefxt6linear7threadsE");
  EXPECT_LE(threads, kThreads * 32 + 8);
  EXPECT_EQ(symbol_bytes(small.path("recording"), "_ZN7barefxt12thread_tableE"), kThreads * 32);
  const Figures limit = limit_of(GetParam().target);
  EXPECT_LE(figures.recording, limit.recording);
  EXPECT_LE(figures.with_dump, limit.with_dump);
  for (const SegmentsLimit& known : kSegmentsLimits) {
    if (GetParam().target != known.target) continue;
    EXPECT_LE(segments.recording, known.figures.recording);
    EXPECT_LE(segments.with_dump, known.figures.with_dump);
    EXPECT_LE(coder, known.coder);
  }
  const Json told = {{"target", GetParam().target},
                     {"record", "image"},
                     {"flash_bytes", figures.recording},
                     {"flash_bytes_with_dump", figures.with_dump},
                     {"flash_bytes_segments", segments.recording},
                     {"flash_bytes_segments_with_dump", segments.with_dump},
                     {"flash_bytes_coder", coder},
                     {"ram_bytes_per_cpu", ring_of_segments},
                     {"ram_bytes_per_thread", threads / kThreads}};
  std::printf("%s\n", told.dump().c_str());
  note_costs(Json::array({told}));
}

// One compiler's figures stand for the target.
INSTANTIATE_TEST_SUITE_P(Targets, FlashTest, ::testing::ValuesIn(images_by_one_compiler()),
                         name_of_image);

}  // namespace
}  // namespace barefxt::test
