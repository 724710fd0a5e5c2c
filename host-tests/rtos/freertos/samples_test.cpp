// Samples that FreeRTOS's hooks take, where they are compiled so.

#include "../samples.h"

#include "stand_in.h"

extern "C" void barefxt_freertos_sample(barefxt_interrupted at);

namespace barefxt::test::freertos_samples_test {
namespace {

class FreeRtosSamplesTest : public Sampled<RtosTest> {
 protected:
  void SetUp() override {
    RtosTest::SetUp();
    a = stand_in_create("a", 1);
    stand_in_create("b", 1);
    stand_in_start_scheduler(a);
  }
  void TearDown() override {
    RtosTest::TearDown();
    stand_in_reset();
  }
  stand_in_task* a = nullptr;
};

TEST_F(FreeRtosSamplesTest, EveryNthTickOfACpuTakesASample) {
  expect_samples_of_ticks(stand_in_tick);
}

TEST_F(FreeRtosSamplesTest, ATickThatCameToNothingKnownTakesNone) {
  expect_no_sample_of_nothing(stand_in_tick);
}

TEST_F(FreeRtosSamplesTest, AnotherInterruptTakesNone) {
  stand_in_interrupted = {0x1234, 0, 0};
  start();
  for (int i = 0; i < 3; ++i) stand_in_device();
  EXPECT_TRUE(stop_and_read().of_type(kSample).empty());
}

TEST_F(FreeRtosSamplesTest, ATickThatATaskCountsTakesNone) {
  stand_in_interrupted = {0x1234, 0, 0};
  start();
  for (int i = 0; i < 3; ++i) stand_in_late_tick();
  EXPECT_TRUE(stop_and_read().of_type(kSample).empty());
}

TEST_F(FreeRtosSamplesTest, CallersAreReadInTheRunningTasksStack) {
  expect_callers_within(barefxt_freertos_sample, stand_in_stack(a), 256);
}

}  // namespace
}  // namespace barefxt::test::freertos_samples_test
