// A short counter without the hook that it needs, as the doctor sees it.
#include "../doctor/doctored.h"
#include "session_fixture.h"

namespace barefxt::test::doctor_clock_test {
namespace {

BAREFXT_CATEGORY(beat, 3);

class DoctorOfClockTest : public SessionTest {
 protected:
  // A record every eighth of a period, for five periods.
  Doctored beats(bool with_hook) {
    constexpr uint64_t kStep = uint64_t{1} << 21;
    barefxt_config chosen = config(4);
    chosen.cpus = 1;
    set_time(1000);
    EXPECT_EQ(barefxt_start(&chosen), BAREFXT_OK);
    for (uint64_t i = 1; i <= 40; ++i) {
      set_time(i * kStep + 2000);
      if (with_hook) barefxt_clock_tick();
      BAREFXT_INSTANT(beat, "beat");
    }
    barefxt_stop();
    return doctor(dump());
  }
};

TEST_F(DoctorOfClockTest, NamesACounterWhoseHookIsNotCalled) {
  EXPECT_EQ(beats(true).text(), "");
  const Doctored doctored = beats(false);
  EXPECT_EQ(doctored.names(), "clock-wraps");
  EXPECT_TRUE(doctored.reports("as a counter of 24 bits")) << doctored.text();
}

}  // namespace
}  // namespace barefxt::test::doctor_clock_test
