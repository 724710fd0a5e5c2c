// Writes what a fuzzer starts from: the goldens in both byte orders, captures put together byte by
// byte.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "capture_builder.h"
#include "coded_records.h"
#include "goldens.h"
#include "memory_builder.h"
#include "xray/golden_logs.h"
#include "xray/xray_harness.h"

namespace barefxt::test {
namespace {

class Seeds {
 public:
  Seeds(std::filesystem::path folder, std::string target)
      : folder_(std::move(folder)), target_(std::move(target)) {
    std::filesystem::create_directories(folder_);
  }

  // Keeps it if it is for the target asked for.
  void add(const char* target, const std::string& bytes) {
    if (target_ != target) return;
    std::ofstream out(folder_ / std::to_string(count_++), std::ios::binary);
    out << bytes;
    failed_ = failed_ || !out.flush();
  }
  void add(const char* target, const Bytes& bytes) {
    add(target, std::string(bytes.begin(), bytes.end()));
  }
  bool ok() const { return !failed_ && count_ > 0; }

 private:
  std::filesystem::path folder_;
  std::string target_;
  unsigned count_ = 0;
  bool failed_ = false;
};

void add_archives(Seeds& seeds) {
  for (const Golden& one : goldens()) {
    for (const bool big : {false, true}) {
      const std::string archive = big ? big_endian(one.pieces) : little_endian(one.pieces);
      seeds.add("archive_guessed", archive);
      for (const char* target : {"archive_told", "archive_converted"}) {
        seeds.add(target, static_cast<char>(big + 2 * one.old) + archive);
      }
    }
  }
  // A record of each type, out of numbers as archive_made.cpp takes them.
  for (char form = 0; form < 4; ++form) {
    for (char type = 0; type < 16; ++type) {
      seeds.add("archive_made",
                std::string{form, 8, 1, type, 1, 1, 1, 2, 1, 3, 1, 4, 1, 1, 1, 2, 1, 3});
    }
  }
}

void add_captures(Seeds& seeds) {
  for (const bool big : {false, true}) {
    TestCapture capture = two_cpu_capture(1, 3);
    capture.big_endian = big;
    const std::vector<Bytes> frames = capture.frames();
    seeds.add("capture_bytes", binary_form(frames));
    seeds.add("capture_bytes", text_form(frames, [](size_t) { return "[1.5] log: "; }));
    ByteBuilder bare;
    bare.u8(big ? 1 : 0);
    for (const Bytes& frame : frames) {
      constexpr size_t kCrcBytes = 4;
      bare.u16(frame.size() - kCrcBytes).raw(Bytes(frame.begin(), frame.end() - kCrcBytes));
    }
    seeds.add("capture_frames", bare.bytes());
    seeds.add("capture_bytes", binary_form(coded(frames)));
    ByteBuilder bare_and_coded;
    bare_and_coded.u8(big ? 1 : 0);
    for (const Bytes& frame : coded(frames))
      bare_and_coded.u16(frame.size() - 4).raw(Bytes(frame.begin(), frame.end() - 4));
    seeds.add("capture_frames", bare_and_coded.bytes());
    for (const TestPiece& piece : capture.pieces) {
      Words words;
      for (const Words& record : piece.records)
        words.insert(words.end(), record.begin(), record.end());
      seeds.add("record_code", words_to_bytes(words));
      seeds.add("record_code", code_of(words));
    }
    seeds.add("wire", binary_form(frames));
    seeds.add("wire", plain_base64(binary_form(frames)));
  }
}

// One of each kind, and one that is cut off.
void add_requests(Seeds& seeds) {
  ByteBuilder all;
  for (unsigned kind = 1; kind <= 7; ++kind)
    all.u8(1).u8(3).u8(7).u16(0).u32(0).u32(kind).u8(kind).u8(0).u16(0).u32(3).u64(500);
  seeds.add("requests", all.bytes());
  constexpr unsigned kRaw = 2 * 60;
  const Bytes whole = make_frame(7, 0, 0, 9, ByteBuilder().u32(1).u32(0).u64(0).bytes(), 3);
  seeds.add("requests", ByteBuilder().u8(kRaw).raw(plain_cobs(whole)).raw("ls -l").bytes());
}

void add_calls(Seeds& seeds) {
  for (const GoldenLog* log : kGoldenLogs) seeds.add("xray_log", bytes_of_hex(log->hex));
  // Logs end to end.
  seeds.add("xray_log", bytes_of_hex(kVersion1.hex) + bytes_of_hex(kVersion1.hex));
  // A call in a call; the exit of one that was entered before; a switch between.
  seeds.add("calls", std::string{'\x10', '\x40', 1, 5, 5, 2, 5, '\x15', 2, 5, '\x15', 1, 5});
  seeds.add("calls", std::string{'\x10', '\x50', 1, 5, '\x83', 3, 1, 5, 5, 2, 5, '\x15', 2, 5});
}

// Small enough for the fuzzers: four segments, of which the last is cut.
void add_memory(Seeds& seeds) {
  constexpr size_t kMaxBytes = 4000;
  for (const bool big : {false, true}) {
    TestCapture capture = two_cpu_capture(1, 3);
    capture.big_endian = big;
    TestMemory memory = TestMemory::of(capture);
    memory.address_bits = big ? 32 : 64;
    memory.segments_at = 0x800;
    memory.segments_per_cpu = 2;
    Bytes image = memory.image();
    image.resize(std::min(image.size(), kMaxBytes));
    for (const Bytes& file :
         {image, make_elf({{memory.base, memory.base, image}}, big, memory.address_bits,
                          {{"barefxt_descriptor", memory.base + TestMemory::kDescriptor}})})
      for (const char form : {'\0', '\1', '\2', '\3'})
        seeds.add("memory_image", form + std::string(file.begin(), file.end()));
  }
}

}  // namespace
}  // namespace barefxt::test

int main(int count, char** arguments) {
  if (count != 3) {
    std::fprintf(stderr, "usage: fuzz_seeds FOLDER TARGET\n");
    return 2;
  }
  barefxt::test::Seeds seeds(arguments[1], arguments[2]);
  barefxt::test::add_archives(seeds);
  barefxt::test::add_captures(seeds);
  barefxt::test::add_requests(seeds);
  barefxt::test::add_memory(seeds);
  barefxt::test::add_calls(seeds);
  if (seeds.ok()) return 0;
  std::fprintf(stderr, "fuzz_seeds: no seeds for %s in %s\n", arguments[2], arguments[1]);
  return 1;
}
