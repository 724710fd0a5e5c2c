// Ends what a test started, if it hangs: so that a command that never ends fails its test.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace barefxt::test {

// Kills all descendants of this process `limit` from now, and again every second, as a test may
// start more. deadline.cpp sets one for each test of the program that it is linked into.
class Deadline {
 public:
  explicit Deadline(std::chrono::milliseconds limit);
  ~Deadline();
  Deadline(const Deadline&) = delete;
  Deadline& operator=(const Deadline&) = delete;

  bool has_passed() const { return has_passed_; }

 private:
  void watch(std::chrono::milliseconds limit);

  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_over_ = false;
  std::atomic<bool> has_passed_ = false;
  std::thread thread_;
};

}  // namespace barefxt::test
