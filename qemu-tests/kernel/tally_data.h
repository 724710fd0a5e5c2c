// The counts, for tally.cpp, which fills them, and tally_print.cpp.
#pragma once

#include <stdint.h>

#include <barefxt/barefxt.h>

#include "kernel/board.h"
#include "kernel/tally.h"

namespace kernel::tally {

#if defined(KERNEL_SMALL)
inline constexpr unsigned kMaxNamed = 12;
#else
inline constexpr unsigned kMaxNamed = 1024;
#endif
inline constexpr unsigned kMaxProcesses = 4;

// A line of the processor's cache each: they are written at every switch. With one CPU there is
// none to share.
struct alignas(board::kMaxCpus == 1 ? 8 : 128) PerCpu {
  uint64_t switches = 0;
  uint64_t switch_hash = 0;
  uint64_t interrupts = 0;
  uint64_t interrupt_hash = 0;
  uint64_t wakeups = 0;
  uint64_t wakeup_hash = 0;
  uint64_t messages = 0;
  uint64_t message_hash = 0;
};

struct Named {
  uint32_t koid = 0;
  uint32_t process = 0;
  char name[kNameBytes + 1] = {};
};

struct Counts {
  PerCpu cpu[board::kMaxCpus];
  uint32_t events[TALLY_KINDS] = {};
  uint32_t calls[static_cast<unsigned>(Counted::kCount)] = {};
  uint64_t migrations = 0;
  uint32_t created_recording = 0;
  barefxt_stop_report report = {};
  Bracket bracket[kMaxBrackets] = {};
  unsigned processes = 0;
  Named process[kMaxProcesses];
  unsigned threads = 0;
  Named thread[kMaxNamed];
};

extern Counts counts;

}  // namespace kernel::tally
