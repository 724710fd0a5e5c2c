// Archives with events of heaps, as `rebuild` writes them.
#pragma once

#include <gtest/gtest.h>
#include <string>
#include <vector>

#include <barefxt/host/archive_writer.h>

#include "archive/memory_archive.h"

namespace barefxt::test {

class HeapTrace {
 public:
  static constexpr uint64_t kProcess = 5;
  static constexpr uint64_t kCpus = 0x7e000000;
  static constexpr uint64_t kFirstCpu = 0x7f000000;

  explicit HeapTrace(uint64_t ticks_per_second = 1000) : writer_(ticks_per_second) {
    for (unsigned cpu = 0; cpu < 4; ++cpu)
      name(kFirstCpu + cpu, "cpu-" + std::to_string(cpu), kCpus);
  }

  void name(uint64_t koid, const std::string& name, uint64_t process = kProcess) {
    name_thread(writer_, koid, process, name);
  }
  void alloc(uint64_t time, uint64_t thread, uint64_t address, uint64_t bytes, uint64_t caller,
             const char* name = "alloc") {
    const host::ArchiveArgument arguments[] = {
        host::ArchiveArgument::pointer(text("address"), address), count("bytes", bytes),
        host::ArchiveArgument::pointer(text("caller"), caller)};
    instant(time, thread, "heap", name, arguments);
  }
  void resize(uint64_t time, uint64_t thread, uint64_t address, uint64_t bytes, uint64_t caller) {
    alloc(time, thread, address, bytes, caller, "realloc");
  }
  void free(uint64_t time, uint64_t thread, uint64_t address, uint64_t caller = 0) {
    const host::ArchiveArgument arguments[] = {
        host::ArchiveArgument::pointer(text("address"), address),
        host::ArchiveArgument::pointer(text("caller"), caller)};
    instant(time, thread, "heap", "free", arguments);
  }
  void pool(uint64_t time, const char* name, uint64_t begin, uint64_t bytes, uint64_t used) {
    const host::ArchiveArgument arguments[] = {
        host::ArchiveArgument::string(text("name"), text(name)),
        host::ArchiveArgument::pointer(text("address"), begin), count("bytes", bytes),
        count("used", used)};
    instant(time, 11, "heap", "pool", arguments);
  }
  void mark(uint64_t time, const char* name) { instant(time, 11, "test", name, {}); }
  void lose(uint64_t from, uint64_t to, unsigned cpu = 0) {
    EXPECT_TRUE(add_event(writer_, fxt::EventType::kDurationComplete, from,
                          {0, kCpus, kFirstCpu + cpu}, "barefxt", "drop_stats", to));
  }
  void module(const std::string& build_id) {
    EXPECT_TRUE(writer_.profiler_module(
        {.timestamp = 0, .thread = {0, kCpus, kFirstCpu}, .name = "image", .build_id = build_id}));
  }
  const std::vector<uint8_t>& bytes() { return writer_.written(); }

 private:
  static host::ArchiveArgument count(const char* name, uint64_t value) {
    return value >> 32 == 0
               ? host::ArchiveArgument::uint32(text(name), static_cast<uint32_t>(value))
               : host::ArchiveArgument::uint64(text(name), value);
  }
  void instant(uint64_t time, uint64_t thread, const char* category, const char* name,
               host::ArchiveArguments arguments) {
    EXPECT_TRUE(add_event(writer_, fxt::EventType::kInstant, time, {0, kProcess, thread}, category,
                          name, 0, arguments));
  }

  MemoryArchive writer_;
};

// Two threads, with 100, 150, 350 and 50 live bytes at the times 1 to 4.
inline std::string heap_of_four_changes() {
  HeapTrace trace;
  trace.alloc(1, 11, 0x1000, 100, 0x8000);
  trace.alloc(2, 12, 0x2000, 50, 0x8100);
  trace.resize(3, 12, 0x1000, 300, 0x8200);
  trace.free(4, 11, 0x1000);
  const std::vector<uint8_t> bytes = trace.bytes();
  return {bytes.begin(), bytes.end()};
}

}  // namespace barefxt::test
