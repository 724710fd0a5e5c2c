// The demo's capture, and the same damaged by a seed.
#pragma once

#include <random>
#include <string>
#include <zlib.h>

#include "rebuild_harness.h"

namespace barefxt::test {

// Packed or not.
inline Bytes golden_capture(const std::string& name) {
  const std::string path = BAREFXT_SOURCE_DIR "/host-tests/goldens/captures/" + name;
  Bytes bytes;
  gzFile file = ::gzopen(path.c_str(), "rb");
  if (file == nullptr) return bytes;
  uint8_t part[65536];
  for (int got = 0; (got = ::gzread(file, part, sizeof part)) > 0;)
    bytes.insert(bytes.end(), part, part + got);
  ::gzclose(file);
  return bytes;
}

inline Bytes demo_capture() { return golden_capture("cortex-m3-demo.v2.raw"); }

inline Bytes with_flipped_bits(Bytes capture, unsigned seed) {
  std::mt19937 random(seed);
  for (int i = 0; i < 40; ++i) capture[random() % capture.size()] ^= 1U << (random() % 8);
  return capture;
}

inline Bytes with_cuts(Bytes capture, unsigned seed) {
  constexpr ptrdiff_t kCut = 3000;
  std::mt19937 random(seed);
  for (int i = 0; i < 4; ++i) {
    const auto at = capture.begin() + static_cast<ptrdiff_t>(random() % (capture.size() - kCut));
    capture.erase(at, at + kCut);
  }
  return capture;
}

}  // namespace barefxt::test
