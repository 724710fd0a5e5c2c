// One write path, taken from the same beginning again and again; something happens to it one
// instruction later each time.
#pragma once

#include "sweep/addresses.h"
#include "sweep/check.h"
#include "sweep/place.h"

namespace kernel::sweep {

// An interrupt's action.
struct Action {
  const char* name;
  void (*strike)();
  bool loses;  // whether records may be dropped, or overwritten, because of it
  // Before the path begins, and after it has ended; may be null.
  void (*before)();
  void (*after)();
  // In the place of look_at_rest, where the action changes what is to be expected; may be null.
  Findings (*look)(const Expected& expected, const barefxt_stop_report& report);
};

struct Experiment {
  const Mode* mode;
  const Place* place;
  unsigned path;
  const Action* action;
  uint64_t parameter;  // of the action, see there
  uint32_t step;       // the interrupt comes this many instructions later each time
  // 0, or when the first interrupt comes: what is so much later each time is the one after.
  uint64_t first = 0;
};

// How it went, and the interrupts that came right before a word was swapped.
struct Result {
  bool sound;
  uint32_t swaps;
  static constexpr uint32_t kMaxSwaps = 16;
  uint64_t swap[kMaxSwaps];
};

// The experiment that is running, for its action.
struct Running {
  const Experiment* experiment;
  Expected expected;
  const Path* path[kWriters];
  uint64_t instruction;  // the interrupt's number among those of the run
  uint32_t strikes;      // how often it struck
  uintptr_t address;  // where, the first time, or the second where that is what is later each time
  const char* wrong;  // what the action found
};
extern Running running;
void fail(const char* what);

// Learns what the paths write, or one of them. Once, first.
void learn_paths();
void learn_path(unsigned path);
unsigned path_count();
const Path& path_at(unsigned path);

// Has the path interrupted at one instruction after the other, until the interrupt comes too late,
// and prints the result in a line. With a step greater than 1 the first of them differs from call
// to call, so that experiments on the same code interrupt different instructions of it.
// `addresses` gets all instructions that an interrupt struck, those of handlers as well.
Result sweep(const Experiment& experiment, Addresses& addresses);

// One time of it: has the path interrupted at instruction k. False: that is behind its end.
bool attempt(const Experiment& experiment, uint64_t k, Addresses& addresses);
// Returns the findings after that.
Findings conclude(const Experiment& experiment);

// Takes the addresses of experiments whose hits do not matter.
Addresses& discarded_addresses();

// Runs the action's part before the path, and after it: all but the path. `running` counts the
// interrupts in it; the result has the findings.
Findings rehearse(const Experiment& experiment);

// Sets the action of the next interrupts.
void on_strike(void (*strike)());

}  // namespace kernel::sweep
