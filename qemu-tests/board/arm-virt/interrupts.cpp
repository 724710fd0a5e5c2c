// GICv2, the generic timer's virtual counter and the clock of QEMU's virt machine.
#include "board/arm-virt/devices.h"
#include "kernel/board.h"
#include "machine_access.h"

namespace board {
namespace {

constexpr uintptr_t kDistributor = 0x08000000;
constexpr uintptr_t kCpuInterface = 0x08010000;

constexpr uintptr_t kDistributorControl = kDistributor + 0x000;
constexpr uintptr_t kSetEnable = kDistributor + 0x100;
constexpr uintptr_t kPriority = kDistributor + 0x400;
constexpr uintptr_t kSoftwareInterrupt = kDistributor + 0xf00;

constexpr uintptr_t kInterfaceControl = kCpuInterface + 0x00;
constexpr uintptr_t kPriorityMask = kCpuInterface + 0x04;
constexpr uintptr_t kAcknowledge = kCpuInterface + 0x0c;
constexpr uintptr_t kEnd = kCpuInterface + 0x10;

constexpr uintptr_t kRealTimeClock = 0x09010000;  // PL031: seconds since 1970

constexpr uint32_t kRescheduleNumber = 0;
constexpr uint32_t kParkNumber = 1;
constexpr uint32_t kTimerNumber = 27;

constexpr uintptr_t kTimerOff = 0;
constexpr uintptr_t kTimerOn = 1;

uint32_t timer_period = 0;

void send(unsigned cpu, uint32_t number) {
  // Stores for the other CPU must be visible before the interrupt is.
  asm volatile("dsb ish" : : : "memory");
  write_register(kSoftwareInterrupt, (uint32_t{1} << (16 + cpu)) | number);
}

}  // namespace

void interrupts_initialize_cpu() {
  // The first 32 interrupts, all we use, are each CPU's own.
  for (uintptr_t at = 0; at < 32; at += 4) write_register(kPriority + at, 0xa0a0a0a0);
  write_register(kSetEnable,
                 (1U << kRescheduleNumber) | (1U << kParkNumber) | (1U << kTimerNumber));
  write_register(kDistributorControl, 1);
  write_register(kPriorityMask, 0xff);
  write_register(kInterfaceControl, 1);
}

Interrupt interrupt_begin() {
  const uint32_t token = read_register(kAcknowledge);
  const uint32_t number = token & 0x3ff;
  switch (number) {
    case kTimerNumber:
      return {InterruptKind::kTimer, number, token};
    case kRescheduleNumber:
      return {InterruptKind::kReschedule, number, token};
    case kParkNumber:
      return {InterruptKind::kPark, number, token};
    default:
      return {InterruptKind::kNone, number, token};
  }
}

void interrupt_end(const Interrupt& interrupt) { write_register(kEnd, interrupt.token); }

void send_reschedule(unsigned cpu) { send(cpu, kRescheduleNumber); }
void send_park(unsigned cpu) { send(cpu, kParkNumber); }

uint64_t ticks_per_millisecond() { return counter_frequency() / 1000; }

void timer_start_cpu(uint32_t ticks_a_second) {
  timer_period = counter_frequency() / ticks_a_second;
  set_timer_compare(ticks() + timer_period);
  set_timer_control(kTimerOn);
}

void timer_rearm() {
  const uint64_t now = ticks();
  uint64_t compare = timer_compare() + timer_period;
  // A CPU that was held up does not make up for the ticks it missed.
  if (compare <= now) compare = now + timer_period;
  set_timer_compare(compare);
}

void timer_fire_after(uint64_t ticks_from_now) {
  set_timer_compare(~uint64_t{0} >> 1);
  set_timer_control(kTimerOn);
  set_timer_compare(ticks() + ticks_from_now);
}

void timer_stop() { set_timer_control(kTimerOff); }

uint64_t wall_clock_ns() { return read_register(kRealTimeClock) * uint64_t{1000000000}; }

}  // namespace board
