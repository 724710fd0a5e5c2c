// How one CPU's context switches chain: the thread that leaves should be the one that came in last.
//
// Otherwise there are two explanations. If it came in earlier and has not left since, it runs on
// another CPU that records under the same number: the ring holds several chains. If it never came
// in, switches are missing; then, too, threads come in that seem to run already.
#pragma once

#include <cstdint>
#include <optional>
#include <set>

namespace barefxt::host {

struct SwitchSurvey {
  uint64_t count = 0;
  uint64_t broken = 0;            // the thread that leaves is not the one that came in last
  uint64_t of_another_chain = 0;  // of these: it came in earlier
  uint64_t came_in_twice = 0;
  uint64_t first_broken = 0;  // when

  // By koids; `is_idle`, of the incoming thread: one may serve several CPUs.
  void see(uint64_t time, uint64_t outgoing, uint64_t incoming, bool is_idle);
  void end_stretch();

 private:
  static constexpr size_t kMaxRunning = 4096;

  std::optional<uint64_t> last_in_;
  std::set<uint64_t> running_;
};

}  // namespace barefxt::host
