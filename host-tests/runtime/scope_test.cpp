// Durations of scopes begin and end in pairs, however the scope is left and whatever becomes of
// their category meanwhile.

#include "session_fixture.h"

#define SCOPES_OF_LANGUAGE scopes_of_cpp
#include "scope_probes.h"

extern "C" void scopes_of_c(int leaves_early);

namespace barefxt::test::scope_test {
namespace {

using ScopeTest = SessionTest;

// "begin outer" and so on, in the order of the archive.
std::vector<std::string> told(const PlainArchive& archive) {
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
    EXPECT_EQ(told(stop_and_read()),
              (std::vector<std::string>{"begin outer", "begin inner", "end inner", "end outer"}));
  }
}

TEST_F(ScopeTest, WhetherItIsWrittenIsDecidedAtItsBegin) {
  for (const auto& scopes : {scopes_of_cpp, scopes_of_c}) {
    start();
    scopes(false);
    const PlainArchive archive = stop_and_read();
    EXPECT_EQ(told(archive),
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

}  // namespace
}  // namespace barefxt::test::scope_test
