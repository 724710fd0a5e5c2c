// A session with a record of each kind, printed line by line. Every kind of ring gives this
// archive.

#include <fstream>
#include <iterator>

#include <barefxt/host/lint.h>
#include <barefxt/host/print.h>
#include <barefxt/host/reader.h>

#include "session_fixture.h"

namespace barefxt::test::alike_test {
namespace {

BAREFXT_CATEGORY(work, 3);

class AlikeTest : public SessionTest {
 protected:
  void SetUp() override {
    SessionTest::SetUp();
    barefxt_process_register(10, "proc");
    barefxt_thread_register(&a_, 10, 101, "alpha", 5);
    barefxt_thread_register(&b_, 10, 102, "beta", 200);
    barefxt_object_register(501, BAREFXT_OBJECT_QUEUE, "jobs");
  }
  void TearDown() override {
    barefxt_thread_unregister(&a_);
    barefxt_thread_unregister(&b_);
    barefxt_object_unregister(501);
    SessionTest::TearDown();
  }

  // All records of the archive, except those about CPUs and its tables.
  std::string lines() const {
    host::StringOutput all;
    host::Reader reader(rebuilt_.archive, {});
    while (const host::Record* record = reader.next()) {
      const auto* event = std::get_if<host::Event>(&record->content);
      if (event != nullptr && event->name.bytes == "renamed") continue;
      const auto* object = std::get_if<host::KernelObject>(&record->content);
      if (object != nullptr && object->koid >= 0x7e000000) continue;
      host::StringOutput line;
      host::print_json(line, *record, false);
      const std::string text = line.take();
      // Behind the offset, which is that of the tables, too.
      const std::string content = text.substr(text.find(",\"") + 1);
      bool is_of_a_table = false;
      for (const char* kind : {"magic", "initialization", "provider_", "string", "thread\""})
        is_of_a_table |= content.starts_with(std::string("\"record\":\"") + kind);
      if (!is_of_a_table) all.text("{" + content);
    }
    return all.take();
  }

  std::string lint() const {
    std::string found;
    host::Linter linter({}, [&](const host::Finding& finding) {
      if (finding.rule->severity == host::Severity::kWarning)
        found += std::string(finding.rule->name) + ": " + finding.text + "\n";
    });
    host::Reader reader(rebuilt_.archive, {});
    while (const host::Record* record = reader.next()) linter.see(*record, reader.provider());
    linter.finish();
    return found;
  }

  barefxt_thread a_ = {};
  barefxt_thread b_ = {};
};

TEST_F(AlikeTest, EveryKindOfRecord) {
  start();
  set_time(5000);
  BAREFXT_INSTANT(work, "ahead of any switch");
  barefxt_switch_in(&a_);
  BAREFXT_INSTANT(work, "instant");
  BAREFXT_INSTANT(work, "one", BAREFXT_ARG_U32("n", 7));
  BAREFXT_INSTANT(work, "long", BAREFXT_ARG_U64("n", 1ull << 40));
  BAREFXT_INSTANT(work, "two", BAREFXT_ARG_U32("n", 7), BAREFXT_ARG_I32("m", -8));
  BAREFXT_INSTANT(work, "text", BAREFXT_ARG_STRING("said", "in between", 10));
  barefxt_context_switch(&a_, BAREFXT_STATE_BLOCKED, &b_);
  BAREFXT_DURATION_BEGIN(work, "duration");
  {
    BAREFXT_DURATION_SCOPE(work, "scope", BAREFXT_ARG_BOOL("inner", 1));
    const uint64_t begin = barefxt_ticks();
    BAREFXT_COUNTER(work, "counter", 9, BAREFXT_ARG_U32("v", 1));
    BAREFXT_FLOW_BEGIN(work, "flow", 21);
    BAREFXT_FLOW_STEP(work, "flow", 21);
    BAREFXT_FLOW_END(work, "flow", 21);
    BAREFXT_DURATION_COMPLETE(work, "complete", begin);
  }
  BAREFXT_DURATION_END(work, "duration");
  BAREFXT_ASYNC_BEGIN(work, "async", 22);
  BAREFXT_ASYNC_END(work, "async", 22);
  BAREFXT_IRQ_ENTER("timer", BAREFXT_ARG_U32("number", 27));
  barefxt_thread_wakeup(&a_);
  BAREFXT_THREAD_WAKEUP(&a_, BAREFXT_ARG_I32("weight", 9));
  BAREFXT_IRQ_EXIT("timer");
  barefxt_interrupt_enter(31, BAREFXT_TEXT("uart"));
  barefxt_interrupt_exit(31);
  BAREFXT_CONTEXT_SWITCH(&b_, BAREFXT_STATE_SUSPENDED, &a_, BAREFXT_ARG_I32("weight", 1));
  BAREFXT_LOG(work, "a line", 6);
  barefxt_thread_set_priority(&a_, 17);
  // An event of its own where entries are reused.
  barefxt_thread_rename(&b_, "gamma");
  set_time(5028);
  barefxt_switch_out(&a_, BAREFXT_STATE_DYING);
  barefxt_switch_in(&b_);
  BAREFXT_EVENT(work, BAREFXT_EVENT_INSTANT, &a_, BAREFXT_TEXT_INLINE("of another", 10), 0);
  BAREFXT_EVENT(work, BAREFXT_EVENT_INSTANT, BAREFXT_THIS_CPU, BAREFXT_TEXT("of the CPU"), 0);
  BAREFXT_BLOB(work, BAREFXT_TEXT("blob"), BAREFXT_BLOB_DATA, "12345", 5);
  BAREFXT_LARGE_BLOB(work, BAREFXT_TEXT("large"), "123456789", 9);
  BAREFXT_LARGE_BLOB_EVENT(work, BAREFXT_TEXT("large event"), "1", 1, BAREFXT_ARG_U32("n", 3));
  BAREFXT_KERNEL_OBJECT(work, 900, 5, BAREFXT_TEXT("an event"), BAREFXT_ARG_KOID("owner", 101));
  BAREFXT_USERSPACE_OBJECT(work, reinterpret_cast<void*>(0x1230), nullptr, BAREFXT_TEXT("lock"));
  const uintptr_t frames[] = {0x1000, 0x2000};
  BAREFXT_PROFILER_MODULE(work, nullptr, 5, "kernel.elf", 10, "id", 2);
  BAREFXT_PROFILER_MMAP(work, nullptr, 5, 5, 0x80000000u, 0x10000, 0x40);
  BAREFXT_PROFILER_BACKTRACE(work, nullptr, frames, 2);
  barefxt_sample(0x4000, 0, 0, 0);
  const auto at = [](uintptr_t address) { return reinterpret_cast<const void*>(address); };
  barefxt_heap_alloc(at(0x20000100), 24, at(0x4001));
  barefxt_heap_realloc(at(0x20000100), at(0x20000100), 40, at(0x4002));
  barefxt_heap_free(at(0x20000100), at(0x4003));
  const barefxt_stop_report report = barefxt_stop();
  EXPECT_EQ(report.lost_records, 0u);
  EXPECT_EQ(report.unfinished_records, 0u);
  EXPECT_EQ(report.cut_texts, 0u);
  read(dump());
  std::ifstream file(BAREFXT_SOURCE_DIR "/host-tests/runtime/alike.jsonl");
  const std::string expected((std::istreambuf_iterator<char>(file)), {});
  EXPECT_EQ(lines(), expected);
  EXPECT_EQ(lint(), "");
}

}  // namespace
}  // namespace barefxt::test::alike_test
