#include "qemu.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <future>
#include <gtest/gtest.h>
#include <optional>
#include <sched.h>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

#include "kept_code.h"
#include "targets.h"

namespace barefxt::test {
namespace {

int status_of(int wait_status) {
  return WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : 128 + WTERMSIG(wait_status);
}

std::string make_directory() {
  std::string path = std::filesystem::temp_directory_path() / "barefxt-XXXXXX";
  return mkdtemp(path.data()) == nullptr ? std::string() : path;
}

// While one lives, the threads of programs that the calling thread starts take turns: one that
// wakes does not break in on another. Else a machine's CPUs, which wake each other all the time,
// stop each other in the middle of the kernel's lock, and the others spin as long: a third of the
// time that machines take with more CPUs than the host has.
//
// An emulator that counts instructions works on one thread alone, but wakes another whenever the
// kernel sets its timer; waking across CPUs is a third of the time of a sweep. So it stays on its
// CPU. A setting that the machine does not allow is left as it is.
class InTurns {
 public:
  InTurns(bool wanted, bool on_one_cpu) : policy_(sched_getscheduler(0)) {
    sched_getparam(0, &parameters_);
    const int cpu = sched_getcpu();
    if (on_one_cpu && cpu >= 0 && cpu < CPU_SETSIZE &&
        sched_getaffinity(0, sizeof before_, &before_) == 0) {
      cpu_set_t here;
      CPU_ZERO(&here);
      CPU_SET(cpu, &here);
      is_on_one_cpu_ = sched_setaffinity(0, sizeof here, &here) == 0;
    }
    const sched_param none = {};
    if (wanted && policy_ == SCHED_OTHER)
      are_turns_taken_ = sched_setscheduler(0, SCHED_BATCH, &none) == 0;
  }
  ~InTurns() {
    if (are_turns_taken_) sched_setscheduler(0, policy_, &parameters_);
    if (is_on_one_cpu_) sched_setaffinity(0, sizeof before_, &before_);
  }
  InTurns(const InTurns&) = delete;
  InTurns& operator=(const InTurns&) = delete;

 private:
  bool is_on_one_cpu_ = false;
  bool are_turns_taken_ = false;
  cpu_set_t before_ = {};
  int policy_;
  sched_param parameters_ = {};
};

// A machine that is reset is translated anew, into memory that the emulator would take afresh: it
// has as much of that as a sweep needs at a time.
constexpr const char* kCountingEmulator = " -accel tcg,tb-size=32 ";

bool is_roomy(const Image& target, const std::string& image) {
  return !target.room.empty() && image.empty();
}

}  // namespace

Booted& Booted::operator=(Booted&& other) noexcept {
  std::swap(status, other.status);
  std::swap(directory, other.directory);  // the other removes it
  std::swap(uart, other.uart);
  return *this;
}

Booted::~Booted() {
  std::error_code ignored;
  if (!directory.empty()) std::filesystem::remove_all(directory, ignored);
}

std::string image_path(const std::string& build, const std::string& image) {
  const char* const all_modes = is_roomy(image_of_build(build), image) ? "kernel_roomy" : "kernel";
  return std::string(BAREFXT_IMAGES_DIR) + "/" + build + "/qemu-tests/" +
         (image.empty() ? all_modes : image) + ".elf";
}

Booted boot(const Boot& options) {
  Booted run;
  run.directory = make_directory();
  run.uart = run.file("uart.raw");
  const Image& image = image_of_build(options.build);
  std::string path = image_path(options.build, options.image);
  std::optional<KeptCode> code;
  if (options.keeps_code) {
    code.emplace(path, run.file("rest.elf"));
    path = "rest.elf";
  }
  const bool checks_cpus =
      options.checks_cpus || options.counting || image.cpus == 1 || is_full_run();
  const std::string command =
      "cd " + run.directory + " && exec timeout " + std::to_string(options.timeout_seconds) + " " +
      image.emulator + " " + (is_roomy(image, options.image) ? image.room + " " : "") +
      (options.counting ? kCountingEmulator + image.counting : image.all_cpus) +
      " -display none -monitor none -nic none -serial " + options.serial + " " + options.extra +
      (code ? code->options() : "") + " -kernel " + path + " -append '" + options.arguments +
      (checks_cpus ? "" : " check=0") + "' >qemu.log 2>&1 </dev/null";
  const InTurns in_turns(!options.breaks_in, options.counting);
  if (!code) {
    run.status = status_of(std::system(command.c_str()));
    return run;
  }
  std::future<int> status = std::async(std::launch::async, [&command, &code] {
    const int of_qemu = std::system(command.c_str());
    code->qemu_is_gone();
    return of_qemu;
  });
  EXPECT_EQ(code->start(), "");
  run.status = status_of(status.get());
  return run;
}

Output run_command(const std::string& command) {
  Output output;
  const std::string directory = make_directory();
  const std::string whole = command + " >" + directory + "/out 2>" + directory + "/err </dev/null";
  output.status = status_of(std::system(whole.c_str()));
  output.out = read_file(directory + "/out");
  output.err = read_file(directory + "/err");
  std::error_code ignored;
  std::filesystem::remove_all(directory, ignored);
  return output;
}

Output barefxt(const std::string& arguments) {
  return run_command(std::string(BAREFXT_COMMAND) + " " + arguments);
}

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream bytes;
  bytes << file.rdbuf();
  return bytes.str();
}

void write_file(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

}  // namespace barefxt::test
