// Levels of detail: what each lane looks like when more lies in a pixel than can be drawn. The
// stretch is cut into buckets, and a bucket holds the share of time that each thing took.
//
// Bytes of a lane, level by level from the finest, in planes of a byte a bucket:
//   CPU:     busy, idle, unknown                               shares, 0 to kWhole
//            then the lower and the upper byte of the lane (plus one; 0: none) of the thread that
//            ran most
//   thread:  running, runnable, blocked, waiting, unknown      shares
//   and both, as spans: for each of up to kRows rows the lower and the upper byte of the label that
//            took most (plus one; 0: none), and the share; then how many instants and the like
//   counter: the least and the greatest value, four bytes a bucket each (a float; NaN: none)
#pragma once

#include <array>
#include <string>

#include "drawing.h"

namespace barefxt::report {

inline constexpr std::array<size_t, 3> kLevelBuckets = {8192, 2048, 512};
inline constexpr unsigned kLevelRows = 8;
inline constexpr unsigned kWholeShare = 15;

// The bytes described above of every lane, in the drawing's order.
std::vector<std::string> levels_of(const Drawing& drawing);

}  // namespace barefxt::report
