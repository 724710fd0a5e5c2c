#include "shell.h"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "capture/start_program.h"

namespace barefxt::test {

void Shell::SetUp() {
  std::string name = ::testing::TempDir() + "barefxt-hostile-XXXXXX";
  ASSERT_NE(::mkdtemp(name.data()), nullptr);
  folder_ = name;
}

void Shell::TearDown() {
  if (child_ > 0) {
    ::kill(child_, SIGKILL);
    ::waitpid(child_, nullptr, 0);
  }
  std::filesystem::remove_all(folder_);
}

void Shell::write(const std::string& name, const std::string& bytes) const {
  std::ofstream(path(name), std::ios::binary) << bytes;
}

void Shell::write(const std::string& name, const std::vector<uint8_t>& bytes) const {
  write(name, std::string(bytes.begin(), bytes.end()));
}

std::string Shell::read(const std::string& name) const {
  std::ifstream file(path(name), std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string Shell::entries() const {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder_))
    if (const std::string name = entry.path().filename(); name[0] != '_') names.push_back(name);
  std::sort(names.begin(), names.end());
  std::string all;
  for (const std::string& name : names) all += (all.empty() ? "" : " ") + name;
  return all;
}

void Shell::start(const std::string& line) {
  std::string command = line;
  for (size_t at = 0; (at = command.find("BAREFXT", at)) != std::string::npos;)
    command.replace(at, 7, "'" BAREFXT_COMMAND "'");
  command = "cd '" + folder_.string() + "' && exec >_out 2>_err </dev/null; " + command;
  child_ = Spawn().start({"/bin/sh", "-c", command});
}

int Shell::wait() {
  int status = 0;
  rusage used{};
  EXPECT_EQ(::wait4(child_, &status, 0, &used), child_);
  child_ = -1;
  kilobytes_ = used.ru_maxrss;
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  seconds_ = seconds(used.ru_utime) + seconds(used.ru_stime);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int Shell::run(const std::string& line) {
  start(line);
  return wait();
}

}  // namespace barefxt::test
