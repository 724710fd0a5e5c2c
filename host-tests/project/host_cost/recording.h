// A session in this process, whose threads play CPUs.
#pragma once

#include <cstdint>
#include <vector>

#include <barefxt/barefxt.h>

class Recording {
 public:
  // Each CPU has room for at least `records` records of two words.
  Recording(uint16_t cpus, uint32_t records);
  ~Recording();
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

  // Forgets what was recorded. A thread runs on each CPU.
  void start();
  // Ends it. False: records were lost.
  static bool stop();

 private:
  std::vector<uint64_t> memory_;
  uint16_t cpus_;
};

// The calling thread plays this CPU from here on.
void run_on_cpu(uint32_t cpu);
