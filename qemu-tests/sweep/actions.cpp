#include "sweep/actions.h"

#include "kernel/board.h"
#include "kernel/panic.h"
#include "sweep/other_thread.h"

namespace kernel::sweep {
namespace {

constexpr uint32_t kLargeRecordBytes = barefxt::kSegmentBytes * 3 / 4;

void look(uint32_t writers) {
  const Findings findings = look_at_moment(running.expected, writers);
  if (findings.wrong != nullptr) fail(findings.wrong);
}

void write_as(Writer writer) {
  running.expected.wrote[writer] = true;
  running.path[writer]->write();
}

// ---- Writes

void write_same_kind() {
  look(1);
  write_as(kInterrupting);
}

void write_large() {
  look(1);
  write_filler(kLargeRecordBytes);
}

void write_all_around() {
  look(1);
  for (uint32_t i = 0; i < 2 * running.experiment->place->segments; ++i)
    write_filler(kLargeRecordBytes);
}

void finish_others() {
  look(1);
  finish_place();
}

void write_nested() {
  look(2);
  write_as(kNested);
}

void write_and_be_interrupted_after(uint64_t steps) {
  look(1);
  running.expected.wrote[kInterrupting] = true;
  on_strike(&write_nested);
#ifdef BOARD_HAS_NMI
  board::timer_fire_nonmaskable_after(steps);
  running.path[kInterrupting]->write();
  board::timer_stop();
#else
  board::interrupts_enable();
  board::timer_fire_after(steps);
  running.path[kInterrupting]->write();
  board::interrupts_save_and_disable();
  board::timer_stop();
#endif
}

void write_and_be_interrupted() { write_and_be_interrupted_after(running.experiment->parameter); }
void write_and_be_interrupted_later() { write_and_be_interrupted_after(running.instruction); }

void write_second() {
  look(1);
  write_as(kNested);
}

void write_and_come_back() {
  look(1);
  write_as(kInterrupting);
  on_strike(&write_second);
  board::timer_fire_after(running.instruction);
}

void write_again_and_again() {
  constexpr uint32_t kStrikes = 200;
  if (running.strikes == 1) look(1);
  write_filler(kMinFillerBytes);
  if (running.strikes < kStrikes) board::timer_fire_after(running.experiment->parameter);
}

// ---- Stop and start

barefxt_stop_report report_of_stop;

void stop() {
  look(1);
  report_of_stop = barefxt_stop();
  if (report_of_stop.unfinished_records > 1 + unfinished_by_place()) fail("unfinished");
}

Findings look_at_what_stop_left(const Expected& expected, const barefxt_stop_report& report) {
  // The interrupt came too late.
  if (running.strikes == 0) return look_at_rest(expected, report);
  return look_after_stop(expected, report_of_stop);
}

void stop_and_come_back() {
  stop();
  on_strike([] {});
  board::timer_fire_after(running.instruction);
}

void restart() {
  look(1);
  barefxt_stop();
  start_again(*running.experiment->mode, *running.experiment->place,
              running.path[kInterrupted]->runs);
}

Findings look_at_what_restart_left(const Expected& expected, const barefxt_stop_report& report) {
  if (running.strikes == 0) return look_at_rest(expected, report);
  return look_after_restart(expected, report);
}

// ---- Snapshot and drain

bool snapshot_of_strike;

void take_out() {
  look(1);
  snapshot_of_strike = false;
  if (running.experiment->mode->mode != BAREFXT_MODE_STREAMING) {
    // None of a ring so small that it would leave the writers too little, or that stopped.
    snapshot_of_strike = barefxt_snapshot() == BAREFXT_OK;
    return;
  }
  static uint8_t frame[BAREFXT_DRAIN_BYTES];
  while (barefxt_drain(frame, sizeof frame, BAREFXT_DUMP_BINARY) != 0) {
  }
}
void take_out_and_come_back() {
  take_out();
  on_strike([] {});
  board::timer_fire_after(running.instruction);
}
void let_go() {
  if (running.strikes != 0 && snapshot_of_strike) barefxt_snapshot_release();
}

// ---- Another thread

void leave() { other().leave(); }

void stop_other() {
  running.expected.wrote[kInterrupting] = true;
  on_strike(&leave);
  other().run_and_stop(running.path[kInterrupting]->write, running.experiment->parameter);
}
void switch_to_other() {
  look(2);
  other().resume();
}
void finish_other() { other().resume(); }

}  // namespace

bool stops_at_swap(const Experiment& experiment, bool& done) {
  rehearse(experiment);
  const bool stopped = running.strikes != 0;
  done = !stopped;
  return stopped && board::is_swap(running.address);
}

const Action kSameKind = {"same", &write_same_kind, false, nullptr, nullptr, nullptr};
const Action kCrossing = {"crossing", &write_large, false, nullptr, nullptr, nullptr};
const Action kFilling = {"filling", &write_all_around, true, nullptr, nullptr, nullptr};
const Action kFinish = {"finish", &finish_others, false, nullptr, nullptr, nullptr};
const Action kTwice = {"twice", &write_and_be_interrupted, false, nullptr, nullptr, nullptr};
const Action kWithin = {"within", &write_and_be_interrupted_later, false, nullptr, nullptr,
                        nullptr};
const Action kAgain = {"again", &write_and_come_back, false, nullptr, nullptr, nullptr};
const Action kStorm = {"storm", &write_again_and_again, true, nullptr, nullptr, nullptr};
const Action kStop = {"stop", &stop, false, nullptr, nullptr, &look_at_what_stop_left};
const Action kAfterStop = {"after_stop", &stop_and_come_back,    false, nullptr,
                           nullptr,      &look_at_what_stop_left};
const Action kRestart = {"restart", &restart, false, nullptr, nullptr, &look_at_what_restart_left};
const Action kAfterSnapshot = {"after_snapshot", &take_out_and_come_back, true, nullptr, &let_go,
                               nullptr};
const Action kTakeOut = {"take_out", &take_out, true, nullptr, &let_go, nullptr};
const Action kSwitch = {"switch", &switch_to_other, false, &stop_other, &finish_other, nullptr};

}  // namespace kernel::sweep
