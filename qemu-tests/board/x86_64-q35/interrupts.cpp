// The local interrupt controllers with their timers, the time stamp counter, and messages.
#include <barefxt_port.h>

#include "kernel/board.h"
#include "local_apic.h"
#include "ports.h"

namespace board {
namespace {

// Ticks in the same stretch of time.
uint64_t counter_rate = 0;
uint64_t timer_rate = 0;

// While timer_stop gets rid of an interrupt that was requested before.
bool dropping = false;

// The ACPI timer, which runs at the same rate on all machines; where the firmware puts it on this.
constexpr uint16_t kPowerTimer = 0x608;
constexpr uint32_t kPowerTimerMask = 0xffffff;
constexpr uint64_t kPowerTimerHertz = 3579545;

uint32_t timer_ticks(uint64_t ticks) {
  const uint64_t count = (ticks * timer_rate + counter_rate / 2) / counter_rate;
  constexpr uint64_t kLongest = 0xffffffff;
  // Nothing would stop it.
  if (count == 0) return 1;
  return static_cast<uint32_t>(count < kLongest ? count : kLongest);
}

constexpr uint32_t kPeriodic = 1U << 17;
constexpr uint32_t kNmiDelivery = 4U << 8;

void start_timer(uint32_t mode, uint64_t ticks) {
  write_apic(Apic::kTimer, mode | VECTOR_TIMER);
  write_apic(Apic::kTimerStart, timer_ticks(ticks));
}

uint32_t vector() {
  uint32_t vector = 0;
  asm volatile("movl %%gs:%c1, %0" : "=r"(vector) : "i"(CPU_VECTOR));
  return vector;
}

// Values of all three clocks at about the same time.
struct Moment {
  uint64_t ticks;
  uint32_t timer;
  uint32_t power;
};

// The best of a few: a virtual CPU may lose the host's between one read and the next.
__attribute__((noinline)) Moment now() {
  constexpr unsigned kTries = 5;
  Moment best = {};
  uint64_t least = UINT64_MAX;
  for (unsigned i = 0; i < kTries; ++i) {
    Moment moment = {};
    moment.ticks = ticks();
    moment.timer = read_apic(Apic::kTimerNow);
    moment.power = in32(kPowerTimer);
    const uint64_t took = ticks() - moment.ticks;
    if (took >= least) continue;
    least = took;
    best = moment;
  }
  return best;
}

// Without a look outside, which takes an emulator that counts instructions as long as a thousand.
void stay_for_a_while() {
  constexpr unsigned kRounds = 1000;
  for (unsigned i = 0; i < kRounds; ++i) asm volatile("");
}

bool is_timer_requested() {
  return (read_apic(Apic::kRequested, VECTOR_TIMER / 32 * 16) >> (VECTOR_TIMER % 32) & 1) != 0;
}

}  // namespace

void measure_rates() {
  // Each read of the ACPI timer takes about a microsecond, each tick a third of that.
  constexpr uint32_t kPowerTicks = kPowerTimerHertz / 4000;
  write_apic(Apic::kTimerDivider, 0xb);  // by 1
  write_apic(Apic::kTimer, kApicMasked | VECTOR_TIMER);
  write_apic(Apic::kTimerStart, 0xffffffff);
  const Moment begin = now();
  while (((in32(kPowerTimer) - begin.power) & kPowerTimerMask) < kPowerTicks) stay_for_a_while();
  const Moment end = now();
  write_apic(Apic::kTimerStart, 0);
  counter_rate = end.ticks - begin.ticks;
  timer_rate = begin.timer - end.timer;
  const uint32_t passed = (end.power - begin.power) & kPowerTimerMask;
  barefxt_x86_64_tsc_hertz = counter_rate * kPowerTimerHertz / passed;
}

void interrupts_initialize_cpu() {
  constexpr uint32_t kEnabled = 1U << 8;
  write_apic(Apic::kLine0, kApicMasked);
  write_apic(Apic::kLine1, kApicMasked);
  write_apic(Apic::kTimerDivider, 0xb);
  write_apic(Apic::kTimer, kApicMasked | VECTOR_TIMER);
  write_apic(Apic::kSpurious, kEnabled | VECTOR_SPURIOUS);
}

Interrupt interrupt_begin() {
  const uint32_t number = vector();
  switch (number) {
    case VECTOR_TIMER:
      if (!dropping) return {InterruptKind::kTimer, number, number};
      write_apic(Apic::kEnd, 0);
      return {InterruptKind::kNone, number, number};
    case VECTOR_RESCHEDULE:
      return {InterruptKind::kReschedule, number, number};
    case VECTOR_PARK:
      return {InterruptKind::kPark, number, number};
    case VECTOR_NMI:
      return {InterruptKind::kNonmaskable, number, number};
    default:
      return {InterruptKind::kNone, number, number};
  }
}

void interrupt_end(const Interrupt& /*unused*/) { write_apic(Apic::kEnd, 0); }

void send_reschedule(unsigned cpu) { send_message(cpu, kFixedMessage | VECTOR_RESCHEDULE); }
void send_park(unsigned cpu) { send_message(cpu, kFixedMessage | VECTOR_PARK); }
void send_nonmaskable(unsigned cpu) { send_message(cpu, kNmiMessage); }

uint64_t ticks_per_millisecond() { return barefxt_x86_64_tsc_hertz / 1000; }

void timer_start_cpu(uint32_t ticks_a_second) {
  start_timer(kPeriodic, barefxt_x86_64_tsc_hertz / ticks_a_second);
}

// It starts again by itself.
void timer_rearm() {}

void timer_fire_after(uint64_t ticks_from_now) { start_timer(0, ticks_from_now); }

// CPUs do not let the timer choose how it interrupts. The emulator does.
void timer_fire_nonmaskable_after(uint64_t ticks_from_now) {
  start_timer(kNmiDelivery, ticks_from_now);
}

void timer_stop() {
  write_apic(Apic::kTimer, kApicMasked | VECTOR_TIMER);
  write_apic(Apic::kTimerStart, 0);
  if (!is_timer_requested()) return;
  // A request stays, and would interrupt at an unexpected time later.
  const InterruptState state = interrupts_save_and_disable();
  dropping = true;
  interrupts_enable();
  asm volatile("nop" : : : "memory");
  interrupts_restore(state);
  dropping = false;
}

}  // namespace board
