// Reading takes no more memory for a larger archive, whatever is done with it.
#include <array>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include "build_kind.h"
#include "speed/sample_file.h"

namespace barefxt::test {
namespace {

// Runs the command with its output thrown away; its peak of resident memory in bytes.
std::uint64_t peak_of(std::vector<std::string> arguments) {
  std::vector<char*> words;
  for (std::string& argument : arguments) words.push_back(argument.data());
  words.push_back(nullptr);
  const pid_t child = ::fork();
  if (child == 0) {
    const int nowhere = ::open("/dev/null", O_WRONLY);
    ::dup2(nowhere, STDOUT_FILENO);
    ::execv(words.front(), words.data());
    ::_exit(127);
  }
  int status = 0;
  rusage usage{};
  EXPECT_EQ(::wait4(child, &status, 0, &usage), child);
  EXPECT_TRUE(WIFEXITED(status));
  // Findings of lint are no failure, nor is what statistics leave out for want of room.
  const int exit_status = WEXITSTATUS(status);
  EXPECT_TRUE(exit_status == 0 || exit_status == 1 || exit_status == 3) << exit_status;
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

TEST(ReadingMemory, DoesNotGrowWithTheArchive) {
  if (kSanitized) GTEST_SKIP() << "the sanitizer's own memory would count";
  // In order of time, since statistics sort what is not, which takes memory up to a limit; and
  // large enough that lint reaches its own.
  const SampleFile smaller(sample(Mix::kDemo, std::size_t{160} << 20), 1);
  const SampleFile larger(sample(Mix::kDemo, std::size_t{224} << 20), 1);
  const std::vector<std::vector<std::string>> verbs = {{"print", "--json"}, {"lint"}, {"stats"}};
  for (const std::vector<std::string>& verb : verbs) {
    std::array<std::uint64_t, 2> peaks{};
    for (std::size_t i = 0; i < peaks.size(); ++i) {
      std::vector<std::string> arguments = {BAREFXT_COMMAND};
      arguments.insert(arguments.end(), verb.begin(), verb.end());
      arguments.push_back(i == 0 ? smaller.path() : larger.path());
      peaks[i] = peak_of(arguments);
    }
    std::printf("%-6s %4.0f MB, %4.0f MB\n", verb.front().c_str(),
                static_cast<double>(peaks[0]) / 1e6, static_cast<double>(peaks[1]) / 1e6);
    // 64 MB more of archive; what may differ are pages not given back yet.
    EXPECT_LT(peaks[1], peaks[0] + (std::uint64_t{24} << 20)) << verb.front();
  }
}

}  // namespace
}  // namespace barefxt::test
