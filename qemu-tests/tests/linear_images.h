// The image with a runtime whose ring has no segments, and the targets that it is run on.
#pragma once

#include <string>
#include <vector>

#include "qemu.h"
#include "targets.h"

namespace barefxt::test {

inline constexpr char kLinearImage[] = "kernel_linear";

// The images of qemu-tests/linear/linear.cmake: of most targets one compiler's stands for both.
inline std::vector<Image> linear_images() {
  std::vector<Image> images =
      images_of({"aarch64", "cortex-m0", "cortex-m3", "m68k", "rv32", "rv32-no-a"});
  std::erase_if(images, [](const Image& image) {
    return image.compiler != "gcc" && image.target != "cortex-m3";
  });
  return images;
}

// A run under the instruction counter.
inline Boot options_of_linear(const Image& image, const std::string& arguments) {
  return {.build = image.build,
          .image = kLinearImage,
          .arguments = arguments,
          .counting = true,
          .extra = image.room};
}

}  // namespace barefxt::test
