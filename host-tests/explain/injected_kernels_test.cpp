// Causes injected into real kernels, each run once in QEMU and captured: explain names the right
// one in 95 of 100 cases at least, and no other in any. Damaged frames of a capture make more
// unknown, and nothing wrong.
//
// project/kernel_injected.sh makes the captures, and judges the run of a kernel's tree by this test
// as well: the folder in BAREFXT_INJECTED_CAPTURES replaces that of the golden ones.
#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>
#include <random>
#include <zlib.h>

#include "hostile/shell.h"
#include "injected_causes.h"

namespace barefxt::test::injected_kernels_test {
namespace {

struct Kernel {
  const char* name;
  InjectedRun::Interrupts interrupts;
  std::vector<std::string> lacks;  // kinds of causes that one CPU cannot have
};
void PrintTo(const Kernel& kernel, std::ostream* out) { *out << kernel.name; }

// Packed or not.
std::string unpacked(const std::string& path) {
  std::string bytes;
  gzFile file = ::gzopen(path.c_str(), "rb");
  if (file == nullptr) return bytes;
  char part[65536];
  for (int got = 0; (got = ::gzread(file, part, sizeof part)) > 0;)
    bytes.append(part, static_cast<size_t>(got));
  ::gzclose(file);
  return bytes;
}

std::string capture_of(const std::string& kernel) {
  const char* const own = std::getenv("BAREFXT_INJECTED_CAPTURES");
  const std::string folder =
      own != nullptr ? own : BAREFXT_SOURCE_DIR "/host-tests/explain/injected";
  for (const char* const extension : {".raw.gz", ".raw"}) {
    const std::string path = folder + "/" + kernel + extension;
    if (std::filesystem::exists(path)) return unpacked(path);
  }
  return {};
}

class InjectedKernels : public Shell, public ::testing::WithParamInterface<Kernel> {
 protected:
  std::string rebuilt(const std::string& capture) {
    write("trace.raw", capture);
    const int status = run("BAREFXT rebuild trace.raw -o trace.fxt");
    EXPECT_TRUE(status == 0 || status == 3) << messages();
    return path("trace.fxt");
  }
  std::string command(const std::string& arguments) {
    EXPECT_EQ(run("BAREFXT " + arguments), 0) << messages();
    return printed();
  }

  static std::string damaged(std::string capture, unsigned times) {
    std::mt19937 random(times);
    for (unsigned i = 0; i < times; ++i) capture[random() % capture.size()] ^= 0x55;
    return capture;
  }
};

TEST_P(InjectedKernels, TheCauseIsNamedAndNoOther) {
  const Kernel& kernel = GetParam();
  const std::string capture = capture_of(kernel.name);
  ASSERT_FALSE(capture.empty());
  const InjectedRun run(rebuilt(capture), kernel.interrupts,
                        [this](const std::string& arguments) { return command(arguments); });
  InjectedTallies sound{};
  run.judge(sound);
  InjectedTallies damaged_tallies{};
  for (const unsigned times : {10U, 60U})
    run.judge(rebuilt(damaged(capture, times)), damaged_tallies);
  std::vector<std::string> lacks;
  for (size_t i = 0; i < kInjectedCauses; ++i) {
    const InjectedTally& one = sound.at(i);
    if (run.times(i) == 0) {
      lacks.emplace_back(InjectedRun::name_of(i));
      continue;
    }
    EXPECT_GE(one.right, 20U) << InjectedRun::name_of(i);
    EXPECT_EQ(one.not_judged, 0U) << InjectedRun::name_of(i);
    const InjectedTally& other = damaged_tallies.at(i);
    std::printf(
        "%-22s right %u, unknown %u, wrong %u; damaged: right %u, unknown %u, open %u, wrong %u\n",
        InjectedRun::name_of(i), one.right, one.unknown, one.wrong, other.right, other.unknown,
        other.open, other.wrong);
  }
  EXPECT_EQ(lacks, kernel.lacks);
  const InjectedTally all = sum_of(sound);
  EXPECT_GE(20 * all.right, 19 * all.injected());
  EXPECT_EQ(all.wrong, 0U);
  const InjectedTally damaged_all = sum_of(damaged_tallies);
  EXPECT_GT(damaged_all.right, 0U);
  EXPECT_EQ(damaged_all.wrong, 0U);
  EXPECT_GT(damaged_all.unknown_ticks, 2 * all.unknown_ticks);
}

const std::vector<std::string> kOfSeveralCpus = {"affinity", "late wakeup"};
INSTANTIATE_TEST_SUITE_P(Captures, InjectedKernels,
                         ::testing::ValuesIn(std::vector<Kernel>{
                             {"freertos", {"device", "device", "tick"}, kOfSeveralCpus},
                             {"freertos_smp", {"device", "device", "tick"}, {}},
                             {"threadx", {"device", "device", "tick"}, kOfSeveralCpus},
                             {"lk", {"interrupt", "interrupt", "tick"}, {}},
                             {"nuttx", {"interrupt", "interrupt", "tick"}, kOfSeveralCpus},
                         }),
                         [](const auto& kernel) { return std::string(kernel.param.name); });

}  // namespace
}  // namespace barefxt::test::injected_kernels_test
