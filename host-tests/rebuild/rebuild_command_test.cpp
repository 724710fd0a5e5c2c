// `barefxt rebuild` as scripts see it: exit statuses, what is left behind, how much memory it
// takes.
#include <algorithm>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "build_kind.h"
#include "capture/start_program.h"
#include "capture_builder.h"
#include "contains.h"
#include "image/memory_builder.h"
#include "reader/plain_decoder.h"
#include "top/endless_stream.h"

namespace barefxt::test::rebuild_command_test {
namespace {

struct Outcome {
  int status = -1;
  long peak_kilobytes = 0;
  std::string error_text;
};

class RebuildCommand : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "barefxt-rebuild-XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return folder_ / name; }
  void write(const std::string& name, const Bytes& bytes) const {
    std::ofstream file(path(name), std::ios::binary | std::ios::app);
    file.write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
  }
  Bytes read(const std::string& name) const {
    std::ifstream file(path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  // Runs the command with these arguments, standard input and output from and to these files.
  Outcome run(std::vector<std::string> arguments, const std::string& input = "/dev/null",
              const std::string& output = "/dev/null") const {
    arguments.insert(arguments.begin(), {BAREFXT_COMMAND, "rebuild"});
    constexpr int kAnew = O_WRONLY | O_CREAT | O_TRUNC;
    const pid_t child = Spawn()
                            .opens(STDIN_FILENO, input, O_RDONLY)
                            .opens(STDOUT_FILENO, output, kAnew)
                            .opens(STDERR_FILENO, path("stderr"), kAnew)
                            .start(arguments);
    int status = 0;
    struct rusage usage{};
    EXPECT_EQ(wait4(child, &status, 0, &usage), child);
    EXPECT_TRUE(WIFEXITED(status));
    Outcome outcome;
    outcome.status = WEXITSTATUS(status);
    outcome.peak_kilobytes = usage.ru_maxrss;
    const Bytes text = read("stderr");
    outcome.error_text.assign(text.begin(), text.end());
    return outcome;
  }

  std::filesystem::path folder_;
};

TEST_F(RebuildCommand, SaysHowItWentByItsStatus) {
  const std::vector<Bytes> frames = two_cpu_capture().frames();
  write("whole", binary_form(frames));
  write("half", binary_form({frames.begin(), frames.begin() + 6}));
  write("nothing", ByteBuilder().raw("just a log\n").bytes());

  EXPECT_EQ(run({path("whole"), "-o", path("out")}).status, 0);
  const Bytes archive = read("out");
  EXPECT_EQ(decode_plainly(archive).problem_text(), "");

  const Outcome half = run({path("half"), "-o", path("half.fxt")});
  EXPECT_EQ(half.status, 3);
  EXPECT_TRUE(contains(half.error_text, "unknown"));
  EXPECT_EQ(decode_plainly(read("half.fxt")).problem_text(), "");

  EXPECT_EQ(run({path("nothing"), "-o", path("none.fxt")}).status, 4);
  EXPECT_FALSE(std::filesystem::exists(path("none.fxt")));
  EXPECT_EQ(run({path("nothing"), "-o", path("out")}).status, 4);
  EXPECT_EQ(read("out"), archive) << "an older output stays";

  EXPECT_EQ(run({path("missing"), "-o", path("out")}).status, 2);
  EXPECT_EQ(run({path("whole"), "-o", path("no/such/folder")}).status, 2);
  EXPECT_EQ(run({path("whole"), "-o", path("out"), "--output-byte-order", "middle"}).status, 2);
  EXPECT_EQ(run({path("whole")}).status, 2);
  EXPECT_EQ(read("out"), archive);
}

TEST_F(RebuildCommand, ReadsAndWritesStandardStreams) {
  write("whole", binary_form(two_cpu_capture().frames()));
  EXPECT_EQ(run({path("whole"), "-o", path("out")}).status, 0);
  EXPECT_EQ(run({"-", "-o", path("from-stdin")}, path("whole")).status, 0);
  EXPECT_EQ(read("from-stdin"), read("out"));
  EXPECT_EQ(run({path("whole"), "-o", "-"}, "/dev/null", path("to-stdout")).status, 0);
  EXPECT_EQ(read("to-stdout"), read("out"));
}

TEST_F(RebuildCommand, TakesManyInputsAndBothByteOrders) {
  TestCapture second = two_cpu_capture(1);
  second.id = 1;
  write("one", binary_form(two_cpu_capture().frames()));
  write("two", text_form(second.frames()));
  EXPECT_EQ(run({path("one"), path("two"), "-o", path("out"), "--output-byte-order", "big"}).status,
            0);
  const PlainArchive archive = decode_plainly(read("out"));
  EXPECT_EQ(archive.problem_text(), "");
  EXPECT_EQ(read("out").at(0), 0);
}

// A program that has the symbol, and nothing else.
Bytes program_of(const TestMemory& memory) {
  return make_elf({}, false, 64, {{"barefxt_descriptor", memory.base + TestMemory::kDescriptor}},
                  false);
}

TEST_F(RebuildCommand, DistinguishesImagesOfMemoryFromOtherInputs) {
  const TestMemory memory = TestMemory::of(two_cpu_capture());
  write("ram", memory.image());
  write("core", make_elf({{memory.base, memory.base, memory.image()}}));
  write("kernel.elf", program_of(memory));
  // Some loaders leave the program's header at the beginning of memory.
  const Bytes program = program_of(memory);
  Bytes loaded = memory.image();
  std::copy_n(program.begin(), 64, loaded.begin());
  write("loaded", loaded);
  const std::string out = path("out");
  EXPECT_EQ(run({path("ram"), "--base", "0x40000000", "-o", out}).status, 0);
  const Bytes archive = read("out");
  EXPECT_EQ(decode_plainly(archive).problem_text(), "");
  for (const std::vector<std::string>& inputs : {std::vector{path("core")},
                                                 {path("ram"), "--elf", path("kernel.elf")},
                                                 {"--base", "1073741824", path("ram")},
                                                 {path("loaded"), "--base", "0x40000000"},
                                                 {path("loaded"), "--elf", path("kernel.elf")},
                                                 {"-", "--base", "0x40000000"}}) {
    std::vector<std::string> arguments = inputs;
    arguments.insert(arguments.end(), {"-o", out});
    const Outcome outcome = run(arguments, path("ram"));
    EXPECT_EQ(outcome.status, 0) << outcome.error_text;
    EXPECT_TRUE(read("out") == archive);
  }

  // The line and the memory of one target, and two images of it: each gives what it has.
  write("uart", binary_form(two_cpu_capture().frames()));
  for (const std::string& last : {path("uart"), path("core")}) {
    const Outcome both = run({path("ram"), last, "--elf", path("kernel.elf"), "-o", out});
    EXPECT_EQ(both.status, 0) << both.error_text;
    const PlainArchive two = decode_plainly(read("out"));
    EXPECT_EQ(two.problem_text(), "");
    EXPECT_EQ(two.events("tick").size(), 72u);
  }

  // One memory in two files.
  const Bytes image = memory.image();
  const auto cut = static_cast<ptrdiff_t>(TestMemory::kSegments);
  write("control", {image.begin(), image.begin() + cut});
  write("segments", {image.begin() + cut, image.end()});
  const Outcome parts = run({path("segments"), path("control"), "--base", "0x40001000", "--base",
                             "0x40000000", "-o", out});
  EXPECT_EQ(parts.status, 0) << parts.error_text;
  EXPECT_TRUE(read("out") == archive);
}

TEST_F(RebuildCommand, SaysHowItWentWithImagesOfMemory) {
  const TestMemory memory = TestMemory::of(two_cpu_capture());
  const Bytes image = memory.image();
  write("ram", image);
  write("cut", {image.begin(), image.begin() + static_cast<ptrdiff_t>(image.size() / 2 + 999)});
  write("kernel.elf", program_of(memory));
  write("broken.elf", {0x7f, 'E', 'L', 'F', 9});
  write("empty", Bytes(10000));
  const std::string out = path("out");
  const auto expect = [&](std::vector<std::string> arguments, int status,
                          const std::string& message) {
    arguments.insert(arguments.end(), {"-o", out});
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.status, status) << outcome.error_text;
    EXPECT_TRUE(contains(outcome.error_text, message));
    EXPECT_EQ(std::filesystem::exists(out), status == 3);
    std::filesystem::remove(out);
  };
  expect({path("cut"), "--base", "0x40000000"}, 3, "cpu 1: 4 segments not in the image");
  expect({path("ram"), "--base", "0x50000000"}, 4, "is the image's base address right");
  expect({path("empty"), "--base", "0"}, 4, "no trace in 10000 bytes of memory");
  expect({path("ram")}, 4, "name the program that ran with --elf");
  expect({path("broken.elf")}, 4, "an ELF file whose header is damaged");
  expect({path("kernel.elf")}, 4, "a program (ELF), no trace of barefxt. Hint: name it with --elf");
  expect({path("ram"), "--elf", path("ram")}, 2, "not an ELF file");
  expect({path("ram"), "--elf", path("none")}, 2, "cannot open");
  expect({path("ram"), "--base", "here"}, 2, "not an address: here");
  expect({path("ram"), "--base", "1", "--base", "2"}, 2, "give it once for each image");
}

TEST_F(RebuildCommand, TakesNoMoreMemoryForALargeImage) {
  if (kSanitized) GTEST_SKIP() << "the sanitizer's own memory would count";
  const TestMemory memory = TestMemory::of(two_cpu_capture());
  write("ram", memory.image());
  // Something in it, so that it is no hole.
  const std::vector<uint8_t> block(1 << 20, 0x61);
  for (int i = 0; i < 300; ++i) write("ram", block);
  const Outcome outcome = run({path("ram"), "--base", "0x40000000", "-o", path("out")});
  EXPECT_EQ(outcome.status, 0) << outcome.error_text;
  EXPECT_LT(outcome.peak_kilobytes, 100'000);
}

TEST_F(RebuildCommand, TakesNoMoreMemoryForALargeInput) {
  // Its shadow and its quarantine of freed blocks.
  if (kSanitized) GTEST_SKIP() << "the sanitizer's own memory would count";
  // Two hundred captures' worth of text and frames, all different.
  TestCapture capture = two_cpu_capture(400, 40);
  const size_t wanted = size_t{200} << 20;
  const Bytes text(100'000, 'x');
  size_t size = 0;
  while (size < wanted) {
    const Bytes coded = binary_form(capture.frames());
    write("large", coded);
    write("large", text);
    size += coded.size() + text.size();
    ++capture.id;
  }
  const Outcome outcome = run({path("large"), "-o", path("out")});
  EXPECT_EQ(outcome.status, 0) << outcome.error_text.substr(0, 1000);
  EXPECT_LT(outcome.peak_kilobytes, 100'000);
  EXPECT_GT(std::filesystem::file_size(path("out")), wanted / 2);
}

// The same of one capture.
TEST_F(RebuildCommand, TakesNoMoreMemoryForALongCapture) {
  if (kSanitized) GTEST_SKIP() << "the sanitizer's own memory would count";
  const size_t wanted = size_t{120} << 20;
  EndlessStream stream;
  write("long", stream.begin());
  size_t size = 0;
  while (size < wanted) {
    Bytes some;
    while (some.size() < wanted / 100) {
      const Bytes next = stream.next(2'000);
      some.insert(some.end(), next.begin(), next.end());
    }
    write("long", some);
    size += some.size();
  }
  const Outcome outcome = run({path("long"), "-o", path("out")});
  EXPECT_EQ(outcome.status, 3) << outcome.error_text.substr(0, 1000);
  EXPECT_LT(outcome.peak_kilobytes, 60'000);
  EXPECT_GT(std::filesystem::file_size(path("out")), wanted / 2);
}

}  // namespace
}  // namespace barefxt::test::rebuild_command_test
