// `barefxt doctor` as scripts see it: exit statuses, what goes where, and inputs of all kinds.
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../memory_builder.h"
#include "sound_capture.h"

namespace barefxt::test::doctor_command_test {
namespace {

struct Ran {
  int status = -1;
  std::string output;
};

class DoctorCommand : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "barefxt-doctor-XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
    write("good", binary_form(sound_capture().frames()));
    TestCapture silent = sound_capture();
    std::erase_if(silent.pieces, [](const TestPiece& piece) { return piece.cpu == 1; });
    write("silent", binary_form(silent.frames()));
    write("empty", {});
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return folder_ / name; }
  void write(const std::string& name, const Bytes& bytes) const {
    std::ofstream file(path(name), std::ios::binary);
    file.write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
  }

  // In a shell; what it keeps is standard output.
  static Ran run(const std::string& arguments) {
    const std::string line = "'" BAREFXT_COMMAND "' doctor " + arguments;
    std::FILE* pipe = ::popen(line.c_str(), "r");  // NOLINT(cert-env33-c)
    Ran ran;
    std::array<char, 4096> buffer;
    for (size_t got = 0; (got = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0;)
      ran.output.append(buffer.data(), got);
    const int status = ::pclose(pipe);
    ran.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return ran;
  }

  std::filesystem::path folder_;
};

TEST_F(DoctorCommand, SaysSoWhereItFindsNothing) {
  const Ran ran = run(path("good"));
  EXPECT_EQ(ran.status, 0);
  EXPECT_EQ(ran.output,
            "capture 0x0badcafe of test: 448 records of 2 CPUs in 17 frames\nno fault found\n");
  EXPECT_EQ(run("- <" + path("good")).output, ran.output);
  const Ran json = run(path("good") + " --json");
  EXPECT_EQ(json.status, 0);
  EXPECT_EQ(json.output, "");
}

TEST_F(DoctorCommand, SaysWhereWhatAndHowToMend) {
  const Ran ran = run(path("silent"));
  EXPECT_EQ(ran.status, 1);
  EXPECT_EQ(ran.output.rfind("capture 0x0badcafe, cpu 1: it recorded nothing, and 1 other 224 "
                             "records [cpu-silent]\n  is it running, ",
                             0),
            0u)
      << ran.output;
  EXPECT_EQ(ran.output.find("no fault"), std::string::npos);

  const Ran json = run(path("silent") + " --json");
  EXPECT_EQ(json.status, 1);
  EXPECT_EQ(json.output.rfind(R"({"check":"cpu-silent","where":"capture 0x0badcafe, cpu 1",)"
                              R"("what":"it recorded nothing, and 1 other 224 records","mend":")",
                              0),
            0u)
      << json.output;
  EXPECT_EQ(std::count(json.output.begin(), json.output.end(), '\n'), 1);
}

TEST_F(DoctorCommand, TakesAnEmptyInputForAFault) {
  const Ran ran = run(path("empty"));
  EXPECT_EQ(ran.status, 1);
  EXPECT_NE(ran.output.find("[nothing-arrived]"), std::string::npos);
}

TEST_F(DoctorCommand, LooksAtCapturesTogether) {
  // A capture and its rest in another file are one; of two captures each is looked at.
  TestCapture other = sound_capture();
  other.id = 7;
  other.start_ticks -= 1;
  other.unfinished_records = 1;
  write("other", binary_form(other.frames()));
  const Ran ran = run(path("good") + " " + path("other"));
  EXPECT_EQ(ran.status, 1);
  EXPECT_NE(ran.output.find("capture 0x00000007: 2 records begun"), std::string::npos)
      << ran.output;
  EXPECT_NE(ran.output.find("capture 0x0badcafe of test: 448 records"), std::string::npos);
}

TEST_F(DoctorCommand, LooksAtImagesOfMemory) {
  // Of a capture whose switches do not chain.
  const TestMemory memory = TestMemory::of(two_cpu_capture());
  write("core", make_elf({{memory.base, memory.base, memory.image()}}));
  const Ran core = run(path("core") + " 2>/dev/null");
  EXPECT_EQ(core.status, 1);
  EXPECT_NE(core.output.find("[switches-missing]"), std::string::npos) << core.output;
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
