// Runs the command in a folder that the test owns.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <gtest/gtest.h>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "contains.h"

namespace barefxt::test {

class Shell : public ::testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  void write(const std::string& name, const std::string& bytes) const;
  void write(const std::string& name, const std::vector<uint8_t>& bytes) const;
  std::string read(const std::string& name) const;
  // Returns the folder's entries, sorted, separated by blanks; without those that begin with '_'.
  std::string entries() const;

  // Runs a line in a shell, in the folder; BAREFXT in it stands for the command. Returns the exit
  // status, or 128 plus the signal. Standard output goes to _out, standard error to _err.
  int run(const std::string& line);
  // Starts a line in the background. It should begin with `exec`, so that child() is the command.
  void start(const std::string& line);
  int wait();
  pid_t child() const { return child_; }
  // Peak memory and CPU time of the last process, as wait4() returns them.
  long kilobytes() const { return kilobytes_; }
  double seconds() const { return seconds_; }
  std::string messages() const { return read("_err"); }
  std::string printed() const { return read("_out"); }

 private:
  std::filesystem::path folder_;
  pid_t child_ = -1;
  long kilobytes_ = 0;
  double seconds_ = 0;
};

// Polls a condition for up to 30 s. Returns whether it came true.
template <typename Condition>
bool comes_true_soon(Condition condition) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (std::chrono::steady_clock::now() < end) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return false;
}

}  // namespace barefxt::test
