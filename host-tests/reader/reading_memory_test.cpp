// Reading takes no more memory for a larger archive, for each verb.
#include <array>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <string_view>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>
#include <zlib.h>
#include <zstd.h>

#include <barefxt/host/archive_writer.h>

#include "archive/memory_sink.h"
#include "build_kind.h"
#include "capture/start_program.h"
#include "stats/busy_archive.h"

namespace barefxt::test::reading_memory_test {
namespace {

namespace files = std::filesystem;

struct CommandResult {
  uint64_t peak;  // of resident memory, in bytes
  int status;
};

// Runs the command with its output thrown away.
CommandResult run(const std::vector<std::string>& words) {
  const pid_t child = Spawn().opens(STDOUT_FILENO, "/dev/null", O_WRONLY).start(words);
  int status = 0;
  rusage usage{};
  EXPECT_EQ(::wait4(child, &status, 0, &usage), child);
  EXPECT_TRUE(WIFEXITED(status));
  // Findings of lint are no failure, nor is what statistics leave out for want of room.
  const int exit_status = WEXITSTATUS(status);
  EXPECT_TRUE(exit_status == 0 || exit_status == 1 || exit_status == 3) << exit_status;
  return {peak_of(usage), exit_status};
}

// Three times the records, in a folder where what is made of them goes, too.
class LargerArchive : public ::testing::Test {
 protected:
  static constexpr uint64_t kRecords = 300'000;
  static constexpr unsigned kTimes = 3;
  // Some pages come and go with the system's mood. 7 bytes kept of each further record are more.
  static constexpr double kSame = 1.1;
  static constexpr double kPages = 4 << 20;

  void SetUp() override {
    if (kSanitized) GTEST_SKIP() << "the sanitizer's own memory would count";
    std::string folder = ::testing::TempDir() + "barefxt-memory-XXXXXX";
    ASSERT_NE(::mkdtemp(folder.data()), nullptr);
    folder_ = folder;
  }
  void TearDown() override {
    if (!folder_.empty()) files::remove_all(folder_);
  }

  std::string path(const std::string& name) const { return folder_ / name; }
  // Bytes of a file, piece by piece: what the test itself held would count as the command's.
  template <typename See>
  static void each_piece(const std::string& file, const See& see) {
    std::ifstream stream(file, std::ios::binary);
    std::array<char, 65536> piece;
    while (stream.read(piece.data(), piece.size()) || stream.gcount() > 0)
      see(std::string_view(piece.data(), static_cast<size_t>(stream.gcount())));
  }

  // Runs `verb FILE` and the other arguments, for one file and the larger one.
  void takes_no_more(const std::vector<std::string>& words, const std::string& smaller,
                     const std::string& larger, int status = 0) const {
    std::array<double, 2> peaks{};
    std::string what;
    for (const std::string& word : words) what += word + " ";
    for (size_t i = 0; i < peaks.size(); ++i) {
      std::vector<std::string> arguments = {BAREFXT_COMMAND, words.front(),
                                            i == 0 ? smaller : larger};
      arguments.insert(arguments.end(), words.begin() + 1, words.end());
      if (words.front() == "convert" || words.front() == "report")
        arguments.insert(arguments.end(), {"-o", path("out")});
      const CommandResult result = run(arguments);
      EXPECT_EQ(result.status, status) << what;
      peaks[i] = static_cast<double>(result.peak);
      files::remove_all(path("out"));
    }
    std::printf("%-28s %6.1f MB, %6.1f MB\n", what.c_str(), peaks[0] / 1e6, peaks[1] / 1e6);
    EXPECT_LT(peaks[1], kSame * peaks[0] + kPages) << what;
  }

