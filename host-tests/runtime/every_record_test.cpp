// Every record, argument and reference of the format, written by the runtime compiled for the host.
// Targets do the same; here the sanitizers see it, and inline texts differ visibly from indexed
// ones.

#include "workload/every_record.h"

#include <barefxt/host/print.h>
#include <barefxt/host/reader.h>

#include "every_record_check.h"
#include "session_fixture.h"

namespace barefxt::test::every_record_test {
namespace {

class EveryRecordTest : public SessionTest {
 protected:
  void SetUp() override {
    SessionTest::SetUp();
    start(64, kEveryRecordCategories | BAREFXT_CATEGORY_BIT(sched) | BAREFXT_CATEGORY_BIT(irq));
    every_record_register(&threads_);
    every_record_from_cpp(&threads_);
    every_record_from_c(&threads_);
    stop_and_read();
  }

  every_record_threads threads_ = {};
};

TEST_F(EveryRecordTest, ArrivesFromCppAndFromC) {
  host::Reader reader(rebuilt_.archive, {});
  std::vector<nlohmann::json> records;
  while (const host::Record* record = reader.next()) {
    host::StringOutput line;
    host::print_json(line, *record, false);
    records.push_back(nlohmann::json::parse(line.take()));
  }
  EXPECT_EQ(compare_with_every_record(records, BAREFXT_EVERY_RECORD), "");

  // All references were written both ways.
  unsigned inline_names = 0;
  unsigned indexed_names = 0;
  unsigned inline_threads = 0;
  unsigned indexed_threads = 0;
  host::Reader again(rebuilt_.archive, {});
  while (const host::Record* record = again.next()) {
    const auto* event = std::get_if<host::Event>(&record->content);
    if (event == nullptr) continue;
    const bool run_time = event->name.bytes == "known at run time";
    EXPECT_EQ(event->name.is_inline(), run_time) << event->name.bytes;
    EXPECT_EQ(event->thread.ref.is_inline(), event->thread.thread == 102) << event->thread.thread;
    ++(event->name.is_inline() ? inline_names : indexed_names);
    ++(event->thread.ref.is_inline() ? inline_threads : indexed_threads);
  }
  EXPECT_GE(inline_names, 22u);
  EXPECT_GE(indexed_names, 22u);
  EXPECT_GE(inline_threads, 14u);
  EXPECT_GE(indexed_threads, 22u);
}

}  // namespace
}  // namespace barefxt::test::every_record_test
