// FreeRTOS's ticks as a counter, where its hooks are compiled so.

#include "../switches.h"
#include "stand_in.h"

namespace barefxt::test::ticks_test {
namespace {

class FreeRtosTicksTest : public RtosTest {};

TEST_F(FreeRtosTicksTest, TheKernelsCountIsACounter) {
  start();
  stand_in_tick();
  stand_in_tick();
  const PlainArchive archive = stop_and_read();
  const auto ticks = archive.events("ticks");
  ASSERT_EQ(ticks.size(), 2u);
  EXPECT_EQ(ticks[1].argument("ticks")->bits, ticks[0].argument("ticks")->bits + 1);
  EXPECT_EQ(archive.events("tick").size(), 4u);
}

}  // namespace
}  // namespace barefxt::test::ticks_test
