// `barefxt doctor` as scripts see it: exit statuses, what goes where, and inputs of all kinds.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "hostile/shell.h"
#include "image/memory_builder.h"
#include "sound_capture.h"

namespace barefxt::test::doctor_command_test {
namespace {

struct CommandResult {
  int status = -1;
  std::string output;
};

class DoctorCommand : public Shell {
 protected:
  void SetUp() override {
    Shell::SetUp();
    write("good", binary_form(sound_capture().frames()));
    TestCapture silent = sound_capture();
    std::erase_if(silent.pieces, [](const TestPiece& piece) { return piece.cpu == 1; });
    write("silent", binary_form(silent.frames()));
    write("empty", "");
  }

  CommandResult run(const std::string& arguments) {
    const int status = Shell::run("BAREFXT doctor " + arguments);
    return {status, printed()};
  }
};

TEST_F(DoctorCommand, SaysSoWhereItFindsNothing) {
  const CommandResult result = run(path("good"));
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.output,
            "capture 0x0badcafe of test: 448 records of 2 CPUs in 17 frames\nno fault found\n");
  EXPECT_EQ(run("- <" + path("good")).output, result.output);
  const CommandResult json = run(path("good") + " --json");
  EXPECT_EQ(json.status, 0);
  EXPECT_EQ(json.output, "");
}

TEST_F(DoctorCommand, SaysWhereAndWhatWithAHint) {
  const CommandResult result = run(path("silent"));
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(result.output.rfind("capture 0x0badcafe, cpu 1: it recorded nothing, and 1 other 224 "
                                "records [cpu-silent]\n  is it running, ",
                                0),
            0u)
      << result.output;
  EXPECT_TRUE(lacks(result.output, "no fault"));

  const CommandResult json = run(path("silent") + " --json");
  EXPECT_EQ(json.status, 1);
  const auto finding = nlohmann::ordered_json::parse(json.output);
  std::string keys;
  for (const auto& item : finding.items()) keys += item.key() + " ";
  EXPECT_EQ(keys, "check where what hint mend ");
  EXPECT_EQ(finding["check"], "cpu-silent");
  EXPECT_EQ(finding["where"], "capture 0x0badcafe, cpu 1");
  EXPECT_EQ(finding["what"], "it recorded nothing, and 1 other 224 records");
  EXPECT_TRUE(finding["hint"].get<std::string>().starts_with("is it running, ")) << json.output;
  EXPECT_EQ(finding["mend"], finding["hint"]) << "scripts of version 0.1 read it";
  EXPECT_EQ(std::count(json.output.begin(), json.output.end(), '\n'), 1);
}

TEST_F(DoctorCommand, TakesAnEmptyInputForAFault) {
  const CommandResult result = run(path("empty"));
  EXPECT_EQ(result.status, 1);
  EXPECT_TRUE(contains(result.output, "[nothing-arrived]"));
}

TEST_F(DoctorCommand, LooksAtCapturesTogether) {
  // A capture and its rest in another file are one; of two captures each is looked at.
  TestCapture other = sound_capture();
  other.id = 7;
  other.start_ticks -= 1;
  other.unfinished_records = 1;
  write("other", binary_form(other.frames()));
  const CommandResult result = run(path("good") + " " + path("other"));
  EXPECT_EQ(result.status, 1);
  EXPECT_TRUE(contains(result.output, "capture 0x00000007: 2 records begun"));
  EXPECT_TRUE(contains(result.output, "capture 0x0badcafe of test: 448 records"));
}

TEST_F(DoctorCommand, LooksAtImagesOfMemory) {
  // This capture's switches do not chain.
  const TestMemory memory = TestMemory::of(two_cpu_capture());
  write("core", make_elf({{memory.base, memory.base, memory.image()}}));
  const CommandResult core = run(path("core") + " 2>/dev/null");
  EXPECT_EQ(core.status, 1);
  EXPECT_TRUE(contains(core.output, "[switches-missing]"));
  write("image", memory.image());
  EXPECT_EQ(run(path("image") + " --base 0x40000000 2>/dev/null").output, core.output);
}

TEST_F(DoctorCommand, RefusesWhatOtherVerbsRefuse) {
  EXPECT_EQ(run("2>/dev/null").status, 2);
  EXPECT_EQ(run("/nowhere/at/all 2>/dev/null").status, 2);
  EXPECT_EQ(run("/tmp 2>/dev/null").status, 2);
  EXPECT_EQ(run(path("good") + " --nonsense 2>/dev/null").status, 2);
  EXPECT_EQ(run(path("good") + " --elf /nowhere/at/all 2>/dev/null").status, 2);
  EXPECT_EQ(run(path("good") + " 2>/dev/null >/dev/full").status, 2);
}

}  // namespace
}  // namespace barefxt::test::doctor_command_test
