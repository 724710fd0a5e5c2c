// The kernel's own counts, read from its console. qemu-tests/kernel/tally.h has the grammar.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace barefxt::test {

struct Count {
  uint64_t count = 0;
  uint64_t hash = 0;
  bool operator==(const Count&) const = default;
};

struct NamedThread {
  std::string name;
  uint64_t process = 0;
};

struct Bracket {
  uint64_t before = 0;
  uint64_t after = 0;
  uint64_t cpu = 0;
};

// Around a bracket: CPU 0's counter, and in between that of the CPU itself.
struct ClockReading {
  uint64_t cpu = 0;
  uint64_t own = 0;
  uint64_t from = 0;
  uint64_t to = 0;
};

struct Tally {
  bool complete = false;  // from its first to its last line
  unsigned cpus = 0;
  // By CPU.
  std::map<uint64_t, Count> switches;
  std::map<uint64_t, Count> interrupts;
  std::map<uint64_t, Count> wakeups;
  std::map<uint64_t, Count> messages;
  std::map<std::string, uint64_t> events;  // by kind
  std::map<std::string, uint64_t> calls;   // by function, as tally.h names it
  std::map<uint64_t, std::string> processes;
  std::map<uint64_t, NamedThread> threads;
  std::map<uint64_t, Bracket> brackets;
  std::map<uint64_t, ClockReading> clocks;  // by bracket, where each CPU has a counter of its own
  uint64_t migrations = 0;
  uint64_t created = 0;
  uint64_t created_while_recording = 0;
  uint64_t records = 0;
  uint64_t reported_recorded = 0;
  uint64_t reported_lost = 0;
  uint64_t reported_unfinished = 0;
};

Tally read_tally(const std::string& console);

// "COST name=N instructions=X" lines.
std::map<std::string, double> read_costs(const std::string& console);

// "CODED instructions=I bytes=B": I by B.
double read_coded_dump(const std::string& console);

}  // namespace barefxt::test
