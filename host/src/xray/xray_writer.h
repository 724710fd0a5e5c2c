// Writes an XRay flight data recorder log of version 1 to 5, little-endian, in the form that all of
// LLVM's tools accept. Each thread has one block. All blocks begin at one time, with a marker.
//
// Use: measure each block (a writer without a sink counts its bytes), then write them. From version
// 2 on, a block's size stands ahead of it. In version 1 all blocks have the size of the largest,
// filled up by zeros: readers that skip to the end of a buffer and readers that read on both find
// the next.
//
// Invariants: arguments follow their call and a payload its event at once; no reserved byte is set;
// a time that no delta reaches is written whole first. Events that a version has no place for
// (typed ones before 5) are left out and counted.
#pragma once

#include <cstdint>

#include <barefxt/host/archive_writer.h>
#include <barefxt/host/xray_record.h>

namespace barefxt::host {

class XrayWriter {
 public:
  struct Block {
    XrayThreadId thread;
    XrayWallClock wall_clock;
    uint16_t cpu = 0;
    uint64_t first_tsc = 0;
    uint64_t bytes = 0;  // as measured
  };

  // Counts.
  explicit XrayWriter(unsigned version) : version_(version) {}
  // Writes. `header.buffer_bytes` is the largest block's size; the byte order is not looked at.
  XrayWriter(const XrayHeader& header, ByteSink& sink);

  void begin(const Block& block);
  void record(const XrayRecord& record);
  void end();

  // The size of the block that ended last.
  uint64_t block_bytes() const { return block_bytes_; }
  uint64_t left_out() const { return left_out_; }
  // Hands everything to the sink. The first failure there is stays.
  Status flush();
  bool failed() const { return !status_.ok(); }

 private:
  static constexpr size_t kBufferBytes = size_t{64} << 10;

  void raw(std::span<const uint8_t> bytes);
  void metadata(XrayLayout::Metadata kind, std::span<const uint8_t> body);
  void call(const XrayRecord& record);
  void event(const XrayRecord& record);
  void move_to(const XrayRecord& record, uint64_t furthest);

  unsigned version_;
  uint64_t buffer_bytes_ = 0;
  ByteSink* sink_ = nullptr;
  Status status_;
  std::vector<uint8_t> buffer_;
  uint64_t block_bytes_ = 0;
  uint16_t cpu_ = 0;
  uint64_t tsc_ = 0;
  uint64_t left_out_ = 0;
};

}  // namespace barefxt::host
