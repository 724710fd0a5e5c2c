// An image whose strings stay in its file (BAREFXT_STRINGS_IN_ELF): the host names by the file what
// the kernel recorded, and by no other file.

#include <gtest/gtest.h>

#include "comparison.h"
#include "qemu.h"
#include "targets.h"

namespace barefxt::test {
namespace {

class StringsInElfTest : public ::testing::TestWithParam<Image> {};

bool is_linear(const Image& image) { return image.target == "m68k"; }

TEST_P(StringsInElfTest, TheArchiveSaysWhatTheKernelCountedByTheNamesOfItsFile) {
  const Image& image = GetParam();
  const Boot options = {.build = image.build,
                        .image = is_linear(image) ? "kernel_linear_strings" : "kernel_strings",
                        .arguments = is_linear(image) ? "ring=131072" : "seconds=1 dump=uart",
                        .counting = is_linear(image)};
  const Booted run = boot(options);
  const std::string console = read_file(run.uart);
  ASSERT_EQ(run.status, 0) << read_file(run.file("qemu.log")) << console.substr(0, 2000);
  const std::string archive = run.file("trace.fxt");
  const auto rebuild = [&](const std::string& program) {
    return barefxt("rebuild " + run.uart + program + " -o " + archive);
  };

  const Output without = rebuild("");
  EXPECT_EQ(without.status, 3);
  EXPECT_TRUE(contains(without.err, "strings in the program that ran, called `string#N`"));
  const Output other =
      rebuild(" --elf " + image_path(image.build, is_linear(image) ? "kernel_linear" : "kernel"));
  EXPECT_EQ(other.status, 3);
  EXPECT_TRUE(contains(other.err, "recorded by another build than --elf names"));

  const std::string program = " --elf " + image_path(image.build, options.image);
  const Output rebuilt = rebuild(program);
  ASSERT_EQ(rebuilt.status, 0) << rebuilt.err;
  const Tally tally = read_tally(console);
  EXPECT_EQ(tally.reported_lost, 0u);
  EXPECT_FALSE(tally.brackets.empty());
  const std::vector<std::string> differences = compare(tally, read_archive(archive));
  EXPECT_TRUE(differences.empty()) << join(differences);
  const Output doctor = barefxt("doctor " + run.uart + program);
  EXPECT_EQ(doctor.status, 0) << doctor.out << doctor.err;
}

BAREFXT_TEST_IMAGES(StringsInElfTest, Portion::kCosts,
                    {image_of_build("cortex-m3"), image_of_build("m68k"),
                     image_of_build("x86_64-clang")});

}  // namespace
}  // namespace barefxt::test
