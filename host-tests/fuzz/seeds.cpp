// Writes what a fuzzer starts from: the goldens in both byte orders, captures put together byte by
// byte.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include <barefxt/host/rules.h>

#include "goldens/goldens.h"
#include "hostile/function_elf.h"
#include "hostile/interrupt_inputs.h"
#include "image/memory_builder.h"
#include "rebuild/capture_builder.h"
#include "rebuild/coded_records.h"
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

// A literal with the zeros in it.
template <size_t Size>
std::string all_of(const char (&literal)[Size]) {
  return {literal, Size - 1};
}

void add_archives(Seeds& seeds) {
  for (const Golden& one : goldens()) {
    for (const bool big : {false, true}) {
      const std::string archive = big ? big_endian(one.pieces) : little_endian(one.pieces);
      seeds.add("archive_guessed", archive);
      for (const char* target : {"archive_of_form", "archive_converted", "archive_exported"}) {
        seeds.add(target, static_cast<char>(big + 2 * one.old) + archive);
      }
    }
  }
  // A record of each type, out of numbers as archive_made.cpp takes them.
  for (char form = 0; form < 4; ++form) {
    for (char type = 0; type < 16; ++type) {
      seeds.add("archive_made",
                std::string{form, 8, 1, type, 1, 1, 1, 2, 1, 3, 1, 4, 1, 1, 1, 2, 1, 3});
      seeds.add("selection", std::string{static_cast<char>(1 << form << (type % 3)),
                                         1,
                                         0,
                                         8,
                                         1,
                                         type,
                                         1,
                                         1,
                                         1,
                                         2,
                                         1,
                                         3,
                                         1,
                                         4,
                                         1,
                                         1,
                                         1,
                                         2,
                                         1,
                                         3});
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
    seeds.add("live", bare.bytes());
    ByteBuilder as_stimulus;
    as_stimulus.u8(0);
    for (const uint8_t byte : binary_form(frames)) as_stimulus.u8(1).u8(byte);
    seeds.add("itm", as_stimulus.bytes());
    seeds.add("itm", all_of("\1\xff\xff\xff\x7f\3\1\2\1\3\1\4\1\5\1\6\1\7\1"));
    seeds.add("capture_bytes", binary_form(coded(frames)));
    ByteBuilder bare_and_coded;
    bare_and_coded.u8(big ? 1 : 0);
    for (const Bytes& frame : coded(frames))
      bare_and_coded.u16(frame.size() - 4).raw(Bytes(frame.begin(), frame.end() - 4));
    seeds.add("capture_frames", bare_and_coded.bytes());
    seeds.add("live", bare_and_coded.bytes());
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
  const Bytes interrupts = interrupts_capture();
  seeds.add("capture_bytes", Bytes(interrupts.begin(), interrupts.begin() + 2000));
  seeds.add("capture_bytes", interrupts);
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

// Small enough for the fuzzers: four segments; the last is cut.
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

void add_names(Seeds& seeds) {
  const std::string names =
      all_of("\0__cyg_profile_func_enter\0_ZN1a1bIiE1cEPKc\0_Z1fSt6vectorIiSaIiEE\0");
  seeds.add("demangler", '\0' + names);
  for (const unsigned levels : {3U, 30U}) seeds.add("demangler", '\0' + doubling_name(levels));
  seeds.add("demangler", all_of("\0_ZZ1fvENKUlT_DpT0_E_clIiJcEEEDaS_S0_"));
  seeds.add("demangler", all_of("\0_ZN12_GLOBAL__N_1lsIXadL_Z1gvEEEEvRA4_KDn"));
  seeds.add("demangler", all_of("\1\2\3abcd\2xyz\1ab\5\0\1\2\3\3"));
  constexpr size_t kMagicBytes = 4;
  const auto add_program = [&](const Bytes& file) {
    seeds.add("program", Bytes(file.begin() + kMagicBytes, file.end()));
  };
  const std::vector<FunctionSymbol> symbols = {{1, 0x1000}, {26, 0x1010}};
  add_program(function_elf(names, symbols));
  add_program(function_elf(names, symbols, {0x1000, 0x1010}));
  add_program(program_with_vectors());
  for (const bool big : {false, true})
    add_program(make_elf({}, big, 32, {{"barefxt_descriptor", 0x2000}}, false));
}

// Requests to the server of `open`, budgets, rules, rows of a table.
void add_texts(Seeds& seeds) {
  const std::string end = " HTTP/1.1\r\nHost: 127.0.0.1:9001\r\n";
  const std::string path = "/5f3c/trace.fxt";
  const std::string origin = "Origin: https://ui.perfetto.dev\r\n";
  for (const std::string method : {"GET ", "HEAD ", "OPTIONS "})
    for (const char piece : {'\0', '\x7f'}) {
      seeds.add("served_requests", piece + method + path + end + origin + "\r\n");
      seeds.add("served_requests", piece + method + path + "?a=b" + end + "\r\nHost: a\r\n");
      seeds.add("served_requests",
                piece + method + path + end + "Cookie: \1\1\1\1\r\n" + origin + "\r\n");
      seeds.add("served_requests",
                piece + method + "/" + end + "Origin: https://attacker.example\r\n\r\n");
    }
  seeds.add("budget",
            std::string("# a budget\nrun count >= 1\nwakeup_latency? thread=control p99 <= 50us\n"
                        "duration? category=a name=\"b c*\" max <= 1 ms\n\r\n"
                        "losses records = 0\ncontention? holder=log max < 1.5e3ticks\n"));
  seeds.add("interrupt_list",
            std::string("# the board's\n37 UART0\n0x26\tthe radio  # receives\r\n15 SysTick"));
  seeds.add("interrupt_list", std::string("1 a\n1 b\n"));
  seeds.add("budget",
            std::string("cpu? cpu=0 share <= 50%\nduration? argument=x max > -1s # so\n"));
  std::string rules = "let soon = 50us\r\nafter \"n0\" within soon thread \"*\" runs # so\n";
  for (const host::RuleFormHelp& form : host::rule_forms()) {
    seeds.add("rules", std::string(form.example));
    if (form.example.find('"') == std::string_view::npos) continue;  // a budget's
    rules += std::string(form.example) + " from 1ms to \"stop\"\n";
  }
  seeds.add("rules", rules);
  seeds.add("parquet_table", all_of("\3\xf\0"
                                    "12345678"
                                    "abcdefgh"
                                    "\0\0\0\0\0\0\xf0\x3f"
                                    "\5hello"
                                    "\x9\0"
                                    "ABCDEFGH"
                                    "\3abc"));
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
  barefxt::test::add_names(seeds);
  barefxt::test::add_texts(seeds);
  if (seeds.ok()) return 0;
  std::fprintf(stderr, "fuzz_seeds: no seeds for %s in %s\n", arguments[2], arguments[1]);
  return 1;
}
