#include "capture_builder.h"

#include <algorithm>
#include <cctype>
#include <map>

namespace barefxt::test {

ByteBuilder& ByteBuilder::integer(uint64_t value, int count) {
  for (int i = 0; i < count; ++i) bytes_.push_back(static_cast<uint8_t>(value >> (8 * i)));
  return *this;
}

ByteBuilder& ByteBuilder::raw(const std::string& text) {
  bytes_.insert(bytes_.end(), text.begin(), text.end());
  return *this;
}

ByteBuilder& ByteBuilder::raw(const Bytes& bytes) {
  bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  return *this;
}

uint32_t plain_crc32c(const Bytes& bytes) {
  uint32_t remainder = 0xffffffff;
  for (const uint8_t byte : bytes) {
    remainder ^= byte;
    for (int bit = 0; bit < 8; ++bit)
      remainder = (remainder & 1) != 0 ? (remainder >> 1) ^ 0x82f63b78 : remainder >> 1;
  }
  return ~remainder;
}

Bytes plain_cobs(const Bytes& bytes) {
  Bytes coded{0};
  Bytes block;
  for (const uint8_t byte : bytes) {
    if (byte != 0) block.push_back(byte);
    if (byte == 0 || block.size() == 254) {
      coded.push_back(static_cast<uint8_t>(block.size() + 1));
      coded.insert(coded.end(), block.begin(), block.end());
      block.clear();
    }
  }
  coded.push_back(static_cast<uint8_t>(block.size() + 1));
  coded.insert(coded.end(), block.begin(), block.end());
  coded.push_back(0);
  return coded;
}

std::string plain_base64(const Bytes& bytes) {
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (size_t i = 0; i < bytes.size(); i += 3) {
    uint32_t bits = 0;
    for (size_t k = 0; k < 3; ++k) bits = bits * 256 + (i + k < bytes.size() ? bytes[i + k] : 0);
    for (size_t k = 0; k < 4; ++k)
      text += i + k <= bytes.size() ? digits[(bits >> (18 - 6 * k)) & 63] : '=';
  }
  return text;
}

Bytes from_hex(const std::string& hex) {
  Bytes bytes;
  std::string digits;
  for (const char character : hex) {
    if (std::isxdigit(static_cast<unsigned char>(character)) == 0) continue;
    digits += character;
    if (digits.size() < 2) continue;
    bytes.push_back(static_cast<uint8_t>(std::stoul(digits, nullptr, 16)));
    digits.clear();
  }
  return bytes;
}

Bytes make_frame(unsigned type, unsigned flags, uint32_t capture, uint32_t sequence,
                 const Bytes& payload, unsigned version) {
  ByteBuilder frame;
  frame.u8(version).u8(type).u8(flags).u8(0).u32(capture).u32(sequence).raw(payload);
  const uint32_t crc = plain_crc32c(frame.bytes());
  return frame.u32(crc).bytes();
}

Bytes binary_form(const std::vector<Bytes>& frames) {
  Bytes all;
  for (const Bytes& frame : frames) {
    const Bytes coded = plain_cobs(frame);
    all.insert(all.end(), coded.begin(), coded.end());
  }
  return all;
}

Bytes text_form(const std::vector<Bytes>& frames, const std::function<std::string(size_t)>& before,
                const std::string& line_end) {
  ByteBuilder all;
  for (size_t i = 0; i < frames.size(); ++i) {
    if (before) all.raw(before(i));
    all.raw("barefxt:" + plain_base64(frames[i]) + line_end);
  }
  return all.bytes();
}

Bytes words_to_bytes(const Words& words, bool big_endian) {
  Bytes bytes;
  for (const uint64_t word : words)
    for (int i = 0; i < 8; ++i)
      bytes.push_back(static_cast<uint8_t>(word >> (8 * (big_endian ? 7 - i : i))));
  return bytes;
}

Words instant(uint64_t timestamp, unsigned thread, unsigned category, unsigned name,
              unsigned argument_name, uint32_t n) {
  return {uint64_t{4} | uint64_t{3} << 4 | uint64_t{1} << 20 | uint64_t{thread} << 24 |
              uint64_t{category} << 32 | uint64_t{name} << 48,
          timestamp,
          uint64_t{2} | uint64_t{1} << 4 | uint64_t{argument_name} << 16 | uint64_t{n} << 32};
}

Words duration_complete(uint64_t begin, uint64_t end, unsigned thread, unsigned category,
                        unsigned name) {
  return {uint64_t{4} | uint64_t{3} << 4 | uint64_t{4} << 16 | uint64_t{thread} << 24 |
              uint64_t{category} << 32 | uint64_t{name} << 48,
          begin, end};
}

Words context_switch(uint64_t timestamp, unsigned cpu, unsigned state, unsigned outgoing,
                     unsigned incoming, unsigned outgoing_priority, unsigned incoming_priority) {
  return {uint64_t{8} | uint64_t{2} << 4 | uint64_t{cpu} << 16 | uint64_t{state} << 24 |
              uint64_t{outgoing} << 28 | uint64_t{incoming} << 36 |
              uint64_t{outgoing_priority} << 44 | uint64_t{incoming_priority} << 52,
          timestamp};
}

bool TestCapture::has_since() const {
  return std::ranges::any_of(threads, [](const TestThread& thread) { return thread.since != 0; });
}

Bytes TestCapture::hello() const {
  ByteBuilder payload;
  payload.u64(ticks_per_second).u64(start_ticks).u64(0).u32(4096);
  payload.u16(threads.size()).u16(strings_in_elf ? 0 : strings.size()).u16(cpus);
  payload.u8(mode).u8(counter_flags).u8(64).u8(target.size()).u8(build_id.size()).u8(kind);
  payload.raw(target).raw(build_id);
  if (interval_begin != 0) payload.u64(interval_begin).u64(interval_end);
  return payload.bytes();
}

std::vector<Bytes> TestCapture::tables() const {
  std::vector<Bytes> payloads;
  for (size_t i = 0; !strings_in_elf && i < strings.size(); i += strings_in_a_frame) {
    ByteBuilder payload;
    payload.u16(i + 1);
    for (size_t k = i; k < strings.size() && k < i + strings_in_a_frame; ++k)
      payload.u16(strings[k].size()).raw(strings[k]);
    payloads.push_back(payload.bytes());
  }
  ByteBuilder payload;
  payload.u16(0);
  for (const TestThread& thread : threads) {
    payload.u8(thread.kind).u8(thread.index).u8(thread.name.size());
    payload.u32(thread.koid).u32(thread.process);
    if (has_since()) payload.u64(thread.since);
    payload.raw(thread.name);
  }
  payloads.push_back(payload.bytes());
  return payloads;
}

namespace {

struct Totals {
  uint64_t records = 0;
  uint64_t bytes = 0;
  uint64_t records_lost = 0;
  uint64_t bytes_lost = 0;
};

void count(Totals& totals, const TestPiece& piece) {
  for (const Words& record : piece.records) totals.bytes += record.size() * 8;
  totals.records += piece.records.size();
  totals.records_lost = piece.records_lost;
  totals.bytes_lost = piece.bytes_lost;
}

}  // namespace

Bytes TestCapture::clocks_payload() const {
  ByteBuilder payload;
  payload.u16(0);
  for (const TestClock& clock : clocks)
    payload.u64(static_cast<uint64_t>(clock.offset)).u64(clock.error);
  return payload.bytes();
}

Bytes TestCapture::end() const {
  std::map<unsigned, Totals> totals;
  for (const TestPiece& piece : pieces) count(totals[piece.cpu], piece);
  ByteBuilder payload;
  payload.u64(stop_ticks).u16(cpus);
  for (unsigned cpu = 0; cpu < cpus; ++cpu) {
    Totals& all = totals[cpu];
    if (cpu < records_lost_in_all.size()) {
      all.bytes_lost += (records_lost_in_all[cpu] - all.records_lost) * 24;
      all.records_lost = records_lost_in_all[cpu];
    }
    payload.u64(all.records).u64(all.bytes).u64(all.records_lost).u64(all.bytes_lost);
    payload.u32(unfinished_records).u32(uint64_t{unfinished_records} * 24);
  }
  if (!calls_left_out.empty()) payload.u32(0);  // texts cut
  for (const uint64_t count : calls_left_out) payload.u64(count);
  return payload.bytes();
}

std::vector<Bytes> TestCapture::frames() const {
  std::vector<Bytes> all;
  const unsigned order = big_endian ? 1 : 0;
  const auto add = [&](unsigned type, unsigned flags, const Bytes& payload) {
    const unsigned version = type == 1 && strings_in_elf ? 7 : type == 3 && has_since() ? 4 : 1;
    all.push_back(
        make_frame(type, flags | order, id, static_cast<uint32_t>(all.size()), payload, version));
  };
  const auto add_tables = [&](unsigned flags) {
    add(1, flags, hello());
    if (!clocks.empty()) add(6, flags, clocks_payload());
    const std::vector<Bytes> payloads = tables();
    for (size_t i = 0; i < payloads.size(); ++i)
      add(i + 1 < payloads.size() ? 2 : 3, flags, payloads[i]);
  };
  add_tables(0);
  std::map<unsigned, Totals> sent;
  for (const TestPiece& piece : pieces) {
    Totals& totals = sent[piece.cpu];
    ByteBuilder payload;
    payload.u16(piece.cpu)
        .u8(0)
        .u8(piece.clock.empty() ? 0 : 1)
        .u32(piece.segment)
        .u64(totals.records)
        .u64(totals.bytes);
    payload.u64(piece.records_lost).u64(piece.bytes_lost);
    for (const uint64_t word : piece.clock) payload.u64(word);
    for (const Words& record : piece.records) payload.raw(words_to_bytes(record, big_endian));
    add(4, 0, payload.bytes());
    count(totals, piece);
  }
  add_tables(2);
  add(5, 0, end());
  return all;
}

TestCapture two_cpu_capture(unsigned pieces_per_cpu, unsigned records_per_piece) {
  TestCapture capture;
  capture.strings = {"demo", "tick", "n", "irq", "unused", "tick"};
  capture.threads = {{1, 0, 10, 0, "kernel"},
                     {2, 1, 11, 10, "worker"},
                     {2, 2, 12, 10, "logger"},
                     {2, 3, 20, 0, "idle/0"},
                     {1, 0, 0x7e000000, 0, "cpus"},
                     {3, 4, 0x7f000000, 0x7e000000, "cpu-0"},
                     {3, 5, 0x7f000001, 0x7e000000, "cpu-1"}};
  uint64_t now = 1000;
  uint32_t n = 0;
  for (unsigned piece = 0; piece < pieces_per_cpu; ++piece)
    for (uint16_t cpu = 0; cpu < 2; ++cpu) {
      TestPiece test_piece{.cpu = cpu, .segment = piece, .records = {}};
      uint64_t time = 1000 + piece * records_per_piece * 10 + cpu * 3;
      for (unsigned record = 0; record < records_per_piece; ++record, time += 10) {
        // Index 6 is `tick` once more: the archive needs it once.
        const unsigned name = record % 2 == 0 ? 2 : 6;
        test_piece.records.push_back(record % 4 == 3
                                         ? context_switch(time, cpu, 3, 1 + cpu, 3, 5, 0)
                                         : instant(time, 1 + cpu, 1, name, 3, n++));
        now = time;
      }
      capture.pieces.push_back(test_piece);
    }
  capture.stop_ticks = now + 100;
  return capture;
}

}  // namespace barefxt::test
