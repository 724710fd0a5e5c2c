// A day of a stream takes no more memory than its first minutes.
#include <chrono>
#include <fcntl.h>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "build_kind.h"
#include "capture/start_program.h"
#include "top/endless_stream.h"

namespace barefxt::test::day_test {
namespace {

// Kilobytes that were resident at most, of a program that runs.
uint64_t peak_of_running(pid_t process) {
  std::ifstream status("/proc/" + std::to_string(process) + "/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmHWM:")) return std::stoull(line.substr(6));
  return 0;
}

// The first report takes memory of its own, and comes by the clock of the wall.
void await_first_line(const std::string& path) {
  for (unsigned i = 0; i < 1000; ++i) {
    std::ifstream lines(path);
    if (std::string line; std::getline(lines, line) && !lines.eof()) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  ADD_FAILURE() << "no report";
}

TEST(LiveDay, TakesTheMemoryOfItsFirstMinutes) {
  if (kSanitized) GTEST_SKIP() << "the sanitizer's own memory would count";
  const bool is_full = std::getenv("BAREFXT_FULL") != nullptr;
  constexpr uint64_t kDay = 24 * 3600;
  const uint64_t seconds = is_full ? kDay : kDay / 24;
  std::string folder = testing::TempDir() + "barefxt-day-XXXXXX";
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  for (const bool writes : {false, true}) {
    std::array<int, 2> ends{};
    ASSERT_EQ(pipe2(ends.data(), O_CLOEXEC), 0);
    std::vector<std::string> words = {BAREFXT_COMMAND, "top", "-", "--batch", "--interval", "0.2"};
    if (writes) words.insert(words.end(), {"-o", folder + "/out.fxt"});
    const pid_t child = Spawn()
                            .takes(STDIN_FILENO, ends[0])
                            .opens(STDOUT_FILENO, folder + "/lines", O_WRONLY | O_CREAT | O_TRUNC)
                            .opens(STDERR_FILENO, "/dev/null", O_WRONLY)
                            .start(words);
    close(ends[0]);
    EndlessStream stream(true);
    const auto send = [&](const Bytes& bytes) {
      for (size_t at = 0; at < bytes.size();) {
        const ssize_t count = ::write(ends[1], bytes.data() + at, bytes.size() - at);
        ASSERT_GT(count, 0);
        at += static_cast<size_t>(count);
      }
    };
    send(stream.begin());
    uint64_t early = 0;
    for (uint64_t second = 0; second < seconds; second += 2) {
      send(stream.next(2 * EndlessStream::kTicksPerSecond));
      if (second != seconds / 6) continue;
      await_first_line(folder + "/lines");
      early = peak_of_running(child);
    }
    const uint64_t late = peak_of_running(child);
    close(ends[1]);
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status));
    std::printf("%llu h%s: %llu KiB after a sixth, %llu KiB after all\n",
                static_cast<unsigned long long>(seconds / 3600), writes ? " with an archive" : "",
                static_cast<unsigned long long>(early), static_cast<unsigned long long>(late));
    EXPECT_GT(early, 0u);
    constexpr uint64_t kMaxKilobytes = 64 * 1024;
    EXPECT_LE(late, kMaxKilobytes);
    // Frames are spooled to a file, whose pages count until they are given back.
    EXPECT_LE(late, early + (writes ? 32 * 1024 : 1024));
    // It saw all of it.
    std::ifstream lines(folder + "/lines");
    std::string last;
    for (std::string line; std::getline(lines, line);) last = line;
    const std::string key = "\"merge\":{\"target\":\"test\",\"seconds\":";
    const size_t at = last.find(key);
    ASSERT_NE(at, std::string::npos) << last.substr(0, 300);
    EXPECT_GT(std::stod(last.substr(at + key.size())), static_cast<double>(seconds) - 3);
  }
  std::system(("rm -rf " + folder).c_str());
}

}  // namespace
}  // namespace barefxt::test::day_test
