// A kernel whose threads and processes come, go and are renamed, as a random walk, and its own log
// of whose name was what when: what an archive must agree with.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <random>
#include <string>
#include <vector>

#include <barefxt/barefxt.h>

#include "reader/plain_decoder.h"

namespace barefxt::test {

class Lives {
 public:
  // At most `processes` processes at once, of one thread each.
  Lives(uint64_t seed, unsigned processes, unsigned cpus)
      : random_(seed), processes_(processes), cpus_(cpus) {}
  // Ends all that is alive.
  ~Lives();
  Lives(const Lives&) = delete;
  Lives& operator=(const Lives&) = delete;

  // Numbers of processes are used again.
  void reuse_numbers() { reuses_numbers_ = true; }

  // One step: a fork, an exec, an exit, a kill, or an event of a thread that runs.
  void step();

  uint64_t births() const { return births_; }
  uint64_t steps() const { return steps_; }

  // Compares the archive's events and names with the log. A wrong name is excused only if the
  // record of its end was lost, as the archive counts it.
  struct Verdict {
    uint64_t events = 0;
    uint64_t unknown = 0;  // threads, or names, whose records were lost
    uint64_t excused = 0;
    std::string wrong;  // the first that is, for people; empty: none
  };
  Verdict judge(const PlainArchive& archive) const;

 private:
  struct Process {
    bool is_alive = false;
    uint32_t koid = 0;
    uint32_t thread_koid = 0;
    std::string name;
    barefxt_thread thread = {};
  };
  // When and where a name ended, that is, when its record was written.
  struct End {
    static constexpr uint32_t kAnyCpu = ~0u;
    uint64_t from;
    uint64_t to;
    uint32_t cpu;
  };
  // An event that a thread made.
  struct Recorded {
    uint32_t process;
    uint32_t thread;
    std::string name;  // of both
  };

  unsigned below(unsigned end) { return static_cast<unsigned>(random_() % end); }
  void note_end(uint32_t koid, uint32_t cpu);
  void note_end_since(uint64_t from, uint32_t koid);
  void fork(Process& process, uint32_t cpu);
  void exec(Process& process, uint32_t cpu);
  void end(Process& process);
  void run(Process& process);
  struct Losses;
  bool was_name_lost(const Losses& losses, uint64_t koid, uint64_t time) const;

  std::mt19937_64 random_;
  std::vector<Process> processes_;
  unsigned cpus_;
  bool reuses_numbers_ = false;
  uint64_t births_ = 0;
  uint64_t steps_ = 0;
  uint32_t programs_ = 0;
  struct FreeNumber {
    uint32_t koid;
    uint64_t since;
  };
  std::deque<FreeNumber> free_numbers_;
  std::vector<Recorded> recorded_;  // by the number in the event
  std::map<uint64_t, std::vector<End>> ends_;
  std::map<uint64_t, std::vector<End>> begins_;  // a name beyond the table is recorded only then
};

}  // namespace barefxt::test
