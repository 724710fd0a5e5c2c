// GICv2, the generic timer's virtual counter and the clock of QEMU's virt machine.
#include "devices.h"
#include "kernel/board.h"

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

uint64_t timer_period = 0;

uint64_t ticks_per_second() {
  uint64_t value = 0;
  asm volatile("mrs %0, cntfrq_el0" : "=r"(value));
  return value;
}

void set_compare(uint64_t value) {
  asm volatile("msr cntv_cval_el0, %0\n\tisb" : : "r"(value) : "memory");
}

void send(unsigned cpu, uint32_t number) {
  // What the other CPU is to see must be visible before the interrupt is.
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

uint64_t ticks_per_millisecond() { return ticks_per_second() / 1000; }

void timer_start_cpu(uint32_t ticks_a_second) {
  timer_period = ticks_per_second() / ticks_a_second;
  set_compare(ticks() + timer_period);
  asm volatile("msr cntv_ctl_el0, %0\n\tisb" : : "r"(uint64_t{1}));
}

void timer_rearm() {
  uint64_t compare = 0;
  asm volatile("mrs %0, cntv_cval_el0" : "=r"(compare));
  const uint64_t now = ticks();
  compare += timer_period;
  // A CPU that was held up does not make up for the ticks it missed.
  if (compare <= now) compare = now + timer_period;
  set_compare(compare);
}

void timer_fire_after(uint64_t ticks_from_now) {
  set_compare(~uint64_t{0} >> 1);
  asm volatile("msr cntv_ctl_el0, %0\n\tisb" : : "r"(uint64_t{1}));
  set_compare(ticks() + ticks_from_now);
}

void timer_stop() { asm volatile("msr cntv_ctl_el0, %0\n\tisb" : : "r"(uint64_t{0})); }

uint64_t wall_clock_ns() { return read_register(kRealTimeClock) * uint64_t{1000000000}; }

}  // namespace board