  files::path folder_;
};

TEST_F(LargerArchive, TakesNoMoreMemoryToReadAndConvert) {
  const BusyArchive smaller(kRecords);
  const BusyArchive larger(kTimes * kRecords);
  takes_no_more({"print", "--json"}, smaller.path(), larger.path());
  for (const char* verb : {"stats", "explain"})
    takes_no_more({verb}, smaller.path(), larger.path());
  for (const char* format : {"perfetto", "ctf", "parquet", "fxt", "chrome-json"})
    takes_no_more({"convert", "--to", format}, smaller.path(), larger.path());
}

// Copies one after another: out of order, and with their names registered again and again.
TEST_F(LargerArchive, TakesNoMoreMemoryOutOfOrder) {
  const BusyArchive one(kRecords / 2);
  for (const unsigned copies : {3, 9}) {
    std::ofstream file(path(std::to_string(copies)), std::ios::binary);
    for (unsigned i = 0; i < copies; ++i)
      each_piece(one.path(), [&](std::string_view piece) { file << piece; });
  }
  takes_no_more({"stats"}, path("3"), path("9"));
  for (const char* format : {"perfetto", "ctf", "parquet"})
    takes_no_more({"convert", "--to", format}, path("3"), path("9"));
  // Some ends come before their begins, which this format has no place for.
  takes_no_more({"convert", "--to", "chrome-json"}, path("3"), path("9"), 3);
}

void pack_by_gzip(const std::string& path, const auto& each_piece) {
  gzFile file = ::gzopen(path.c_str(), "wb1");
  ASSERT_NE(file, nullptr);
  each_piece([&](std::string_view piece) {
    EXPECT_EQ(::gzwrite(file, piece.data(), static_cast<unsigned>(piece.size())),
              static_cast<int>(piece.size()));
  });
  EXPECT_EQ(::gzclose(file), Z_OK);
}

// Makes a frame of each piece; unpacked, they are one archive.
void pack_by_zstd(const std::string& path, const auto& each_piece) {
  std::ofstream file(path, std::ios::binary);
  each_piece([&](std::string_view piece) {
    std::string packed(ZSTD_compressBound(piece.size()), '\0');
    packed.resize(ZSTD_compress(packed.data(), packed.size(), piece.data(), piece.size(), 1));
    file << packed;
  });
}

TEST_F(LargerArchive, TakesNoMoreMemoryWherePacked) {
  for (const unsigned times : {1U, kTimes}) {
    const BusyArchive archive(times * kRecords);
    const auto each = [&](const auto& see) { each_piece(archive.path(), see); };
    pack_by_gzip(path(std::to_string(times) + ".gz"), each);
    pack_by_zstd(path(std::to_string(times) + ".zst"), each);
  }
  for (const std::string packing : {".gz", ".zst"})
    takes_no_more({"stats"}, path("1" + packing), path(std::to_string(kTimes) + packing));
}

// So many calls of main, a few by one of four threads, then by the next.
void write_calls(const std::string& path, uint64_t calls) {
  using host::ArchiveText;
  FileSink sink(path);
  host::ArchiveWriter writer(sink, host::ByteOrder::kLittle);
  writer.magic_number();
  writer.initialization(1'000'000'000);
  writer.string(1, "function");
  writer.string(2, "main");
  constexpr uint8_t kThreads = 4;
  for (unsigned i = 1; i <= kThreads; ++i) writer.thread(i, 7, 100 + i);
  uint64_t now = 0;
  for (uint64_t call = 0; call < calls; ++call) {
    const auto thread = static_cast<uint8_t>(1 + call / 7 % kThreads);
    for (const auto type : {fxt::EventType::kDurationBegin, fxt::EventType::kDurationEnd})
      (void)writer.event({.type = type,
                          .timestamp = now += 17,
                          .thread = {thread, 0, 0},
                          .category = ArchiveText::indexed(1),
                          .name = ArchiveText::indexed(2),
                          .trailing_word = 0},
                         {});
  }
  (void)writer.flush();
}

TEST_F(LargerArchive, TakesNoMoreMemoryForCallsAndTheirLogs) {
  EXPECT_EQ(run({BAREFXT_COMMAND, "convert", BAREFXT_COMMAND, "--to", "xray-elf", "-o",
                 path("mapped.elf")})
                .status,
            0);
  for (const unsigned times : {1U, kTimes}) {
    const std::string name = path(std::to_string(times));
    write_calls(name + ".fxt", times * kRecords);
    EXPECT_EQ(run({BAREFXT_COMMAND, "convert", name + ".fxt", "--to", "fdr", "--elf",
                   path("mapped.elf"), "-o", name + ".fdr"})
                  .status,
              0);
  }
  const std::string larger = path(std::to_string(kTimes));
  takes_no_more({"convert", "--to", "fdr", "--elf", path("mapped.elf")}, path("1.fxt"),
                larger + ".fxt");
  for (const char* format : {"fdr", "fxt"})
    takes_no_more({"convert", "--to", format}, path("1.fdr"), larger + ".fdr");
}

// So many instants, each on a thread and in a process that no other is of.
void write_threads(const std::string& path, uint64_t threads) {
  using host::ArchiveText;
  FileSink sink(path);
  host::ArchiveWriter writer(sink, host::ByteOrder::kLittle);
  writer.magic_number();
  writer.initialization(1'000'000'000);
  writer.string(1, "seen");
  for (uint64_t i = 1; i <= threads; ++i)
    (void)writer.event({.type = fxt::EventType::kInstant,
                        .timestamp = i,
                        .thread = {0, 2 * i, 2 * i + 1},
                        .category = ArchiveText::indexed(1),
                        .name = ArchiveText::indexed(1),
                        .trailing_word = 0},
                       {});
  (void)writer.flush();
}

// Threads beyond the limit are left out, with a message.
TEST_F(LargerArchive, TakesNoMoreMemoryForThreadsWithoutEnd) {
  constexpr uint64_t kMoreThanHavePlaces = 250'000;
  write_threads(path("some"), kMoreThanHavePlaces);
  write_threads(path("many"), kTimes * kMoreThanHavePlaces);
  for (const char* format : {"perfetto", "chrome-json"})
    takes_no_more({"convert", "--to", format}, path("some"), path("many"), 3);
  for (const char* format : {"ctf", "parquet"})
    takes_no_more({"convert", "--to", format}, path("some"), path("many"));
}

// lint keeps up to 4 million events, to find those that go back in time. Its findings are status 1.
TEST_F(LargerArchive, TakesNoMoreMemoryToLint) {
  constexpr uint64_t kMoreThanIsKept = 9'000'000;
  const BusyArchive smaller(kMoreThanIsKept);
  const BusyArchive larger(kMoreThanIsKept * 4 / 3);
  takes_no_more({"lint"}, smaller.path(), larger.path(), 1);
}

// The archive has more than can be drawn, so only its beginning is.
TEST_F(LargerArchive, TakesNoMoreMemoryToDraw) {
  constexpr uint64_t kMoreThanIsDrawn = 5'000'000;
  const BusyArchive smaller(kMoreThanIsDrawn);
  const BusyArchive larger(kMoreThanIsDrawn * 3 / 2);
  takes_no_more({"report"}, smaller.path(), larger.path(), 3);
}

}  // namespace
}  // namespace barefxt::test::reading_memory_test
