// Captures for tests, put together byte by byte: written from docs/reference/wire-format.md, apart
// from the target's writer and from the host's reader, so that one mistake in either shows.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace barefxt::test {

using Bytes = std::vector<uint8_t>;

// Little-endian integers and raw bytes, one after another.
class ByteBuilder {
 public:
  ByteBuilder& u8(uint64_t value) { return integer(value, 1); }
  ByteBuilder& u16(uint64_t value) { return integer(value, 2); }
  ByteBuilder& u32(uint64_t value) { return integer(value, 4); }
  ByteBuilder& u64(uint64_t value) { return integer(value, 8); }
  ByteBuilder& raw(const std::string& text);
  ByteBuilder& raw(const Bytes& bytes);
  const Bytes& bytes() const { return bytes_; }

 private:
  ByteBuilder& integer(uint64_t value, int count);
  Bytes bytes_;
};

uint32_t plain_crc32c(const Bytes& bytes);
Bytes plain_cobs(const Bytes& bytes);  // with the zero bytes around it
std::string plain_base64(const Bytes& bytes);
Bytes from_hex(const std::string& hex);  // blanks and line feeds are skipped

// Header, payload, CRC.
Bytes make_frame(unsigned type, unsigned flags, uint32_t capture, uint32_t sequence,
                 const Bytes& payload, unsigned version = 1);

Bytes binary_form(const std::vector<Bytes>& frames);
// One line a frame; `before` makes what a log puts ahead of it.
Bytes text_form(const std::vector<Bytes>& frames,
                const std::function<std::string(size_t)>& before = {},
                const std::string& line_end = "\n");

// FXT words (no streams: those have no byte order).
using Words = std::vector<uint64_t>;
Bytes words_to_bytes(const Words& words, bool big_endian = false);
// An instant event, category and name by index, with an argument `n` (by index) of type uint32.
Words instant(uint64_t timestamp, unsigned thread, unsigned category, unsigned name,
              unsigned argument_name, uint32_t n);
Words duration_complete(uint64_t begin, uint64_t end, unsigned thread, unsigned category,
                        unsigned name);
Words context_switch(uint64_t timestamp, unsigned cpu, unsigned state, unsigned outgoing,
                     unsigned incoming, unsigned outgoing_priority, unsigned incoming_priority);

struct TestThread {
  unsigned kind = 2;  // 1 process, 2 thread, 3 cpu
  unsigned index = 0;
  uint32_t koid = 0;
  uint32_t process = 0;
  std::string name;
  uint64_t since = 0;  // written if one of them is not 0
};

struct TestPiece {
  uint16_t cpu = 0;
  uint32_t segment = 0;
  std::vector<Words> records;
  uint64_t records_lost = 0;  // totals when the segment was opened
  uint64_t bytes_lost = 0;
  std::vector<uint64_t> clock = {};  // since, ticks/s, nominal, ticks/s before, gone by; or none
};

struct TestClock {
  int64_t offset = 0;
  uint64_t error = 0;
};

// A whole capture; frames() gives its frames in the order of a dump, uncoded.
struct TestCapture {
  uint32_t id = 0x0badcafe;
  uint64_t ticks_per_second = 1'000'000;
  uint64_t start_ticks = 100;
  uint64_t stop_ticks = 1'000'000;
  unsigned cpus = 2;
  unsigned counter_flags = 7;
  std::vector<TestClock> clocks;  // of all CPUs, where each has a counter
  std::string target = "test";
  std::string build_id;
  unsigned mode = 2;  // 1 one-shot, 2 circular, 3 streaming
  unsigned kind = 0;  // 1 snapshot, 2 recovered, 3 from memory
  uint64_t interval_begin = 0;
  uint64_t interval_end = ~uint64_t{0};
  bool big_endian = false;
  std::vector<std::string> strings;  // from index 1
  size_t strings_in_a_frame = 4;
  bool strings_in_elf = false;  // and not in the capture
  std::vector<TestThread> threads;
  std::vector<TestPiece> pieces;
  // Lost at the very end, per CPU, as totals; where shorter: as in the last piece.
  std::vector<uint64_t> records_lost_in_all;
  uint32_t unfinished_records = 0;
  // Calls left out by limits: too short, too deep, without an end of their own, open.
  std::vector<uint64_t> calls_left_out;

  std::vector<Bytes> frames() const;

 private:
  bool has_since() const;
  Bytes hello() const;
  std::vector<Bytes> tables() const;
  Bytes clocks_payload() const;
  Bytes end() const;
};

// Two CPUs that alternately record instants named `tick`, with a context switch now and then.
TestCapture two_cpu_capture(unsigned pieces_per_cpu = 3, unsigned records_per_piece = 8);

}  // namespace barefxt::test
