// A view that `top` shows is not old.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "capture/start_program.h"
#include "top/endless_stream.h"

namespace barefxt::test::view_age_test {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

struct Shown {
  Clock::time_point at;
  double covered_seconds = 0;
};

// The lines of `top --batch`, with the times at which they came.
std::vector<Shown> read_lines(int from) {
  std::vector<Shown> lines;
  FILE* const file = fdopen(from, "r");
  char* line = nullptr;
  size_t capacity = 0;
  while (getline(&line, &capacity, file) > 0) {
    const auto now = Clock::now();
    const auto parsed = nlohmann::json::parse(line);
    if (parsed["final"] == false) lines.push_back({now, parsed["merge"]["seconds"]});
  }
  std::free(line);
  std::fclose(file);
  return lines;
}

// The interval is that of the screen. A view is shown until the next one, and must not be older
// than 250 ms then. On a busy machine some are, since nothing runs for as long: so the median
// counts.
TEST(TopView, IsAQuarterOfASecondOldAtMost) {
  constexpr milliseconds kPiece(10);
  constexpr size_t kPieces = 300;
  std::array<int, 2> in{};
  std::array<int, 2> out{};
  ASSERT_EQ(pipe2(in.data(), O_CLOEXEC), 0);
  ASSERT_EQ(pipe2(out.data(), O_CLOEXEC), 0);
  const pid_t child = Spawn()
                          .takes(STDIN_FILENO, in[0])
                          .takes(STDOUT_FILENO, out[1])
                          .opens(STDERR_FILENO, "/dev/null", O_WRONLY)
                          .start({BAREFXT_COMMAND, "top", "-", "--batch", "--interval", "0.15"});
  close(in[0]);
  close(out[1]);
  std::vector<Shown> lines;
  std::thread reader([&] { lines = read_lines(out[0]); });

  EndlessStream stream;
  std::vector<Clock::time_point> sent;
  const auto send = [&](const Bytes& bytes) {
    EXPECT_EQ(::write(in[1], bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
  };
  send(stream.begin());
  constexpr uint64_t kTicks = EndlessStream::kTicksPerSecond * kPiece.count() / 1000;
  for (size_t i = 0; i < kPieces; ++i) {
    send(stream.next(kTicks));
    sent.push_back(Clock::now());
    std::this_thread::sleep_for(kPiece);
  }
  close(in[1]);
  reader.join();
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);

  // Ages of views when the next one comes, by the first piece that they do not cover.
  std::vector<double> ages;
  for (size_t i = 0; i + 1 < lines.size(); ++i) {
    const double covered = lines[i].covered_seconds * EndlessStream::kTicksPerSecond;
    const auto piece = static_cast<size_t>(std::max(0.0, std::floor(covered / kTicks)));
    if (piece >= sent.size() || sent[piece] >= lines[i + 1].at) continue;
    ages.push_back(
        std::chrono::duration<double, std::milli>(lines[i + 1].at - sent[piece]).count());
  }
  ASSERT_GE(ages.size(), 5u);
  std::sort(ages.begin(), ages.end());
  std::printf("%zu views, their age: median %.0f ms, largest %.0f ms\n", ages.size(),
              ages[ages.size() / 2], ages.back());
  EXPECT_LE(ages[ages.size() / 2], 250);
}

}  // namespace
}  // namespace barefxt::test::view_age_test
