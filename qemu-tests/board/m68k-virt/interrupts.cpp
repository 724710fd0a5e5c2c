// The clocks: one is the timer, the other's alarm the message that the CPU sends to itself.
#include "devices.h"
#include "kernel/board.h"

extern "C" {
// By the vectors, of the interrupt that came last.
uintptr_t board_interrupted_at;
uint16_t board_interrupt_vector;
}

namespace board {
namespace {

constexpr uint32_t kTicksPerSecond = 1000000000;
constexpr uint32_t kTimer = 1;
constexpr uint32_t kMessage = 2;

uint32_t timer_period = 0;
uint64_t alarm = 0;

uint64_t time_now() {
  const uint32_t low = device_register(kClock + clock::kTimeLow);
  return uint64_t{device_register(kClock + clock::kTimeHigh)} << 32 | low;
}

void set_alarm(uint64_t time) {
  alarm = time;
  device_register(kClock + clock::kAlarmHigh) = static_cast<uint32_t>(time >> 32);
  device_register(kClock + clock::kAlarmLow) = static_cast<uint32_t>(time);
}

}  // namespace

void interrupts_initialize_cpu() {
  timer_stop();
  device_register(kClock + clock::kInterruptOn) = 1;
  device_register(kOtherClock + clock::kInterruptOn) = 1;
  device_register(kPic6 + pic::kEnable) = kTimer | kMessage;
}

Interrupt interrupt_begin() {
  const uint32_t pending = device_register(kPic6 + pic::kPending);
  const uint32_t number = board_interrupt_vector >> 2;
  if ((pending & kTimer) != 0) {
    device_register(kClock + clock::kClearInterrupt) = 1;
    return {InterruptKind::kTimer, number, 0};
  }
  if ((pending & kMessage) != 0) {
    device_register(kOtherClock + clock::kClearInterrupt) = 1;
    return {InterruptKind::kReschedule, number + 1, 0};
  }
  return {InterruptKind::kNone, number, 0};
}

void interrupt_end(const Interrupt& /*interrupt*/) {}

// An alarm for a time that has passed goes off at once.
void send_reschedule(unsigned /*cpu*/) {
  device_register(kOtherClock + clock::kAlarmHigh) = 0;
  device_register(kOtherClock + clock::kAlarmLow) = 0;
}
void send_park(unsigned /*cpu*/) {}

uint64_t ticks_per_millisecond() { return kTicksPerSecond / 1000; }

void timer_start_cpu(uint32_t ticks_a_second) {
  timer_period = kTicksPerSecond / ticks_a_second;
  set_alarm(time_now() + timer_period);
}

void timer_rearm() {
  const uint64_t now = time_now();
  // A CPU that was held up does not make up for the ticks it missed.
  set_alarm(alarm + timer_period <= now ? now + timer_period : alarm + timer_period);
}

void timer_fire_after(uint64_t steps_from_now) { set_alarm(time_now() + steps_from_now); }

void timer_stop() {
  device_register(kClock + clock::kClearAlarm) = 1;
  device_register(kClock + clock::kClearInterrupt) = 1;
}

uint64_t wall_clock_ns() { return time_now(); }

}  // namespace board
