/* QEMU's virt machine with two harts: see virt.h, and board.h of examples/freertos. */
#include "virt.h"

#include <string.h>

#include "board.h"

#define SOFTWARE_INTERRUPT(cpu) (*(volatile uint32_t*)(0x02000000 + 4 * (uintptr_t)(cpu)))
#define UART ((volatile uint8_t*)0x10000000)
#define END (*(volatile uint32_t*)0x00100000)

volatile bool virt_second_switches;
static volatile bool holds_back;
struct arch_spinlock arch_task_lock;
struct arch_spinlock arch_isr_lock;

/* A hart that sends to itself goes on when the interrupt has been: the kernel counts on that. */
void arch_ipi_send(int cpu) {
  const int self = arch_cpuid();
  if (holds_back && cpu == 1 && self == 0) return;
  SOFTWARE_INTERRUPT(cpu) = 1;
  while (cpu == self && arch_interrupts_are_on() && SOFTWARE_INTERRUPT(cpu) != 0) {
  }
}
void arch_ipi_clear(void) { SOFTWARE_INTERRUPT(arch_cpuid()) = 0; }

/* QEMU runs the harts by turns: one that waits gives up its turn. Interrupts are masked, so an
 * interrupt that is pending only wakes it. */
static void give_up_turn(void) {
  const uint32_t supervisor_timer = 1u << 5;
  __asm__ volatile("csrs mip, %0\n\tcsrs mie, %0\n\twfi\n\tcsrc mie, %0\n\tcsrc mip, %0"
                   :
                   : "r"(supervisor_timer)
                   : "memory");
}

void arch_spinlock_lock(int cpu, struct arch_spinlock* lock) {
  int nobody = 0;
  while (__atomic_load_n(&lock->owner, __ATOMIC_RELAXED) != cpu + 1 &&
         !__atomic_compare_exchange_n(&lock->owner, &nobody, cpu + 1, false, __ATOMIC_ACQUIRE,
                                      __ATOMIC_RELAXED)) {
    nobody = 0;
    give_up_turn();
  }
  ++lock->count;
}
void virt_hold_back(void) {
  holds_back = true;
  while (SOFTWARE_INTERRUPT(1) != 0 || virt_second_switches) {
  }
}
void virt_tell(void) {
  holds_back = false;
  arch_ipi_send(1);
}

void arch_spinlock_unlock(int cpu, struct arch_spinlock* lock) {
  (void)cpu;
  if (--lock->count == 0) __atomic_store_n(&lock->owner, 0, __ATOMIC_RELEASE);
}

void board_write(void* context, const uint8_t* bytes, size_t count) {
  (void)context;
  for (size_t i = 0; i < count; ++i) {
    while ((UART[5] & 0x20) == 0) {
    }
    UART[0] = bytes[i];
  }
}

/* An instruction takes 32 ns here. */
void board_work_us(uint32_t microseconds) {
  for (uint32_t loops = microseconds * 10; loops != 0; --loops) __asm__ volatile("nop");
}

void board_end(void) {
  END = 0x5555;
  for (;;) {
  }
}

/* The kernel calls them. */
void* memcpy(void* to, const void* from, size_t count) {
  for (size_t i = 0; i < count; ++i) ((uint8_t*)to)[i] = ((const uint8_t*)from)[i];
  return to;
}
void* memset(void* to, int value, size_t count) {
  for (size_t i = 0; i < count; ++i) ((uint8_t*)to)[i] = (uint8_t)value;
  return to;
}
size_t strlen(const char* text) {
  size_t count = 0;
  while (text[count] != 0) ++count;
  return count;
}
