#include "machine.h"

#include <chrono>
#include <csignal>
#include <filesystem>
#include <gtest/gtest.h>
#include <map>
#include <nlohmann/json.hpp>
#include <sys/socket.h>
#include <sys/un.h>
#include <thread>
#include <unistd.h>

#include "targets.h"

namespace barefxt::test {

namespace {

constexpr size_t kMebibyte = size_t{1} << 20;
constexpr size_t kBytes = 128 * kMebibyte;

const std::map<std::string, Machine::Memory> kMemories = {
    {"aarch64", {0x40000000, kBytes, true, true}},
    {"aarch64_be", {0x40000000, kBytes, true, true}},
    {"armv7a", {0x40000000, kBytes, true, true}},
    {"rv64", {0x80000000, kBytes, true, true}},
    {"rv32", {0x80000000, kBytes, true, true}},
    {"x86_64", {0, kBytes, true, true}},
    // The board's PSRAM.
    {"cortex-m3", {0x21000000, 16 * kMebibyte, false, true}},
    {"cortex-m33-smp", {0x80000000, 16 * kMebibyte, false, false}},
};

}  // namespace

std::vector<std::string> Machine::targets() {
  std::vector<std::string> names;
  for (const auto& [target, memory] : kMemories) names.push_back(target);
  return names;
}

const Machine::Memory& Machine::memory_of(const std::string& target) {
  return kMemories.at(target);
}

Machine::Machine(Boot options)
    : build_(options.build), memory_(memory_of(image_of_build(options.build).target)) {
  std::string path = std::filesystem::temp_directory_path() / "barefxt-XXXXXX";
  if (mkdtemp(path.data()) != nullptr) directory_ = path;
  options.extra +=
      " -machine memory-backend=ram -object memory-backend-file,id=ram,share=on,size=" +
      std::to_string(memory_.bytes) + ",mem-path=" + memory() + " -pidfile " + file("pid") +
      " -qmp unix:" + file("qmp") + ",server=on,wait=off -gdb unix:" + file("gdb") +
      ",server=on,wait=off";
  run_ = std::async(std::launch::async, [options] { return boot(options); });
  for (int tries = 0; tries < 6000 && !connect(); ++tries)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  if (monitor_ < 0) {
    ADD_FAILURE() << "QEMU does not answer";
    return;
  }
  line();  // its greeting
  send(R"({"execute": "qmp_capabilities"})");
}

Machine::~Machine() {
  if (monitor_ >= 0) close(monitor_);
  if (run_.valid()) {
    kill();
    wait();
  }
  std::error_code ignored;
  std::filesystem::remove_all(directory_, ignored);
}

bool Machine::connect() {
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  file("qmp").copy(address.sun_path, sizeof address.sun_path - 1);
  const int monitor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (::connect(monitor, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    close(monitor);
    return false;
  }
  monitor_ = monitor;
  return true;
}

std::string Machine::line() {
  size_t end = 0;
  while ((end = received_.find('\n')) == std::string::npos) {
    char bytes[4096];
    const ssize_t count = read(monitor_, bytes, sizeof bytes);
    if (count <= 0) return {};
    received_.append(bytes, static_cast<size_t>(count));
  }
  const std::string line = received_.substr(0, end);
  received_.erase(0, end + 1);
  return line;
}

void Machine::send(const std::string& command) {
  const std::string sent = command + "\n";
  ASSERT_EQ(write(monitor_, sent.data(), sent.size()), static_cast<ssize_t>(sent.size()));
  while (true) {
    const std::string answer = line();
    ASSERT_FALSE(answer.empty()) << "QEMU is gone, at " << command;
    const auto json = nlohmann::json::parse(answer);
    ASSERT_FALSE(json.contains("error")) << command << answer;
    if (json.contains("return")) return;
  }
}

Output Machine::gdb(const std::string& commands) const {
  return run_command("gdb-multiarch -nx -q -batch -ex 'target remote " + file("gdb") + "' " +
                     commands + " " + image_path(build_));
}

void Machine::kill() {
  const std::string pid = read_file(file("pid"));
  // QEMU takes its file along when it ends.
  if (!pid.empty()) ::kill(static_cast<pid_t>(std::stol(pid)), SIGKILL);
}

bool Machine::is_over() const {
  return !run_.valid() || run_.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
}

const Booted& Machine::wait() {
  if (run_.valid()) over_ = run_.get();
  return over_;
}

}  // namespace barefxt::test
