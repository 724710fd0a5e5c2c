// Durations of scopes begin and end in pairs, on every way out of the scope, also if their category
// is switched meanwhile.

#include "session_fixture.h"

#define JOBS_OF_LANGUAGE jobs_of_cpp
#define SCOPES_OF_LANGUAGE scopes_of_cpp
#include "scope_probes.h"

extern "C" void scopes_of_c(int leaves_early);
extern "C" void jobs_of_c(void);

namespace barefxt::test::scope_test {
namespace {

using ScopeTest = SessionTest;

// "begin outer" and so on, in the order of the archive.
std::vector<std::string> names_of_events(const PlainArchive& archive) {
  std::vector<std::string> all;
  for (const PlainRecord& record : archive.records) {
    if (record.type != 4) continue;
    const char* const kind = record.subtype == 2 ? "begin " : record.subtype == 3 ? "end " : "";
    all.push_back(kind + record.name);
  }
  return all;
}

TEST_F(ScopeTest, ADurationEndsWithItsScopeHoweverThatIsLeft) {
  for (const auto& scopes : {scopes_of_cpp, scopes_of_c}) {
    start();
    scopes(true);
    EXPECT_EQ(names_of_events(stop_and_read()),
              (std::vector<std::string>{"begin outer", "begin inner", "end inner", "end outer"}));
  }
}

TEST_F(ScopeTest, WhetherItIsWrittenIsDecidedAtItsBegin) {
  for (const auto& scopes : {scopes_of_cpp, scopes_of_c}) {
    start();
    scopes(false);
    const PlainArchive archive = stop_and_read();
    EXPECT_EQ(names_of_events(archive),
              (std::vector<std::string>{"begin outer", "begin inner", "inside", "end inner",
                                        "begin on", "end on", "end outer"}));
    const std::vector<PlainRecord> outer = archive.events("outer");
    ASSERT_EQ(outer.size(), 2u);
    EXPECT_EQ(outer[0].arguments.size(), 2u);
    EXPECT_EQ(outer[1].arguments.size(), 0u);
    EXPECT_EQ(outer[0].category, "scopes");
    EXPECT_EQ(outer[1].category, "scopes");
    EXPECT_EQ(outer[0].thread, outer[1].thread);
  }
}

TEST_F(ScopeTest, AJobIsADurationThatSaysWhenItIsDue) {
  for (const auto& jobs : {jobs_of_cpp, jobs_of_c}) {
    start(16, BAREFXT_CATEGORY_BIT(sched));
    jobs();
    const PlainArchive archive = stop_and_read();
    EXPECT_EQ(names_of_events(archive),
              (std::vector<std::string>{"begin job", "begin inner", "end inner", "end job"}));
    for (const char* name : {"job", "inner"}) {
      const std::vector<PlainRecord> records = archive.events(name);
      ASSERT_EQ(records.size(), 2u);
      EXPECT_EQ(records[0].category, "job");
      EXPECT_EQ(records[1].category, "job");
      const bool is_inner = records[0].name == "inner";
      EXPECT_EQ(records[0].argument("period_ns")->bits, is_inner ? 0u : 10'000'000u);
      EXPECT_EQ(records[0].argument("deadline_ns")->bits, is_inner ? 2'500'000u : 0u);
      EXPECT_TRUE(records[1].arguments.empty());
    }
  }
}

}  // namespace
}  // namespace barefxt::test::scope_test
