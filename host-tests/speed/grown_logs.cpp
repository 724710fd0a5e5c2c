// XRay logs that repeat one pattern, budgets, lists of interrupts, and patterns of names.
#include <cstdlib>
#include <memory>

#include <barefxt/host/budget.h>
#include <barefxt/host/convert_xray.h>
#include <barefxt/host/interrupt_names.h>
#include <barefxt/host/stats.h>
#include <barefxt/host/xray_log.h>

#include "archive/memory_sink.h"
#include "grown.h"
#include "image/memory_builder.h"
#include "rebuild/capture_builder.h"
#include "rebuild/rebuild_harness.h"

namespace barefxt::test {
namespace {

using Use = std::function<void()>;

void convert_it(const Bytes& log) {
  const auto opened = host::XrayLog::open(log, "log", [](uint64_t) {});
  if (!opened.ok()) std::abort();
  for (const unsigned version : {1U, 5U}) {
    CountingSink sink;
    (void)host::xray_to_fdr(*opened.value(), version, sink);
  }
  CountingSink sink;
  (void)host::xray_to_fxt(*opened.value(), nullptr, sink, host::ByteOrder::kLittle);
}

Bytes log_header() {
  ByteBuilder header;
  header.u16(3).u16(1).u32(1).u64(1'000'000'000).u64(0).u64(0);
  return header.bytes();
}

// A block of one thread in version 3; `fill` writes its calls.
void add_block(ByteBuilder& log, unsigned thread, const ByteBuilder& calls) {
  const auto metadata = [&](unsigned id, uint64_t first, uint64_t second = 0) {
    log.u8(id << 1 | 1).u64(first).u32(second & 0xffffffffU).u16(0).u8(0);
  };
  constexpr unsigned kPreamble = 4 * 16;
  metadata(7, kPreamble + calls.bytes().size());
  metadata(0, thread);
  metadata(4, 1, 2);
  metadata(9, 42);
  metadata(2, 3 | uint64_t{1000} << 16);
  log.raw(calls.bytes());
}

void add_call(ByteBuilder& calls, unsigned action, unsigned function) {
  calls.u32(function << 4 | action << 1).u32(1);
}

std::vector<Grown> grown_xray_logs() {
  constexpr unsigned kEntry = 0;
  constexpr unsigned kExit = 1;
  using Make = std::function<Bytes(size_t)>;
  const auto repeated = [](uint8_t byte) {
    return Make([byte](size_t size) {
      Bytes log = log_header();
      log.resize(log.size() + size, byte);
      return log;
    });
  };
  const auto threads = [](unsigned step) {
    return Make([step](size_t size) {
      ByteBuilder log;
      log.raw(log_header());
      ByteBuilder calls;
      add_call(calls, kEntry, 5);
      add_call(calls, kExit, 5);
      for (unsigned i = 0; i < size / 96; ++i) add_block(log, 70'000 + step * i, calls);
      return log.bytes();
    });
  };
  // One thread whose calls nest, then exits of `exit`.
  const auto nested = [](unsigned exit) {
    return Make([exit](size_t size) {
      ByteBuilder calls;
      const size_t count = size / 16;
      for (size_t i = 0; i < count; ++i) add_call(calls, kEntry, 5);
      for (size_t i = 0; i < count; ++i) add_call(calls, kExit, exit);
      ByteBuilder log;
      log.raw(log_header());
      add_block(log, 7, calls);
      return log.bytes();
    });
  };
  std::vector<Grown> all;
  for (const auto& [name, make] :
       std::initializer_list<std::pair<const char*, Make>>{{"LogZeros", repeated(0)},
                                                           {"LogBytes0xff", repeated(0xff)},
                                                           {"LogOneThread", threads(0)},
                                                           {"LogManyThreads", threads(1)},
                                                           {"LogDeepNesting", nested(5)},
                                                           {"LogExitsOfOthers", nested(6)}}) {
    const bool only_full = std::string(name) != "LogManyThreads";
    all.push_back({name, 1, only_full, [of_size = make](size_t size) -> Use {
                     const auto log = std::make_shared<const Bytes>(of_size(size));
                     return [log] { convert_it(*log); };
                   }});
    if (std::string(name).find("Bytes") == std::string::npos && std::string(name) != "LogZeros")
      all.back().each = 96;
  }
  return all;
}

std::vector<Grown> grown_texts() {
  constexpr size_t kInterruptBytes = 16;
  std::vector<Grown> all;
  // A pattern and a name; whether they match is not what is asked.
  const auto matching = [&](const char* name, const char* piece, const char* end) {
    all.push_back({name, 1, false, [=](size_t size) -> Use {
                     std::string pattern = "*";
                     while (pattern.size() < size / 2) pattern += piece;
                     pattern += end;
                     return [pattern, text = std::string(size, 'a')] {
                       if (host::matches(pattern, text)) std::abort();
                     };
                   }});
  };
  matching("PatternOfOnePiece", "a", "b*");
  matching("PatternOfManyStars", "a*", "b");
  matching("PatternOfPiecesThatLack", "ab*", "");
  for (const auto& [name, piece] : std::initializer_list<std::pair<const char*, const char*>>{
           {"BudgetManyLines", "runs count >= 0\n"},
           {"BudgetOneLine", "runs name=x "},
           {"BudgetQuotes", "\""},
           {"BudgetComments", "#\n"}})
    all.push_back({name, 1, true, [repeated = std::string(piece)](size_t size) -> Use {
                     std::string text;
                     while (text.size() < size) text += repeated;
                     return [text] { (void)host::parse_budget(text, "budget"); };
                   }});
  all.push_back({"InterruptsManyNames", 1, true,
                 [](size_t size) -> Use {
                   std::string text;
                   for (size_t i = 0; i < size / kInterruptBytes; ++i)
                     text += std::to_string(i) + " name" + std::to_string(i) + "\n";
                   return [text] { (void)host::InterruptNames::parse(text, "list"); };
                 },
                 SIZE_MAX, kInterruptBytes});
  return all;
}

std::vector<Grown> grown_memories() {
  TestCapture capture = two_cpu_capture();
  const Bytes image = TestMemory::of(capture).image();
  std::vector<Grown> all;
  for (const auto& [name, piece] : std::initializer_list<std::pair<const char*, Bytes>>{
           {"MemoryZeros", {0}}, {"MemoryBytes0xff", {0xff}}, {"MemoryOfManyImages", image}})
    all.push_back({name, 16, true, [repeated = piece](size_t size) -> Use {
                     Bytes bytes;
                     while (bytes.size() < size)
                       bytes.insert(bytes.end(), repeated.begin(), repeated.end());
                     const auto file = std::make_shared<const MemoryFile>(
                         MemoryFile{std::move(bytes), TestMemory().base});
                     return [file] { (void)rebuild_memory({*file}); };
                   }});
  return all;
}

}  // namespace

std::vector<Grown> grown_logs() {
  std::vector<Grown> all;
  for (const auto& some : {grown_xray_logs(), grown_texts(), grown_memories()})
    all.insert(all.end(), some.begin(), some.end());
  return all;
}

}  // namespace barefxt::test
