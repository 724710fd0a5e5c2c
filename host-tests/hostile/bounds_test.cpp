// Memory and disk stay bounded for inputs of any length and with any claims.
#include <functional>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <barefxt/host/archive_writer.h>

#include "archive/memory_archive.h"
#include "build_kind.h"
#include "hostile/function_elf.h"
#include "hostile/mutations.h"
#include "hostile/shell.h"
#include "speed/sample_archive.h"

namespace barefxt::test::bounds_test {
namespace {

constexpr size_t kMegabyte = size_t{1} << 20;

size_t big() { return (kSanitized ? 16 : is_full_run() ? 2048 : 112) * kMegabyte; }

class Bounds : public Shell {
 protected:
  // Writes `begin`, then one byte many times, packed by gzip.
  void write_packed(const std::string& name, const std::string& begin, char byte,
                    size_t count) const {
    gzFile file = gzopen(path(name).c_str(), "wb1");
    ASSERT_NE(file, nullptr);
    gzwrite(file, begin.data(), static_cast<unsigned>(begin.size()));
    const std::string piece(kMegabyte, byte);
    for (size_t at = 0; at < count; at += piece.size())
      gzwrite(file, piece.data(), static_cast<unsigned>(piece.size()));
    gzclose(file);
  }
  void expect_little(const std::string& line, long most_kilobytes = 100'000) {
    const int status = run("timeout 300 BAREFXT " + line);
    EXPECT_LT(status, 5) << line << messages();
    // Sanitizers take memory of their own.
    if (!kSanitized) {
      EXPECT_LT(kilobytes(), most_kilobytes) << line;
    }
  }
};

TEST_F(Bounds, OfStretchesThatCannotBeRead) {
  const std::string good = sample(Mix::kDemo, 1 << 16).archive(1);
  for (const char byte : {'\0', '\xff'}) {
    // The word of ones keeps zeros behind it from passing for room that was never written to: a
    // tail that begins with something else is damage, and is searched.
    write_packed("bad.gz", good + std::string(8, '\xff'), byte, byte == 0 ? big() : big() / 16);
    for (const char* line :
         {"print bad.gz", "stats bad.gz", "lint bad.gz", "rebuild bad.gz -o out", "doctor bad.gz",
          "convert bad.gz --to perfetto -o out", "report bad.gz -o out"})
      expect_little(line);
  }
  write_packed("zeros.gz", {}, '\0', big());
  for (const char* line : {"print zeros.gz", "lint zeros.gz", "stats zeros.gz", "doctor zeros.gz"})
    expect_little(line);
}

TEST_F(Bounds, OfALargeProgram) {
  const std::string names("\0__cyg_profile_func_enter\0f\0", 28);
  const Bytes program = function_elf(names, {{1, 0x1000}, {26, 0x1010}});
  write("elf", program);
  ASSERT_EQ(::truncate(path("elf").c_str(), static_cast<off_t>(big())), 0);
  expect_little("convert elf --to xray-elf -o out");
  struct stat status{};
  ASSERT_EQ(::stat(path("out").c_str(), &status), 0);
  EXPECT_GT(static_cast<size_t>(status.st_size), big());
}

TEST_F(Bounds, OfWhatIsUnpacked) {
  const std::string good = sample(Mix::kDemo, 1 << 16).archive(1);
  write_packed("bomb.gz", good, '\0', 4 * kMegabyte);
  for (const char* line :
       {"print bomb.gz", "stats bomb.gz", "lint bomb.gz", "rebuild bomb.gz -o out",
        "doctor bomb.gz", "convert bomb.gz --to fxt -o out", "print - <bomb.gz",
        "report bomb.gz -o out"}) {
    EXPECT_EQ(run("BAREFXT " + std::string(line) + " --max-unpacked 3000000"), 2) << line;
    EXPECT_TRUE(contains(messages(), "unpacks to more than 3000000 bytes"));
    EXPECT_NE(run("BAREFXT " + std::string(line) + " --max-unpacked 5000000"), 2)
        << line << messages();
  }
}

// Zstandard packs 4 MB of zeros into some 200 bytes, and a frame may ask for any memory.
TEST_F(Bounds, OfWhatZstandardUnpacks) {
  const std::string good = sample(Mix::kDemo, 1 << 16).archive(1);
  Bytes bytes(good.begin(), good.end());
  bytes.resize(bytes.size() + 4 * kMegabyte);
  write("bomb.zst", packed_by_zstd(bytes));
  // A window of 1 GiB for a block of 100 bytes that are all the same.
  constexpr unsigned kLastRun = 3;
  ByteBuilder window;
  window.u32(0xfd2fb528).u8(0).u8((30 - 10) << 3);
  window.u16(kLastRun | 100 << 3).u8(0).u8('x');
  write("window.zst", window.bytes());
  for (const char* line :
       {"print ", "stats ", "lint ", "doctor ", "rebuild -o out ", "report -o out "}) {
    const std::string bomb = "BAREFXT " + std::string(line) + "bomb.zst --max-unpacked ";
    EXPECT_EQ(run(bomb + "3000000"), 2) << line;
    EXPECT_TRUE(contains(messages(), "unpacks to more than 3000000 bytes"));
    EXPECT_NE(run(bomb + "5000000"), 2) << line << messages();
    expect_little(line + std::string("bomb.zst"));
    EXPECT_NE(run("BAREFXT " + std::string(line) + "window.zst"), 0) << line;
    EXPECT_TRUE(contains(messages(), "memory"));
    expect_little(line + std::string("window.zst"));
  }
}

// Bombs in many members that end at once.
TEST_F(Bounds, OfManyMembers) {
  for (const auto pack : {packed_by_gzip, packed_by_zstd}) {
    const Bytes member = pack({});
    Bytes many = pack({1, 2, 3});
    while (many.size() < 2 * kMegabyte) many.insert(many.end(), member.begin(), member.end());
    write("many", many);
    expect_little("print many");
    EXPECT_LT(seconds(), 20);
  }
}

TEST_F(Bounds, WithoutRoomToUnpackItSaysWhatToDo) {
  write_packed("zeros.gz", {}, '\0', 4 * kMegabyte);
  EXPECT_EQ(run("ulimit -f 2048; BAREFXT print zeros.gz"), 2);
  EXPECT_TRUE(contains(messages(), "set TMPDIR"));
}

// Long names: each its own, one of very many things, one on very many CPUs.
TEST_F(Bounds, OfLongNames) {
  using host::ArchiveText;
  using Type = fxt::EventType;
  using Fill = std::function<void(host::ArchiveWriter&, size_t)>;
  const size_t count = kSanitized ? 200 : 5'000;
  const std::string long_text(10'000, 'n');
  const ArchiveText name = ArchiveText::indexed(1);
  const auto event = [&](host::ArchiveWriter& to, Type type, size_t i, ArchiveText category,
                         uint64_t trailing = 0) {
    const std::array arguments = {host::ArchiveArgument::uint64(name, i),
                                  host::ArchiveArgument::pointer(name, i)};
    (void)to.event({.type = type,
                    .timestamp = 10 * i,
                    .thread = {.process = 7, .thread = i},
                    .category = category,
                    .name = name,
                    .trailing_word = trailing},
                   arguments);
  };
  const Fill of_all_kinds = [&](host::ArchiveWriter& to, size_t i) {
    (void)to.kernel_object(i, fxt::KernelObjectType::kThread, name, {});
    event(to, Type::kDurationComplete, i, name, 10 * i + 5);
    event(to, Type::kDurationComplete, i, ArchiveText::indexed(2), 10 * i + 5);
    for (const Type type : {Type::kCounter, Type::kFlowBegin, Type::kAsyncBegin})
      event(to, type, i, name, i);
    to.blob(name, fxt::BlobType::kData, "payload");
  };
  const std::pair<const char*, Fill> archives[] = {{"each",
                                                    [&](host::ArchiveWriter& to, size_t i) {
                                                      to.string(1, std::to_string(i) + long_text);
                                                      of_all_kinds(to, i);
                                                    }},
                                                   {"one", of_all_kinds},
                                                   {"cpus", [&](host::ArchiveWriter& to, size_t i) {
                                                      (void)to.kernel_object(
                                                          i, fxt::KernelObjectType::kThread,
                                                          text("cpu-" + std::to_string(i)), {});
                                                      event(to, Type::kDurationBegin, i, name);
                                                      event(to, Type::kDurationEnd, i, name);
                                                    }}};
  for (const auto& [archive, fill] : archives) {
    FileSink sink(path(archive));
    host::ArchiveWriter writer(sink, host::ByteOrder::kLittle);
    writer.magic_number();
    writer.initialization(1'000'000'000);
    writer.string(1, long_text);
    writer.string(2, "lock");
    for (size_t i = 0; i < count; ++i) fill(writer, i);
    ASSERT_TRUE(writer.flush().ok());
  }
  std::vector<std::string> lines = {"stats @ >/dev/null",
                                    "convert @ --to perfetto -o - >/dev/null"};
  if (is_full_run())
    for (const char* line :
         {"report @ -o - >/dev/null", "print @ >/dev/null", "stats --json @ >/dev/null",
          "stats --csv @ >/dev/null", "lint @ >/dev/null", "convert @ --to fxt -o - >/dev/null",
          "convert @ --to chrome-json -o - >/dev/null", "convert @ --to parquet -o - >/dev/null"})
      lines.emplace_back(line);
  for (const auto& [archive, fill] : archives)
    for (std::string line : lines) {
      line.replace(line.find('@'), 1, archive);
      SCOPED_TRACE(line);
      // The bounds of each kind of names, together; a page holds 256 MiB of text, and is made of
      // it.
      expect_little(line, line.starts_with("report") ? 1'000'000 : 140'000);
    }
}

// Interrupts on very many CPUs, none of which ever switches threads, which would prove their ends.
TEST_F(Bounds, OfInterruptsOnManyCpus) {
  constexpr uint64_t kCpus = 4096;
  constexpr uint64_t kCpusProcess = 0x7e000000;
  constexpr uint64_t kFirstCpu = 0x7f000000;
  const uint64_t count = kSanitized ? 4'000 : 1'600'000;
  {
    FileSink sink(path("interrupts"));
    host::ArchiveWriter writer(sink, host::ByteOrder::kLittle);
    writer.magic_number();
    writer.initialization(1'000'000'000);
    writer.string(1, "irq");
    for (uint64_t cpu = 0; cpu < kCpus; ++cpu)
      (void)writer.kernel_object(kFirstCpu + cpu, fxt::KernelObjectType::kThread,
                                 text("cpu-" + std::to_string(cpu)), {});
    for (uint64_t i = 0; i < count; ++i)
      (void)writer.event({.type = fxt::EventType::kDurationComplete,
                          .timestamp = 10 * i,
                          .thread = {.process = kCpusProcess, .thread = kFirstCpu + i % kCpus},
                          .category = host::ArchiveText::indexed(1),
                          .name = host::ArchiveText::indexed(1),
                          .trailing_word = 10 * i + 5},
                         {});
    ASSERT_TRUE(writer.flush().ok());
  }
  expect_little("explain interrupts", 65'000);
}

// Flows that never end, each of which has long names.
TEST_F(Bounds, OfOpenFlows) {
  using host::ArchiveText;
  const size_t count = kSanitized ? 200 : 3'000;
  FileSink sink(path("flows"));
  host::ArchiveWriter writer(sink, host::ByteOrder::kLittle);
  writer.magic_number();
  writer.initialization(1'000'000'000);
  writer.string(1, std::string(30'000, 'n'));
  const auto event = [&](fxt::EventType type, uint64_t time, uint64_t trailing) {
    (void)writer.event({.type = type,
                        .timestamp = time,
                        .thread = {.process = 7, .thread = 70},
                        .category = ArchiveText::indexed(1),
                        .name = ArchiveText::indexed(1),
                        .trailing_word = trailing},
                       {});
  };
  for (size_t i = 0; i < count; ++i) {
    event(fxt::EventType::kFlowBegin, 10 * i + 1, i);
    event(fxt::EventType::kDurationComplete, 10 * i, 10 * i + 5);
  }
  ASSERT_TRUE(writer.flush().ok());
  expect_little("convert flows --to chrome-json -o - >/dev/null", 60'000);
}

// Threads that nested deep once, one after another, each of which still has a duration open; then
// as many with durations that are over.
TEST_F(Bounds, OfThreadsThatNested) {
  const size_t threads = kSanitized ? 4 : is_full_run() ? 4'000 : 400;
  constexpr size_t kDepth = 4'000;
  FileSink sink(path("threads"));
  host::ArchiveWriter writer(sink, host::ByteOrder::kLittle);
  writer.magic_number();
  writer.initialization(1'000'000'000);
  uint64_t now = 0;
  const auto event = [&](fxt::EventType type, const host::ArchiveThread& thread,
                         uint64_t trailing = 0) {
    add_event(writer, type, ++now, thread, "c", "n", trailing);
  };
  for (size_t i = 0; i < threads; ++i) {
    writer.thread(1, 7, 70 + i);
    const host::ArchiveThread thread{.index = 1, .process = 7, .thread = 70 + i};
    for (size_t j = 0; j < kDepth; ++j) event(fxt::EventType::kDurationBegin, thread);
    for (size_t j = 1; j < kDepth; ++j) event(fxt::EventType::kDurationEnd, thread);
  }
  for (size_t i = 0; i < 100 * threads; ++i)
    event(fxt::EventType::kDurationComplete, {.process = 8, .thread = 1'000'000 + i}, now + 1);
  ASSERT_TRUE(writer.flush().ok());
  for (const char* to : {"chrome-json", "perfetto"})
    expect_little("convert threads -o - >/dev/null --to " + std::string(to), 60'000);
}

// A temporary folder that cannot be written is passed over.
TEST_F(Bounds, StandardInputFindsAFolder) {
  write("in.fxt", sample(Mix::kDemo, 1 << 12).archive(1));
  EXPECT_EQ(run("TMPDIR=/nowhere BAREFXT print - <in.fxt"), 0) << messages();
  EXPECT_EQ(run("TMPDIR=/proc BAREFXT convert in.fxt --to fxt -o - >out"), 0) << messages();
}

}  // namespace
}  // namespace barefxt::test::bounds_test
