// The images of the test kernel that there are: what tests that hold for every target run over.
//
// toolchain/targets.txt lists the targets; each has an image for each of its compilers.
#pragma once

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace barefxt::test {

struct Image {
  std::string target;    // as in build/costs.json
  std::string compiler;  // "gcc" or "clang"
  std::string build;     // folder of the cross build
  std::string emulator;  // QEMU's command, with the machine
  std::string all_cpus;  // its options for a run on all CPUs
  std::string counting;  // its options under which the board's counter counts instructions
  std::string room;      // its options with which the image kernel_roomy runs; empty: there is none
  unsigned cpus;         // of a run on all CPUs
  // A short run of the tests interrupts everything in this image that has instructions of its own;
  // in others, few of it.
  bool is_swept;
};

// In the order of the list. Empty where it cannot be read.
const std::vector<Image>& all_images();
std::vector<Image> images_of(const std::vector<std::string>& targets);

// One a target, of the compiler that all targets have: for what is the target's, and not the
// compiler's.
std::vector<Image> images_by_one_compiler(std::vector<Image> images = all_images());

// Throws where there is none of that name.
const Image& image_of_build(const std::string& build);

// The image's part of a test's name: aarch64_be_Gcc. CMakeLists.txt tells the tests of a target by
// it.
std::string test_name(const Image& image);

// As the name of a test whose parameter is an image.
std::string name_of_image(const ::testing::TestParamInfo<Image>& info);

// What a failed test calls its parameter.
void PrintTo(const Image& image, std::ostream* out);

}  // namespace barefxt::test
