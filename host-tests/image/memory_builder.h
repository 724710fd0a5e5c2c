// A target's memory for tests, with a trace in it, put together byte by byte at offsets of
// its own, apart from the runtime's headers and from the host's reader, so that a mistake in either
// shows.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "rebuild/capture_builder.h"

namespace barefxt::test {

// Integers in the order of the target.
class TargetBytes {
 public:
  explicit TargetBytes(bool big_endian) : big_endian_(big_endian) {}
  TargetBytes& u8(uint64_t value) { return integer(value, 1); }
  TargetBytes& u16(uint64_t value) { return integer(value, 2); }
  TargetBytes& u32(uint64_t value) { return integer(value, 4); }
  TargetBytes& u64(uint64_t value) { return integer(value, 8); }
  TargetBytes& integer(uint64_t value, int count);
  TargetBytes& raw(const Bytes& bytes);
  TargetBytes& text(const std::string& text, size_t bytes);  // zeros behind it
  TargetBytes& zeros_up_to(size_t size);
  const Bytes& bytes() const { return bytes_; }

 private:
  bool big_endian_;
  Bytes bytes_;
};

struct TestSegment {
  unsigned state = 2;  // 0 free, 1 claimed, 2 live, 3 retired, 4 leaving, 5 held, 6 held leaving
  uint32_t capture = 0;
  uint32_t sequence = 0;
  bool is_open = false;
  uint16_t cpu = 0;
  uint64_t records_lost = 0;
  uint64_t bytes_lost = 0;
  uint64_t overwritten[2] = {};  // records, bytes
  uint64_t overwritten_with_content[2] = {};
  Words words = {};
  bool checksum_is_wrong = false;
};

// Places are offsets from `base`, but for the strings, which may lie elsewhere.
struct TestMemory {
  static constexpr uint64_t kDescriptor = 0x48;
  static constexpr uint64_t kDescriptorBytes = 240;  // of version 2; 8 less of version 1
  static constexpr uint64_t kClockOffsets = 0x180;
  static constexpr uint64_t kRings = 0x200;
  static constexpr uint64_t kThreads = 0x400;
  static constexpr uint64_t kStrings = 0x600;
  static constexpr uint64_t kSegments = 0x1000;
  static constexpr uint32_t kSegmentBytes = 512;
  static constexpr uint32_t kMaxCpus = 4;

  uint64_t base = 0x40000000;
  bool big_endian = false;
  unsigned address_bits = 64;
  unsigned version = 2;  // 3: the strings are in the program's file
  TestCapture capture;   // its clocks are those of the counters' offsets
  unsigned mode = 1;     // 1 one-shot, 2 circular, 3 streaming
  uint64_t segments_at = kSegments;
  uint32_t segments_per_cpu = 4;
  std::vector<std::vector<TestSegment>> rings;      // by CPU and slot
  std::vector<std::pair<uint64_t, uint64_t>> lost;  // by CPU: records and bytes
  // The address of the table of strings, with its texts behind it, if not in the image.
  uint64_t strings_elsewhere = 0;

  // The pieces of a capture become segments.
  static TestMemory of(const TestCapture& capture);

  Bytes image() const;
  Bytes descriptor() const;
  // The strings, where they lie elsewhere.
  Bytes strings() const;

 private:
  Bytes segment(const TestSegment& segment) const;
};

// A segment of an ELF file, with its two addresses.
struct TestLoad {
  uint64_t virtual_address = 0;
  uint64_t physical_address = 0;
  Bytes bytes;
};
// `symbols`: names and values. ELF32 with 32 bits. `machine` 40 is ARM, whose symbols with odd
// values are functions.
Bytes make_elf(const std::vector<TestLoad>& loads, bool big_endian = false, unsigned bits = 64,
               const std::vector<std::pair<std::string, uint64_t>>& symbols = {},
               bool is_core = true, unsigned machine = 0);

}  // namespace barefxt::test
