// Calls in an archive, recorded by halves or as a whole, as a log: each begins and ends in order of
// time within the one around it.
#include <algorithm>
#include <gtest/gtest.h>
#include <random>
#include <tuple>

#include <barefxt/host/archive_writer.h>
#include <barefxt/host/calls_to_log.h>
#include <barefxt/host/mapped_elf.h>
#include <barefxt/host/xray_log.h>

#include "archive/memory_archive.h"
#include "build_kind.h"
#include "print/printing.h"

namespace barefxt::test::calls_to_log_test {
namespace {

// Any program will do: functions with names, and their ids.
class CallsToLogTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    const auto file = host::Source::open(BAREFXT_COMMAND);
    ASSERT_TRUE(file.ok());
    const auto program = host::ElfFile::parse(file.value().bytes(), "program");
    ASSERT_TRUE(program.ok());
    MemorySink mapped;
    ASSERT_TRUE(
        host::write_mapped_elf(program.value(), file.value().bytes(), "program", mapped).ok());
    const auto again = host::ElfFile::parse(mapped.bytes(), "mapped");
    ASSERT_TRUE(again.ok());
    auto read = host::InstrumentationMap::read(again.value(), "mapped");
    ASSERT_TRUE(read.ok());
    map_ = new host::InstrumentationMap(std::move(read.value()));
    for (uint32_t id = 1; id <= map_->functions() && names_.size() < 3; ++id) {
      const std::string name(map_->name(id));
      if (!name.empty() && std::find(names_.begin(), names_.end(), name) == names_.end())
        names_.push_back(name);
    }
    ASSERT_EQ(names_.size(), 3u);
  }
  static void TearDownTestSuite() {
    delete map_;
    map_ = nullptr;
    names_.clear();
  }

  // Begin, end, thread, name.
  using Call = std::tuple<uint64_t, uint64_t, uint64_t, std::string>;

  // The calls in the log of this archive, thread by thread; nothing had to be repaired.
  static std::vector<Call> calls_in_log_of(const std::string& archive) {
    host::CallsToLog calls(*map_);
    host::Reader reader(as_bytes(archive), host::Form{});
    reader.walk([&](const auto& view, const host::Place& place) {
      host::Record record;
      record.offset = place.offset;
      record.content = view;
      calls.see(record, reader.provider());
    });
    EXPECT_TRUE(calls.finish().ok());
    const auto log = host::XrayLog::open(calls.log(), "log");
    std::vector<Call> found;
    if (!log.ok()) return found;
    for (const host::XrayLog::Thread& thread : log.value()->threads()) {
      host::XrayThreadReader::OpenCalls stacks(host::XrayThreadReader::kMaxOpen);
      host::XrayThreadReader in_thread(*log.value(), thread, stacks);
      std::vector<Call> open;
      uint64_t last = 0;
      while (const host::XrayRecord* record = in_thread.next()) {
        EXPECT_GE(record->tsc, last);
        last = record->tsc;
        const std::string name(map_->name(record->function));
        if (record->kind == host::XrayKind::kEntry) {
          open.emplace_back(record->tsc, 0, record->thread.thread, name);
          continue;
        }
        if (open.empty() || std::get<3>(open.back()) != name) {
          ADD_FAILURE() << "an exit of " << name << " at " << record->tsc;
          continue;
        }
        std::get<1>(open.back()) = record->tsc;
        found.push_back(open.back());
        open.pop_back();
      }
      EXPECT_TRUE(open.empty());
      EXPECT_EQ(in_thread.repairs().orphan_exits + in_thread.repairs().added_exits, 0u);
    }
    std::sort(found.begin(), found.end());
    return found;
  }

  static host::InstrumentationMap* map_;
  static std::vector<std::string> names_;
};
host::InstrumentationMap* CallsToLogTest::map_ = nullptr;
std::vector<std::string> CallsToLogTest::names_;

// Two threads' calls. Many last no time, or begin and end together with others. The first
// thread's are recorded as a whole, the second's by halves.
TEST_F(CallsToLogTest, NestHoweverTheyAreRecorded) {
  for (unsigned seed = 1; seed <= sampled(200); ++seed) {
    std::minstd_rand random(seed);
    MemoryArchive writer(1000);
    const auto write = [&](fxt::EventType type, uint64_t thread, const std::string& name,
                           uint64_t time, uint64_t end) {
      add_event(writer, type, time, {0, 5, thread}, "function", name, end);
    };
    std::vector<std::pair<uint64_t, std::string>> open[2];
    std::vector<Call> expected;
    uint64_t now = 100;
    const auto close = [&](unsigned thread) {
      const auto [begin, name] = open[thread].back();
      open[thread].pop_back();
      expected.emplace_back(begin, now, thread + 1, name);
      if (thread == 0)
        write(fxt::EventType::kDurationComplete, 1, name, begin, now);
      else
        write(fxt::EventType::kDurationEnd, 2, name, now, 0);
    };
    for (unsigned i = 0; i < 60; ++i) {
      now += random() % 3 == 0 ? random() % 3 : 0;
      const unsigned thread = random() % 2;
      if (random() % 2 == 0 && open[thread].size() < 6) {
        open[thread].emplace_back(now, names_[random() % names_.size()]);
        if (thread == 1)
          write(fxt::EventType::kDurationBegin, 2, open[thread].back().second, now, 0);
      } else if (!open[thread].empty()) {
        close(thread);
      }
    }
    for (const unsigned thread : {0u, 1u})
      while (!open[thread].empty()) close(thread);
    std::sort(expected.begin(), expected.end());
    ASSERT_EQ(calls_in_log_of(writer.text()), expected) << "seed " << seed;
  }
}

}  // namespace
}  // namespace barefxt::test::calls_to_log_test
