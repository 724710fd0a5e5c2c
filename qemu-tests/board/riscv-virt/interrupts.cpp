// The CLINT, which has a timer and a software interrupt for each hart, and the clock of QEMU's virt
// machine.
#include "devices.h"
#include "kernel/board.h"

namespace board {
namespace {

constexpr uintptr_t kSoftwareInterrupts = BOARD_CLINT;
constexpr uintptr_t kTimerCompares = BOARD_CLINT + 0x4000;
constexpr uintptr_t kRealTimeClock = 0x00101000;  // goldfish: nanoseconds since 1970

// Numbers in mcause and mie.
constexpr uint32_t kSoftwareNumber = 3;
constexpr uint32_t kTimerNumber = 7;

constexpr uint32_t kTicksPerSecond = BAREFXT_RISCV_FREQUENCY;

uint64_t timer_period = 0;

// Two kinds of messages share the one software interrupt.
constexpr uint32_t kReschedule = 1;
constexpr uint32_t kPark = 2;
uint32_t messages[kMaxCpus];

void send(unsigned cpu, uint32_t message) {
  __atomic_fetch_or(&messages[cpu], message, __ATOMIC_RELEASE);
  // Stores for the other CPU must be visible before the interrupt is.
  asm volatile("fence rw, ow" : : : "memory");
  set_software_interrupt(hart_of(cpu), true);
}

unsigned this_cpu() {
  uintptr_t number = 0;
  asm volatile("mv %0, tp" : "=r"(number));
  return static_cast<unsigned>(number);
}

unsigned this_hart() { return hart_of(this_cpu()); }

// One at a time: where there are both, the interrupt comes again for the other.
Interrupt take_message() {
  set_software_interrupt(this_hart(), false);
  asm volatile("fence ow, rw" : : : "memory");
  uint32_t& mine = messages[this_cpu()];
  const uint32_t all = __atomic_load_n(&mine, __ATOMIC_ACQUIRE);
  if (all == 0) return {InterruptKind::kNone, kSoftwareNumber, 0};
  const uint32_t one = (all & kPark) != 0 ? kPark : kReschedule;
  if (__atomic_and_fetch(&mine, ~one, __ATOMIC_ACQ_REL) != 0)
    set_software_interrupt(this_hart(), true);
  return {one == kPark ? InterruptKind::kPark : InterruptKind::kReschedule, kSoftwareNumber, 0};
}

}  // namespace

void set_software_interrupt(unsigned hart, bool raised) {
  write_register(kSoftwareInterrupts + 4 * hart, raised ? 1 : 0);
}

void set_timer_compare(unsigned hart, uint64_t ticks) {
  const uintptr_t at = kTimerCompares + 8 * hart;
  if constexpr (sizeof(uintptr_t) == 8) {
    *reinterpret_cast<volatile uint64_t*>(at) = ticks;
  } else {
    // In an order in which it is never earlier than before and after.
    write_register(at + 4, 0xffffffff);
    write_register(at, static_cast<uint32_t>(ticks));
    write_register(at + 4, static_cast<uint32_t>(ticks >> 32));
  }
}

uint64_t timer_compare(unsigned hart) {
  const uintptr_t at = kTimerCompares + 8 * hart;
  if constexpr (sizeof(uintptr_t) == 8) return *reinterpret_cast<volatile uint64_t*>(at);
  return uint64_t{read_register(at + 4)} << 32 | read_register(at);
}

void interrupts_initialize_cpu() {
  set_timer_compare(this_hart(), kNever);
  const uintptr_t enabled = (1U << kSoftwareNumber) | (1U << kTimerNumber);
  asm volatile("csrw mie, %0" : : "r"(enabled) : "memory");
}

Interrupt interrupt_begin() {
  uintptr_t cause = 0;
  asm volatile("csrr %0, mcause" : "=r"(cause));
  switch (cause & 0xff) {
    case kTimerNumber:
      return {InterruptKind::kTimer, kTimerNumber, 0};
    case kSoftwareNumber:
      return take_message();
    default:
      return {InterruptKind::kNone, static_cast<uint32_t>(cause & 0xff), 0};
  }
}

void interrupt_end(const Interrupt& /*interrupt*/) {}

void send_reschedule(unsigned cpu) { send(cpu, kReschedule); }
void send_park(unsigned cpu) { send(cpu, kPark); }

uint64_t ticks_per_millisecond() { return kTicksPerSecond / 1000; }

void timer_start_cpu(uint32_t ticks_a_second) {
  timer_period = kTicksPerSecond / ticks_a_second;
  set_timer_compare(this_hart(), ticks() + timer_period);
}

void timer_rearm() {
  const uint64_t now = ticks();
  uint64_t compare = timer_compare(this_hart()) + timer_period;
  // A CPU that was held up does not make up for the ticks it missed.
  if (compare <= now) compare = now + timer_period;
  set_timer_compare(this_hart(), compare);
}

// Under -icount shift=10 an instruction takes 1024 ns, 10.24 ticks. QEMU counts from the moment at
// which the comparison is stored, the difference to the clock's whole ticks at that time. Between
// the read of the clock and that store lies a constant number of instructions; in ticks, sometimes
// one more than at other times. So the comparison is some ticks beyond the ticks of these
// instructions: then the interrupt comes right before the same instruction either way.
void timer_fire_after(uint64_t steps_from_now) {
  constexpr uint32_t kSome = 6;
  const auto steps = static_cast<uint32_t>(steps_from_now);
  const uint32_t ticks = steps / 100 * 1024 + steps % 100 * 1024 / 100;
  const uintptr_t compare = kTimerCompares + 8 * this_hart();
#if __riscv_xlen == 64
  constexpr uint32_t kTicksToStore = 20;  // of two instructions
  uintptr_t sum = 0;
  asm volatile("rdtime %0\n\tadd %0, %0, %1\n\tsd %0, (%2)"
               : "=&r"(sum)
               : "r"(uintptr_t{ticks + kTicksToStore + kSome}), "r"(compare)
               : "memory");
#else
  constexpr uint32_t kTicksToStore = 51;  // of five
  write_register(compare + 4, 0xffffffff);
  uint32_t high = 0;
  uint32_t sum = 0;
  uint32_t carry = 0;
  uint32_t again = 0;
  do {
    asm volatile(
        "rdtimeh %0\n\trdtime %1\n\tadd %1, %1, %4\n\tsltu %2, %1, %4\n\tadd %2, %2, %0\n\t"
        "sw %1, (%5)\n\tsw %2, 4(%5)\n\trdtimeh %3"
        : "=&r"(high), "=&r"(sum), "=&r"(carry), "=&r"(again)
        : "r"(ticks + kTicksToStore + kSome), "r"(compare)
        : "memory");
  } while (again != high);
#endif
}

void timer_stop() { set_timer_compare(this_hart(), kNever); }

uint64_t wall_clock_ns() {
  // Reading the lower half keeps the upper one.
  const uint32_t low = read_register(kRealTimeClock);
  return uint64_t{read_register(kRealTimeClock + 4)} << 32 | low;
}

}  // namespace board
