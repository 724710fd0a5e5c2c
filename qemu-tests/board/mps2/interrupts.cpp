// NVIC and SysTick.
#include "cpus.h"
#include "kernel/board.h"
#include "machine.h"
#include "system_control.h"

extern "C" {
// By the vectors, of the interrupt that came last on each CPU.
uint32_t board_interrupt_number[BAREFXT_MAX_CPUS];
uintptr_t board_interrupted_at[BAREFXT_MAX_CPUS];
}

namespace board {
namespace {

constexpr uint32_t kSysTick = 15;
constexpr uint32_t kFirstOfBoard = 16;
// One that no device has: set pending by the kernel.
constexpr uint32_t kReschedule = 31;

// Priority of all interrupts; the way back from them, PendSV, has a higher one: 0.
constexpr uint32_t kPriority = 0x80;

constexpr uint32_t kSysTickOn = 7;  // by the CPU's clock, with its interrupt
constexpr uint32_t kTicksPerMillisecond = kTicksPerSecond / 1000;

}  // namespace

void interrupts_initialize_cpu() {
  system_control(kSystemPriorities) = kPriority << 24;
  *reinterpret_cast<volatile uint8_t*>(kPriorities + kReschedule) = kPriority;
  *reinterpret_cast<volatile uint8_t*>(kPriorities + kMessageInterrupt) = kPriority;
  system_control(kSetEnable) = 1U << kReschedule | 1U << kMessageInterrupt;
}

Interrupt interrupt_begin() {
  const uint32_t cpu = barefxt_port_cpu();
  const uint32_t number = board_interrupt_number[cpu];
  if (number == kSysTick) return {InterruptKind::kTimer, number, 0};
  if (number == kFirstOfBoard + kReschedule) return {InterruptKind::kReschedule, number, 0};
  if (number == kFirstOfBoard + kMessageInterrupt) {
    // If two come at once the other stays, and interrupts again.
    const uint32_t bits = messages(cpu);
    if ((bits & kStopMessage) != 0) stay_stopped();
    if ((bits & kParkMessage) != 0) {
      clear_messages(cpu, kParkMessage);
      return {InterruptKind::kPark, number, 0};
    }
    if ((bits & kRescheduleMessage) != 0) {
      clear_messages(cpu, kRescheduleMessage);
      return {InterruptKind::kReschedule, number, 0};
    }
  }
  return {InterruptKind::kNone, number, 0};
}

void interrupt_end(const Interrupt& /*interrupt*/) {}

void send_reschedule(unsigned cpu) {
  // Stores for the other CPU must be visible before the interrupt is.
  asm volatile("dsb" : : : "memory");
  if (cpu == barefxt_port_cpu())
    system_control(kSetPending) = 1U << kReschedule;
  else
    send_messages(cpu, kRescheduleMessage);
  asm volatile("dsb\n\tisb" : : : "memory");
}
void send_park(unsigned cpu) {
  asm volatile("dsb" : : : "memory");
  send_messages(cpu, kParkMessage);
}

uint64_t ticks_per_millisecond() { return kTicksPerMillisecond; }

void timer_start_cpu(uint32_t ticks_a_second) {
  const uint32_t in_a_millisecond = ticks_a_second / 1000;
  uint32_t period = 0;
  for (uint32_t sum = 0; sum + in_a_millisecond <= kTicksPerMillisecond; sum += in_a_millisecond)
    ++period;
  system_control(kSysTickReload) = period - 1;
  system_control(kSysTickValue) = 0;
  system_control(kSysTickControl) = kSysTickOn;
}

void timer_rearm() {}

void timer_fire_after(uint64_t steps_from_now) {
  // A tick takes less than an instruction: rounded down, the timer comes to zero once within each;
  // later by so much that it never does so where one ends and the next begins.
  timer_stop();
  system_control(kSysTickReload) =
      (static_cast<uint32_t>(steps_from_now) * kInstructionTakes + kTimerDelay) / kTickTakes;
  system_control(kSysTickValue) = 0;
  system_control(kSysTickControl) = kSysTickOn;
}

void timer_stop() {
  system_control(kSysTickControl) = 0;
  system_control(kInterruptState) = kClearSysTick;
}

uint64_t wall_clock_ns() { return 0; }

}  // namespace board
