// The images of the test kernel that there are: what tests that hold for every target run over.
//
// toolchain/targets.txt lists the targets; each has an image for each of its compilers.
#pragma once

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace barefxt::test {

// How much of the tests the default run does with an image; with BAREFXT_FULL=1 in the environment
// it does all of them with each.
enum class Portion : uint8_t {
  kNone,    // the second compiler of a near relative of another target
  kCosts,   // what is counted, into build/costs.json, and one demo
  kSample,  // that, and one test of each kind: of a near relative of another target
  kAll,
};

struct Image {
  std::string target;    // as in build/costs.json
  std::string compiler;  // "gcc" or "clang"
  std::string build;     // folder of the cross build
  std::string emulator;  // QEMU's command, with the machine
  std::string all_cpus;  // its options for a run on all CPUs
  std::string counting;  // its options under which the board's counter counts instructions
  std::string room;      // its options with which the image kernel_roomy runs; empty: there is none
  unsigned cpus;         // of a run on all CPUs
  Portion portion;
};

// In the order of the list. Empty where it cannot be read.
const std::vector<Image>& all_images();
std::vector<Image> images_of(const std::vector<std::string>& targets);

// One for each target, for what does not depend on the compiler: the one that the default run does
// more with, or GCC's.
std::vector<Image> one_for_each_target(std::vector<Image> images = all_images());
std::vector<Image> images_by_gcc();

// One of 64 bits, one of 32, and a big-endian one: enough for code that is the same on each target.
inline const std::vector<std::string> kOneOfEachKind = {"aarch64", "cortex-m0", "m68k"};

// Those of `images` that the default run tests, for tests that it does with this share and more,
// and with these targets alone (empty: all); and the others, which are left to a full run.
std::vector<Image> images_by_default(Portion least, std::vector<Image> images = all_images(),
                                     const std::vector<std::string>& targets = {});
std::vector<Image> images_in_full(Portion least, std::vector<Image> images = all_images(),
                                  const std::vector<std::string>& targets = {});

// Those with one more kernel, whose runtime reads the address of a CPU's ring (BAREFXT_RISCV_RING).
inline constexpr const char* kRingRegisterImage = "kernel_ring_register";
inline std::vector<Image> images_with_ring_register() {
  std::vector<Image> images = images_of({"aarch64", "rv64", "x86_64"});
  std::erase_if(images, [](const Image& image) {
    return image.compiler == "clang" && image.target != "x86_64";
  });
  return images;
}

// Returns true in a full run.
bool is_full_run();

// Makes the tests of a suite whose parameters are images: "Targets/..." for the default run, and
// "Full/..." for the others, which ctest labels "full".
#define BAREFXT_TEST_IMAGES(suite, ...)                                                         \
  INSTANTIATE_TEST_SUITE_P(Targets, suite, ::testing::ValuesIn(images_by_default(__VA_ARGS__)), \
                           name_of_image);                                                      \
  INSTANTIATE_TEST_SUITE_P(Full, suite, ::testing::ValuesIn(images_in_full(__VA_ARGS__)),       \
                           name_of_image)

// Throws if there is none of that name.
const Image& image_of_build(const std::string& build);

// The image's part of a test's name: aarch64_be_Gcc. CMakeLists.txt finds the tests of a target by
// it.
std::string test_name(const Image& image);

// Returns the name of a test whose parameter is an image.
std::string name_of_image(const ::testing::TestParamInfo<Image>& info);

// Prints the parameter of a failed test.
void PrintTo(const Image& image, std::ostream* out);

}  // namespace barefxt::test
