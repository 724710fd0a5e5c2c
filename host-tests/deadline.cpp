#include "deadline.h"

#include <charconv>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <unistd.h>

#include "build_kind.h"

namespace barefxt::test {
namespace {

using std::chrono::seconds;

// Far more than any test takes on a busy machine.
constexpr seconds kLimit{kSanitized ? 1200 : 600};
constexpr seconds kLimitOfFullRun{12 * 3600};

pid_t number_in(const std::string& text) {
  pid_t number = 0;
  const char* const end = text.data() + text.size();
  return std::from_chars(text.data(), end, number).ptr == end ? number : 0;
}

void kill_descendants() {
  std::multimap<pid_t, pid_t> children;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", error)) {
    const pid_t process = number_in(entry.path().filename());
    std::ifstream file(entry.path() / "stat");
    std::string line;
    if (process == 0 || !std::getline(file, line)) continue;
    // "ID (NAME) STATE PARENT ..."; the name may have anything in it.
    const size_t parent = line.rfind(')') + 4;
    if (parent >= line.size()) continue;
    children.emplace(number_in(line.substr(parent, line.find(' ', parent) - parent)), process);
  }
  std::set<pid_t> parents = {::getpid()};
  while (!parents.empty()) {
    const auto [begin, end] = children.equal_range(*parents.begin());
    parents.erase(parents.begin());
    for (auto child = begin; child != end; ++child) {
      ::kill(child->second, SIGKILL);
      parents.insert(child->second);
    }
  }
}

class Deadlines : public ::testing::EmptyTestEventListener {
  void OnTestStart(const ::testing::TestInfo&) override {
    deadline_ = std::make_unique<Deadline>(is_full_run() ? kLimitOfFullRun : kLimit);
  }
  void OnTestEnd(const ::testing::TestInfo&) override {
    if (deadline_->has_passed())
      ADD_FAILURE() << "its deadline passed, so what it had started was killed";
    deadline_.reset();
  }
  std::unique_ptr<Deadline> deadline_;
};

[[maybe_unused]] const bool is_registered = [] {
  ::testing::UnitTest::GetInstance()->listeners().Append(new Deadlines);
  return true;
}();

}  // namespace

Deadline::Deadline(std::chrono::milliseconds limit) : thread_([this, limit] { watch(limit); }) {}

Deadline::~Deadline() {
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

void Deadline::watch(std::chrono::milliseconds limit) {
  std::unique_lock lock(mutex_);
  for (std::chrono::milliseconds wait = limit; !is_over_; wait = seconds(1)) {
    if (changed_.wait_for(lock, wait, [this] { return is_over_; })) return;
    has_passed_ = true;
    kill_descendants();
  }
}

}  // namespace barefxt::test
