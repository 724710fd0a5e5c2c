// NVIC and the chip's timer 0.
#include "devices.h"
#include "kernel/board.h"

extern "C" {
// By the vectors, of the interrupt that came last.
uint32_t board_interrupt_number;
uintptr_t board_interrupted_at;
}

namespace board {
namespace {

constexpr uint32_t kFirstOfChip = 16;

// Priority of all interrupts; the way back from them, PendSV, has a higher one: 0.
constexpr uint32_t kPriority = 0x80;
constexpr uint32_t kPriorityOfFour = kPriority * 0x01010101;

constexpr uint32_t kTicksPerMillisecond = kTicksPerSecond / 1000;

void start_timer(uint32_t ticks, uint32_t shorts) {
  timer_stop();
  device(kTimerBits) = k32Bits;
  device(kTimerPrescaler) = 0;
  device(kTimerClear) = 1;
  device(kTimerCompare) = ticks;
  device(kTimerShorts) = shorts;
  device(kTimerEnableInterrupt) = kCompared;
  device(kTimerStart) = 1;
}

}  // namespace

void interrupts_initialize_cpu() {
  device(kPriorities + kTimerInterrupt / 4 * 4) = kPriorityOfFour;
  device(kPriorities + kSoftwareInterrupt / 4 * 4) = kPriorityOfFour;
  device(kSetEnable) = 1U << kTimerInterrupt | 1U << kSoftwareInterrupt;
}

Interrupt interrupt_begin() {
  const uint32_t number = board_interrupt_number;
  if (number == kFirstOfChip + kTimerInterrupt) {
    // The handler has returned by now, while the timer still asked: that has made it pending again.
    // If the host stood still for longer than a period, QEMU's timer compares again in the very
    // store that clears it. Its line never falls then, no edge makes it pending, and the kernel
    // would have had its last tick. So the timer is looked at behind the clearing: a later
    // comparison makes an edge.
    do {
      device(kTimerCompared) = 0;
      device(kClearPending) = 1U << kTimerInterrupt;
    } while (device(kTimerCompared) != 0);
    return {InterruptKind::kTimer, number, 0};
  }
  if (number == kFirstOfChip + kSoftwareInterrupt) return {InterruptKind::kReschedule, number, 0};
  return {InterruptKind::kNone, number, 0};
}

void interrupt_end(const Interrupt& /*interrupt*/) {}

void send_reschedule(unsigned /*cpu*/) {
  device(kSetPending) = 1U << kSoftwareInterrupt;
  asm volatile("dsb\n\tisb" : : : "memory");
}
void send_park(unsigned /*cpu*/) {}

uint64_t ticks_per_millisecond() { return kTicksPerMillisecond; }

void timer_start_cpu(uint32_t ticks_a_second) {
  const uint32_t in_a_millisecond = ticks_a_second / 1000;
  uint32_t period = 0;
  for (uint32_t sum = 0; sum + in_a_millisecond <= kTicksPerMillisecond; sum += in_a_millisecond)
    ++period;
  start_timer(period, kClearWhenCompared);
}

void timer_rearm() {}

void timer_fire_after(uint64_t steps_from_now) {
  // A tick takes less than an instruction: rounded down, the timer comes to its end once in each.
  const uint32_t ticks = static_cast<uint32_t>(steps_from_now) * kInstructionTakes / kTickTakes;
  start_timer(ticks == 0 ? 1 : ticks, kStopWhenCompared);
}

void timer_stop() {
  device(kTimerStop) = 1;
  device(kTimerDisableInterrupt) = kCompared;
  device(kTimerCompared) = 0;
  device(kClearPending) = 1U << kTimerInterrupt;
}

uint64_t wall_clock_ns() { return 0; }

}  // namespace board
