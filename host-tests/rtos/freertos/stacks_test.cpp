// Marks of FreeRTOS's stacks, where its hooks are compiled so.

#include "../switches.h"
#include "stand_in.h"

extern "C" void barefxt_freertos_scan_stacks(void);

namespace barefxt::test::freertos_stacks_test {
namespace {

constexpr uint64_t kBytes = 256;

class FreeRtosStacksTest : public RtosTest {
 protected:
  void TearDown() override {
    RtosTest::TearDown();
    stand_in_reset();
  }
};

using Lefts = std::vector<uint64_t>;

TEST_F(FreeRtosStacksTest, ASwitchAndTheIdleHookMoveTheMark) {
  stand_in_task* const a = stand_in_create("a", 1);
  stand_in_task* const b = stand_in_create("b", 1);
  stand_in_start_scheduler(a);
  start();
  stand_in_use_stack(a, 100, 120);
  stand_in_switch(b);
  stand_in_use_stack(b, 200, 200);
  stand_in_switch(a);
  stand_in_switch(b);
  for (int call = 0; call < 6; ++call) barefxt_freertos_scan_stacks();
  const PlainArchive archive = stop_and_read();
  EXPECT_EQ(marks(archive, "a", kBytes), (Lefts{120, 100}));
  EXPECT_EQ(marks(archive, "b", kBytes), (Lefts{200}));
}

TEST_F(FreeRtosStacksTest, ATaskThatIsGoneHasNoStack) {
  stand_in_task* const a = stand_in_create("a", 1);
  stand_in_task* const b = stand_in_create("b", 1);
  stand_in_start_scheduler(a);
  start();
  stand_in_delete(b);
  stand_in_use_stack(b, 0, 0);
  for (int call = 0; call < 6; ++call) barefxt_freertos_scan_stacks();
  EXPECT_TRUE(stop_and_read().events("stack").empty());
}

TEST_F(FreeRtosStacksTest, TasksWithoutAPlaceHaveNoStack) {
  start();
  for (int i = 0; i < 40; ++i) stand_in_use_stack(stand_in_create("one", 1), 0, 0);
  for (int call = 0; call < 100; ++call) barefxt_freertos_scan_stacks();
  const PlainArchive archive = stop_and_read();
  EXPECT_TRUE(marks(archive, "(more tasks)", kBytes).empty());
  EXPECT_EQ(marks(archive, "one", kBytes).size(), 32u);
}

}  // namespace
}  // namespace barefxt::test::freertos_stacks_test
