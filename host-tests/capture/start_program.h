// Starts programs. Without fork(): under sanitizers the copy of a process may wait forever for a
// lock that another thread held.
#pragma once

#include <cstdint>
#include <gtest/gtest.h>
#include <spawn.h>
#include <string>
#include <sys/resource.h>
#include <unistd.h>
#include <vector>

namespace barefxt::test {

// Returns the peak of resident memory, in bytes, of a program that was started by Spawn and has
// ended. The kernel counts a program's peak from that of the process that started it. A peak that
// is not above the test's own therefore shows nothing about the program, and fails the test.
inline uint64_t peak_of(const rusage& program) {
  rusage own{};
  EXPECT_EQ(::getrusage(RUSAGE_SELF, &own), 0);
  EXPECT_GT(program.ru_maxrss, own.ru_maxrss) << "the peak of the test hides that of the program";
  return static_cast<uint64_t>(program.ru_maxrss) * 1024;
}

class Spawn {
 public:
  Spawn() { ::posix_spawn_file_actions_init(&actions_); }
  ~Spawn() { ::posix_spawn_file_actions_destroy(&actions_); }
  Spawn(const Spawn&) = delete;
  Spawn& operator=(const Spawn&) = delete;

  // Sets the program's handle 0, 1 or 2: a file, or a handle of the test's.
  Spawn& opens(int handle, const std::string& path, int flags) {
    ::posix_spawn_file_actions_addopen(&actions_, handle, path.c_str(), flags, 0666);
    return *this;
  }
  Spawn& takes(int handle, int from) {
    ::posix_spawn_file_actions_adddup2(&actions_, from, handle);
    return *this;
  }
  // "NAME=value", in place of the test's.
  Spawn& sets(const std::string& variable) {
    variables_.push_back(variable);
    return *this;
  }

  // Starts the program whose path is the first word; it has no handles but those three. Returns its
  // id, or -1.
  pid_t start(std::vector<std::string> words) {
    ::posix_spawn_file_actions_addclosefrom_np(&actions_, STDERR_FILENO + 1);
    std::vector<std::string> environment = variables_;
    for (char** variable = environ; *variable != nullptr; ++variable)
      if (!is_set(*variable)) environment.emplace_back(*variable);
    pid_t child = -1;
    const int error = ::posix_spawn(&child, words[0].c_str(), &actions_, nullptr,
                                    pointers_to(words).data(), pointers_to(environment).data());
    return error == 0 ? child : -1;
  }

 private:
  bool is_set(const std::string& variable) const {
    const std::string name = variable.substr(0, variable.find('=') + 1);
    for (const std::string& one : variables_)
      if (one.compare(0, name.size(), name) == 0) return true;
    return false;
  }
  static std::vector<char*> pointers_to(std::vector<std::string>& texts) {
    std::vector<char*> pointers;
    for (std::string& text : texts) pointers.push_back(text.data());
    pointers.push_back(nullptr);
    return pointers;
  }

  posix_spawn_file_actions_t actions_;
  std::vector<std::string> variables_;
};

}  // namespace barefxt::test
