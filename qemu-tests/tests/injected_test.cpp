// Twelve kinds of causes, injected into the kernel one at a time (qemu-tests/injected/), and what
// `barefxt explain` takes for the cause of each: the right one in 95 of 100 cases at least, and no
// other in any. Where frames of the capture are damaged, more is unknown, and still nothing wrong.

#include <gtest/gtest.h>
#include <random>

#include "host-tests/explain/injected_causes.h"
#include "qemu.h"
#include "targets.h"

namespace barefxt::test::injected_test {
namespace {

class InjectedTest : public ::testing::TestWithParam<Image> {
 protected:
  std::string rebuilt(const std::string& capture, const std::string& name) {
    const std::string archive = run_.file(name);
    const Output output = barefxt("rebuild " + capture + " -o " + archive);
    EXPECT_TRUE(output.status == 0 || output.status == 3) << output.err;
    return archive;
  }

  void inject(unsigned rounds, unsigned seed) {
    Boot options = {.build = GetParam().build};
    // Its time stands still while the host lets it wait.
    options.extra = "-icount shift=6,sleep=off";
    options.arguments =
        "mode=injected rounds=" + std::to_string(rounds) + " seed=" + std::to_string(seed);
    run_ = boot(options);
    const std::string console = read_file(run_.uart);
    ASSERT_EQ(run_.status, 0) << console << read_file(run_.file("qemu.log"));
    const InjectedRun injected(rebuilt(run_.file("trace.bin"), "t.fxt"),
                               {"timer", "reschedule", "timer"}, [](const std::string& arguments) {
                                 const Output output = barefxt(arguments);
                                 EXPECT_EQ(output.status, 0) << output.err;
                                 return output.out;
                               });
    for (size_t i = 0; i < kInjectedCauses; ++i) ASSERT_EQ(injected.times(i), rounds);
    injected.judge(sound_);
    for (const unsigned count : {2U, 6U}) {
      damage(count, seed);
      injected.judge(rebuilt(run_.file("damaged.bin"), "damaged.fxt"), damaged_);
    }
  }

  // Damages bytes of the capture, `count` of them.
  void damage(unsigned count, unsigned seed) {
    std::string capture = read_file(run_.file("trace.bin"));
    std::mt19937 random(seed);
    for (unsigned i = 0; i < count; ++i) capture[random() % capture.size()] ^= 0x55;
    write_file(run_.file("damaged.bin"), capture);
  }

  Booted run_;
  InjectedTallies sound_{};
  InjectedTallies damaged_{};
};

TEST_P(InjectedTest, TheCauseIsNamedAndNoOther) {
  const unsigned kRounds = is_full_run() ? 10 : 3;
  const unsigned boots = is_full_run() ? 9 : 1;
  for (unsigned seed = 1; seed <= boots && !HasFatalFailure(); ++seed) inject(kRounds, seed);
  if (HasFatalFailure()) return;
  for (size_t i = 0; i < kInjectedCauses; ++i) {
    const InjectedTally& one = sound_.at(i);
    const InjectedTally& other = damaged_.at(i);
    std::printf("%-22s right %u, unknown %u, wrong %u; damaged: right %u, unknown %u, wrong %u\n",
                InjectedRun::name_of(i), one.right, one.unknown, one.wrong, other.right,
                other.unknown, other.wrong);
  }
  const InjectedTally sound = sum_of(sound_);
  const InjectedTally damaged = sum_of(damaged_);
  EXPECT_GE(10 * (sound.right + sound.unknown), 9 * boots * kRounds * kInjectedCauses);
  EXPECT_GE(20 * sound.right, 19 * (sound.right + sound.unknown));
  EXPECT_EQ(sound.open + damaged.open, 0U);
  EXPECT_GT(damaged.right, 0U);
  EXPECT_GT(damaged.unknown_ticks, 2 * sound.unknown_ticks);
}

// QEMU runs the CPUs by turns, and AArch64's code can pass a turn on by `yield`.
INSTANTIATE_TEST_SUITE_P(Targets, InjectedTest,
                         ::testing::ValuesIn(images_by_default(Portion::kAll,
                                                               images_of({"aarch64"}))),
                         name_of_image);

}  // namespace
}  // namespace barefxt::test::injected_test
