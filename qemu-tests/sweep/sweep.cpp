#include "sweep/sweep.h"

#include "kernel/board.h"
#include "kernel/console.h"
#include "sweep/actions.h"
#include "sweep/calls.h"
#include "sweep/monitor.h"
#include "sweep/names.h"
#include "sweep/reset.h"
#include "sweep/selection.h"

namespace kernel::sweep {
namespace {

// In paths that are mostly loops, only every N-th instruction is interrupted.
constexpr uint32_t kEveryOfLoops = 61;

// The selected parts of an experiment.
struct Selected {
  Places places = Places::kAll;
  uint64_t parameter = 0;
  uint32_t step = 1;
};

bool in_all_modes(unsigned path, const Action& action, const Selected& selected,
                  Addresses& addresses) {
  bool sound = true;
  for (const Mode& mode : kModes) {
    for (const Place& place : kPlaces) {
      if (!is_among(place, mode, selected.places)) continue;
      // The next session would find what this one leaves unfinished or holds, for good.
      if (&action == &kRestart && (place.unfinished != 0 || place.stops || place.held)) continue;
      if (&action == &kFinish && place.unfinished == 0) continue;
      sound = sweep({&mode, &place, path, &action, selected.parameter, selected.step}, addresses)
                  .sound &&
              sound;
    }
  }
  return sound;
}

// An interrupt at every instruction of every path, or at every N-th.
bool interrupt_once(Extent extent, uint32_t every) {
  static Addresses addresses;
  bool sound = true;
  for (unsigned i = 0; i < path_count(); ++i) {
    const Path& path = path_at(i);
    const bool is_long = path.length == Length::kLong;
    const Places here = is_long ? Places::kTwo : Places::kUsual;
    addresses.clear();
    if (extent == Extent::kFull || is_one_of_few(path)) {
      constexpr const Action* kActions[] = {&kSameKind, &kCrossing, &kStop, &kTakeOut, &kFinish};
      for (const Action* action : kActions)
        sound = in_all_modes(i, *action, {Places::kAll, 0, every}, addresses) && sound;
      sound = in_all_modes(i, kFilling, {here, 0, every}, addresses) && sound;
    } else {
      // Another round of a loop comes to the instructions that a step leaves out.
      const uint32_t step = is_long && every != 1 ? kEveryOfLoops : every;
      sound = in_all_modes(i, kSameKind, {here, 0, step}, addresses) && sound;
      if (is_long) sound = in_all_modes(i, kStop, {here, 0, step}, addresses) && sound;
    }
    addresses.print(path.name);
  }
  return sound;
}

// Reaches code that runs only after an interrupt: a second one comes at every instruction from
// there on, if the first came right before a swap, which then fails.
bool interrupt_again(unsigned path, const Mode& mode, const Place& place, uint32_t every,
                     Addresses& addresses) {
  const Result first = sweep({&mode, &place, path, &kSameKind, 0, 1}, discarded_addresses());
  bool sound = first.sound;
  for (uint32_t i = 0; i < first.swaps; ++i) {
    sound =
        sweep({&mode, &place, path, &kAgain, 0, every, first.swap[i]}, addresses).sound && sound;
    if (place.only_circular && !place.held)
      sound =
          sweep({&mode, &place, path, &kAfterSnapshot, 0, every, first.swap[i]}, addresses).sound &&
          sound;
  }
  if (first.swaps != 0)
    sound = sweep({&mode, &place, path, &kAfterStop, 0, every, first.swap[0]}, addresses).sound &&
            sound;
  return sound;
}

// Reaches code that runs only while another writer has taken a segment, or has it ready to open:
// the first interrupt comes right before each swap on the way there, and another at every
// instruction of that one's.
bool interrupt_within(uint32_t every, Addresses& addresses) {
  constexpr unsigned kPath = 0;
  bool sound = true;
  for (const Mode& mode : kModes) {
    for (const Place& place : kPlaces) {
      if (!is_among(place, mode, Places::kCrossings)) continue;
      const Result first = sweep({&mode, &place, kPath, &kSameKind, 0, 1}, discarded_addresses());
      for (uint32_t i = 0; i < first.swaps; ++i)
        sound = sweep({&mode, &place, kPath, &kWithin, 0, every, first.swap[i]}, addresses).sound &&
                sound;
    }
  }
  return sound;
}

bool interrupt_again(bool thorough, uint32_t every) {
  static Addresses addresses;
  bool sound = true;
  for (unsigned i = 0; i < path_count(); ++i) {
    const Path& path = path_at(i);
    // The code behind a swap that fails is the same in every place of a path: a long path, with
    // many, need not be interrupted at each of them in each place.
    const bool is_long = path.length == Length::kLong;
    if (is_long && !thorough) continue;
    if (every != 1 && !is_one_of_few(path)) continue;
    Places places = Places::kTwo;
    if (is_one_of_few(path)) places = Places::kUsual;
    if (thorough && !is_long) places = Places::kAll;
    addresses.clear();
    for (const Mode& mode : kModes) {
      for (const Place& place : kPlaces) {
        const bool overwrites =
            same_text(path.name, "thread_wakeup") &&
            (is_called(place, "overwriting") || is_called(place, "next_is_held"));
        if (is_among(place, mode, places) || (overwrites && exists_in(place, mode)))
          sound = interrupt_again(i, mode, place, every, addresses) && sound;
      }
    }
    addresses.print(path.name);
  }
  return sound;
}

// Interrupts the interrupted code while it has taken a segment, with an interrupt that is
// interrupted itself at every instruction, and with so many that every retry limit is reached. The
// code behind a swap that fails in one path is the same in the others.
bool interrupt_claims_and_patience(bool thorough, uint32_t every) {
  static Addresses addresses;
  constexpr unsigned kPath = 0;
  bool sound = true;
  addresses.clear();
  for (uint64_t ticks = 1; ticks < 400; ticks += every)
    sound =
        in_all_modes(kPath, kTwice, {Places::kCrossings, ticks, thorough ? 7U : 89U}, addresses) &&
        sound;
  // Nearer than that the interrupted code gets nowhere at all, farther it is not disturbed enough.
  for (uint64_t ticks = 40; ticks < 120; ticks += every)
    sound = in_all_modes(kPath, kStorm, {thorough ? Places::kUsual : Places::kTwo, ticks, 17},
                         addresses) &&
            sound;
  sound = interrupt_within(every, addresses) && sound;
  addresses.print(path_at(kPath).name);
  return sound;
}

bool restart(Extent extent, uint32_t every) {
  bool sound = true;
  for (unsigned i = 0; i < path_count(); ++i) {
    if (extent != Extent::kFull && !is_one_of_few(path_at(i))) continue;
    // A session that starts has all on: what this path writes after that is recorded.
    if (same_text(path_at(i).name, "off")) continue;
    sound = in_all_modes(i, kRestart, {Places::kAll, 0, every}, discarded_addresses()) && sound;
  }
  return sound;
}

// An interrupt at every instruction, and another at every instruction of that one's.
bool interrupt_twice(Extent extent, uint32_t every) {
  // If not all are taken it has no divisor in common with the other step.
  const uint64_t step = extent == Extent::kFull ? 1 : 59;
  bool sound = true;
  for (unsigned i = 0; i < path_count(); ++i) {
    if (!is_one_of_few(path_at(i))) continue;
    for (uint64_t ticks = 1; ticks < 500; ticks += step)
      sound =
          in_all_modes(i, kTwice, {Places::kUsual, ticks, every}, discarded_addresses()) && sound;
  }
  return sound;
}

// A switch to a thread that was stopped in its own write: at each instruction of that, or where it
// is about to swap the position.
bool switch_threads(Extent extent, uint32_t every) {
  const bool thorough = extent == Extent::kFull;
  bool sound = true;
  for (unsigned i = 0; i < path_count(); ++i) {
    const bool everywhere = same_text(path_at(i).name, "instant");
    if (!thorough && !everywhere && !is_one_of_few(path_at(i))) continue;
    for (uint64_t ticks = 1;; ++ticks) {
      const Experiment experiment = {&kModes[0], &kOpen, i, &kSwitch, ticks, every};
      bool done = false;
      const bool at_swap = stops_at_swap(experiment, done);
      if (done) break;
      if (at_swap)
        sound = in_all_modes(i, kSwitch, {thorough ? Places::kAll : Places::kUsual, ticks, every},
                             discarded_addresses()) &&
                sound;
      else if (everywhere)
        sound = sweep(experiment, discarded_addresses()).sound && sound;
    }
  }
  return sound;
}

}  // namespace

bool run(const Parameters& parameters) {
  const Extent extent = parameters.extent;
  const uint32_t every = parameters.every;
  board::interrupts_initialize_cpu();
  if (parameters.sweep == Sweep::kReset) return reset_everywhere(parameters);
  if (parameters.sweep == Sweep::kNames) {
    interrupt_names(every, parameters.later);
    return true;
  }
  register_threads();
  if (parameters.sweep == Sweep::kCalls || parameters.sweep == Sweep::kLimited) {
    const bool sound =
        parameters.sweep == Sweep::kCalls ? interrupt_calls(every) : interrupt_limited_calls(every);
    print("SWEEP end\n");
    return sound;
  }
  learn_paths();
  bool sound = false;
  switch (parameters.sweep) {
    case Sweep::kOnce:
      sound = interrupt_once(extent, every);
      sound = interrupt_again(extent == Extent::kFull, every) && sound;
      sound = interrupt_claims_and_patience(extent == Extent::kFull, every) && sound;
      break;
    case Sweep::kRestart:
      sound = restart(extent, every);
      break;
    case Sweep::kTwice:
      sound = interrupt_twice(extent, every);
      break;
    case Sweep::kSwitch:
      sound = switch_threads(extent, every);
      break;
    case Sweep::kMonitor:
      sound = switch_between_exclusives();
      break;
    case Sweep::kReset:
    case Sweep::kCalls:
    case Sweep::kLimited:
    case Sweep::kNames:
      break;
  }
  print("SWEEP end\n");
  return sound;
}

}  // namespace kernel::sweep
