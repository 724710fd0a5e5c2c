// The cost of a capture's records on the line, kind by kind, including the frames around them,
// their CRCs and the line's own coding.
//
// The records are those of a capture's coded frames, in the frames it came in or in others that are
// made here of the same records by the target's coder. The records share the rest of their frame
// alike.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "capture_builder.h"

namespace barefxt::test {

// A frame with coded records: its content, and the bytes it took on the line.
struct CodedFrame {
  Bytes payload;      // as it came
  Bytes raw_payload;  // its records as words
  bool big_endian = false;
  uint16_t cpu = 0;
  size_t line_bytes = 0;
};
std::vector<CodedFrame> coded_frames(const Bytes& capture);

// The same records in frames of this many bytes of raw records, or a little more.
std::vector<CodedFrame> framed_anew(const std::vector<CodedFrame>& frames, size_t record_bytes);

struct Share {
  uint64_t records = 0;
  double bytes = 0;
  double mean() const { return records == 0 ? 0 : bytes / static_cast<double>(records); }
};
// By kind as in build/costs.json (context_switch, instant, instant_1_u32, counter), and besides
// `event`, any without arguments, and `all`. Throws where the coder makes other bytes of a frame's
// records than came.
std::map<std::string, Share> wire_bytes(const std::vector<CodedFrame>& frames);

}  // namespace barefxt::test
