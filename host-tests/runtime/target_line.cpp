#include "target_line.h"

#include <atomic>
#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace barefxt::test {

TargetLine::TargetLine() : listener_(socket(AF_UNIX, SOCK_STREAM, 0)) {
  std::string name = testing::TempDir() + "barefxt-line-XXXXXX";
  EXPECT_NE(mkdtemp(name.data()), nullptr);
  folder_ = name;
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  (folder_ / "line").string().copy(address.sun_path, sizeof address.sun_path - 1);
  EXPECT_EQ(bind(listener_, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  EXPECT_EQ(listen(listener_, 1), 0);
}

TargetLine::~TargetLine() {
  close(listener_);
  std::filesystem::remove_all(folder_);
}

int TargetLine::capture(const std::string& arguments,
                        const std::function<bool(int)>& target) const {
  return ask(arguments + " -o '" + (folder_ / "out.fxt").string() + "'", target);
}

int TargetLine::ask(const std::string& arguments, const std::function<bool(int)>& target) const {
  std::atomic<int> status = -1;
  std::thread host([&] {
    const std::string line = "cd '" + folder_.string() +
                             "' && '" BAREFXT_COMMAND "' capture --unix line " + arguments +
                             " 2>stderr";
    status = WEXITSTATUS(std::system(line.c_str()));
  });
  const timeval patience = {60, 0};
  EXPECT_EQ(setsockopt(listener_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience), 0);
  const int handle = accept(listener_, nullptr, nullptr);
  EXPECT_GE(handle, 0) << "the command did not come";
  while (handle >= 0 && target(handle)) {
  }
  close(handle);
  host.join();
  return status;
}

bool TargetLine::has_archive() const { return std::filesystem::exists(folder_ / "out.fxt"); }

Bytes TargetLine::archive() const {
  std::ifstream file(folder_ / "out.fxt", std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string TargetLine::messages() const {
  std::ifstream file(folder_ / "stderr", std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

bool TargetLine::send(int handle, const Bytes& bytes) {
  for (size_t at = 0; at < bytes.size();) {
    const ssize_t count = ::send(handle, &bytes[at], bytes.size() - at, MSG_NOSIGNAL);
    if (count <= 0) return false;
    at += static_cast<size_t>(count);
  }
  return true;
}

Bytes TargetLine::receive(int handle) {
  Bytes bytes(64);
  const ssize_t count = ::read(handle, bytes.data(), bytes.size());
  bytes.resize(count > 0 ? static_cast<size_t>(count) : 0);
  return bytes;
}

}  // namespace barefxt::test
