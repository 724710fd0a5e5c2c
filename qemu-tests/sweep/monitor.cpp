#include "sweep/monitor.h"

#include "kernel/board.h"
#include "kernel/console.h"
#include "kernel/panic.h"
#include "sweep/actions.h"
#include "sweep/other_thread.h"

namespace kernel::sweep {

#if BOARD_HAS_EXCLUSIVES

namespace {

// ---- The probe that a kernel can make of itself

bool is_monitor_cleared(OtherThread::Switch how) {
  static uint32_t word;
  barefxt_port_monitor_probe_begin(&word);
  other().run_until_it_leaves([] { other().leave(); }, how);
  const bool cleared = barefxt_port_monitor_probe_end(&word) != 0;
  other().resume();
  return cleared;
}

// ---- The sweep

// Writes a record with a switch at the worst place: the position was loaded, it is not swapped yet.
void write_around_a_switch() {
  auto* position = reinterpret_cast<barefxt::PositionWord*>(&barefxt::rings[0].position);
  for (bool first = true;; first = false) {
    const barefxt::PositionWord at = board::load_exclusive(position);
    const uint64_t ticks = barefxt_port_counter();
    if (first) other().leave();
    if (!board::store_exclusive(position, at + kMinFillerBytes)) continue;
    return write_filler_at(at, ticks);
  }
}

void leave_soundly() { other().run_until_it_leaves(&write_around_a_switch, &board_context_switch); }
void leave_unsoundly() {
  other().run_until_it_leaves(&write_around_a_switch, &board_context_switch_without_clrex);
}
void go_on() { other().resume(); }

constexpr Action kSwitchByCall = {"switch_by_call", &go_on, false, &leave_soundly, &go_on, nullptr};
constexpr Action kSwitchWithoutClrex = {"switch_without_clrex", &go_on, false,
                                        &leave_unsoundly,       &go_on, nullptr};

// ---- Without an interrupt

// The other thread stands between its load and its swap. The position moves on, this thread loads
// it as well, and switches there: the other's swap must not succeed by this one's load.
void meet() {
  write_filler(kMinFillerBytes);
  board::load_exclusive(reinterpret_cast<barefxt::PositionWord*>(&barefxt::rings[0].position));
  go_on();
}

constexpr Action kMeetByCall = {"", nullptr, false, &leave_soundly, &meet, nullptr};
constexpr Action kMeetWithoutClrex = {"", nullptr, false, &leave_unsoundly, &meet, nullptr};

bool meets_soundly(const Action& action, const char* how) {
  constexpr unsigned kContextSwitch = 0;
  const Findings findings = rehearse({&kModes[0], &kOpen, kContextSwitch, &action, 0, 1});
  print("MONITOR writers=2 switch=", how, " attempted=", findings.attempted.records,
        " read=", findings.read.records, "\n");
  return findings.wrong == nullptr;
}

// A path of two records, so that the position moves on before it is loaded again.
bool sweep_with(const Action& action) {
  constexpr unsigned kContextSwitch = 0;
  return sweep({&kModes[0], &kOpen, kContextSwitch, &action, 0, 1}, discarded_addresses()).sound;
}

}  // namespace

bool switch_between_exclusives() {
  const bool kernels = is_monitor_cleared(&board_context_switch);
  const bool without = is_monitor_cleared(&board_context_switch_without_clrex);
  print("MONITOR switch=kernel cleared=", uint64_t{kernels}, "\n");
  print("MONITOR switch=without_clrex cleared=", uint64_t{without}, "\n");
  const bool meets = meets_soundly(kMeetByCall, "kernel");
  const bool meets_without = meets_soundly(kMeetWithoutClrex, "without_clrex");
  const bool sound = sweep_with(kSwitchByCall);
  sweep_with(kSwitchWithoutClrex);
  return sound && kernels && !without && meets && !meets_without;
}

#else

bool switch_between_exclusives() { return true; }

#endif

}  // namespace kernel::sweep
