// A small kernel, simulated from a list of random numbers. Its work is described twice: by the
// records of its trace, and by its own counts, tick by tick, which infer nothing.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace barefxt::test {

struct TraceRecord {
  enum class Kind : uint8_t { kSwitch, kWakeup, kInstant, kLoss };
  using enum Kind;
  Kind kind;
  uint64_t time;
  unsigned cpu;             // that wrote it
  uint64_t thread = 0;      // outgoing, woken
  uint64_t incoming = 0;    // of a switch; of a loss, its begin
  unsigned state = 0;       // of a switch's outgoing thread
  bool priorities = false;  // a switch with priorities: a thread's is its koid modulo 4
};

// Why a thread was switched away from, as the kernel knows it.
struct SimulatedSwitch {
  uint64_t time;
  unsigned cpu;
  uint64_t from;
  uint64_t to;
  unsigned cause;  // 0 preempted, 1 yielded, 2 blocked, 3 ended
};

struct SimulatedLength {
  uint64_t begin;
  uint64_t end;
  auto operator<=>(const SimulatedLength&) const = default;
};

// Every tick of a thread is one of these.
enum class SimulatedState : uint8_t { kSimRunning, kSimRunnable, kSimBlocked, kSimNowhere };
using enum SimulatedState;

struct SimulatedThread {
  std::vector<SimulatedState> at;          // tick by tick
  std::vector<unsigned> cpu;               // tick by tick, where it runs
  std::vector<SimulatedLength> latencies;  // from each wakeup to the run
  std::vector<SimulatedLength> runs;       // whole ones
  std::vector<SimulatedLength> blocks;     // whole ones
  std::vector<uint64_t> wakeups;
};

struct SimulatedTrace {
  std::vector<TraceRecord> records;  // in order of time
  std::map<uint64_t, SimulatedThread> threads;
  std::vector<SimulatedSwitch> switches;
  uint64_t end = 0;  // one past the last tick
  SimulatedLength loss = {0, 0};
};

inline constexpr uint64_t kSimIdle = 100;  // and so on, one a CPU
inline constexpr uint64_t kSimThread = 1;

SimulatedTrace simulate(const std::vector<uint32_t>& choices);

// The archive of these records, as barefxt writes one.
std::string archive_of(const std::vector<TraceRecord>& records);

// The trace when a CPU loses some of its records, with the loss recorded in their place.
SimulatedTrace with_loss(SimulatedTrace trace, unsigned cpu, size_t first, size_t count);

// The trace when recording began late: its first records are missing, without a loss recorded.
SimulatedTrace without_beginning(SimulatedTrace trace, size_t missing);

inline constexpr unsigned kSimCpus = 3;

}  // namespace barefxt::test
