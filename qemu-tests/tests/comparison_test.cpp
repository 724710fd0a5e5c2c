// The comparison itself: it must fail for every kind of wrong trace.

#include "comparison.h"

#include <algorithm>
#include <gtest/gtest.h>

#include "qemu.h"

namespace barefxt::test {
namespace {

class ComparisonTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    const Booted run = boot({.arguments = "seconds=1 dump=uart"});
    ASSERT_EQ(run.status, 0) << read_file(run.file("qemu.log"));
    tally_ = read_tally(read_file(run.uart));
    ASSERT_EQ(barefxt("rebuild " + run.uart + " -o " + run.file("t.fxt")).status, 0);
    archive_ = read_archive(run.file("t.fxt"));
  }

  // Index of the N-th record that `wanted` takes.
  template <typename Wanted>
  static size_t find(const Wanted& wanted, size_t n = 0) {
    for (size_t i = 0; i < archive_.size(); ++i)
      if (wanted(archive_[i]) && n-- == 0) return i;
    ADD_FAILURE() << "no such record";
    return 0;
  }
  static bool is_switch(const Json& record) { return record.at("record") == "context_switch"; }
  static bool is_event(const Json& record, const std::string& name) {
    return record.at("record") == "event" && record.at("name") == name;
  }

  static void expect_caught(const std::vector<Json>& archive) {
    EXPECT_FALSE(compare(tally_, archive).empty());
  }

  static Tally tally_;
  static std::vector<Json> archive_;
};

Tally ComparisonTest::tally_;
std::vector<Json> ComparisonTest::archive_;

TEST_F(ComparisonTest, TheTraceAsItIsAgrees) { EXPECT_EQ(join(compare(tally_, archive_)), ""); }

TEST_F(ComparisonTest, TwoRecordsOfACpuSwappedAreCaught) {
  auto archive = archive_;
  const size_t first = find(is_switch, 100);
  const size_t second = find([&](const Json& record) {
    return is_switch(record) && record.at("cpu") == archive_[first].at("cpu") &&
           record.at("offset") > archive_[first].at("offset");
  });
  // Their times stay where they were, so that only the order is wrong.
  std::swap(archive[first], archive[second]);
  std::swap(archive[first]["timestamp"], archive[second]["timestamp"]);
  expect_caught(archive);
}

TEST_F(ComparisonTest, EachKindOfRecordLeftOutIsCaught) {
  const auto without = [](size_t index) {
    auto archive = archive_;
    archive.erase(archive.begin() + static_cast<ptrdiff_t>(index));
    return archive;
  };
  expect_caught(without(find(is_switch, 50)));
  expect_caught(without(find([](const Json& r) { return r.at("record") == "thread_wakeup"; }, 50)));
  expect_caught(without(find([](const Json& r) { return is_event(r, "timer"); }, 51)));
  expect_caught(without(find([](const Json& r) { return is_event(r, "bracketed"); }, 3)));
  expect_caught(without(find(
      [](const Json& r) { return r.at("record") == "event" && r.at("event") == "counter"; }, 3)));
  expect_caught(without(find(
      [](const Json& r) { return r.at("record") == "event" && r.at("event") == "flow_end"; }, 3)));
}

TEST_F(ComparisonTest, AShiftedTimestampIsCaught) {
  auto archive = archive_;
  Json& bracketed = archive[find([](const Json& r) { return is_event(r, "bracketed"); }, 2)];
  const uint64_t id = argument_word(*find_argument(bracketed, "bracket"));
  bracketed["timestamp"] = tally_.brackets.at(id).after + 1;
  expect_caught(archive);

  // On the same CPU: clocks of CPUs are not compared.
  archive = archive_;
  const Json& first = archive_[find(is_switch)];
  Json& later = archive[find(
      [&](const Json& r) { return is_switch(r) && r.at("cpu") == first.at("cpu"); }, 20)];
  later["timestamp"] = first.at("timestamp").get<uint64_t>() - 1;
  expect_caught(archive);
}

TEST_F(ComparisonTest, AChangedNameIsCaught) {
  auto archive = archive_;
  const uint64_t koid = archive[find(is_switch, 20)].at("incoming").at("thread");
  archive[find([&](const Json& r) {
    return r.at("record") == "kernel_object" && r.at("koid") == koid;
  })]["name"] = "somebody else";
  expect_caught(archive);
}

TEST_F(ComparisonTest, AChangedFieldOfASwitchIsCaught) {
  for (const char* field : {"outgoing_priority", "incoming_priority"}) {
    auto archive = archive_;
    Json& record = archive[find(is_switch, 30)];
    record[field] = record[field].get<int>() ^ 1;
    expect_caught(archive);
  }
  auto archive = archive_;
  Json& record = archive[find(is_switch, 30)];
  record["outgoing_state"] = record["outgoing_state"] == "dead" ? "blocked" : "dead";
  expect_caught(archive);
}

TEST_F(ComparisonTest, AChangedMessageIsCaught) {
  auto archive = archive_;
  Json& flow = archive[find(
      [](const Json& r) { return r.at("record") == "event" && r.at("event") == "flow_begin"; }, 5)];
  flow["correlation_id"] = flow["correlation_id"].get<uint64_t>() + 1;
  expect_caught(archive);
}

TEST_F(ComparisonTest, ThreadsWithAReusedIndexAndWithoutOneWereAmongThem) {
  // Threads of the prologue have an index, or had one; the others stand inline, and their names are
  // objects that came through a ring, behind the first switch.
  size_t inline_threads = 0;
  const size_t first_switch = find(is_switch);
  for (size_t i = first_switch; i < archive_.size(); ++i)
    if (archive_[i].at("record") == "kernel_object") ++inline_threads;
  EXPECT_GT(inline_threads, 0u);
  // More threads lived before the start than were still there: their entries were used again.
  EXPECT_GT(tally_.created, tally_.created_while_recording);
  size_t indexed = 0;
  for (const Json& record : archive_)
    if (record.at("record") == "thread") ++indexed;
  EXPECT_GT(tally_.created, indexed);
}

}  // namespace
}  // namespace barefxt::test
