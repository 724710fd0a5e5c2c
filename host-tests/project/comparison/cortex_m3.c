/* Prints, under QEMU's -icount, how many instructions and bytes each operation of a tracer takes.
 */
#include "machine.h"
#include "tracer.h"

#define ROUNDS 64
/* The counter takes 40 ns a tick, an instruction 64 ns (toolchain/targets.txt). */
#define TICK_NS 40
#define INSTRUCTION_NS 64

static void put(const char* text) {
  for (; *text != 0; ++text) machine_put((uint8_t)*text);
}

static void put_hundredths(uint32_t number) {
  char digits[13];
  char* at = digits + sizeof digits;
  *--at = 0;
  for (int place = 0; place < 3 || number != 0; ++place) {
    if (place == 2) *--at = '.';
    *--at = (char)('0' + number % 10);
    number /= 10;
  }
  put(at);
}

static void nothing(void) { __asm__ volatile(""); }

static __attribute__((noinline)) uint32_t hundredths_of(void (*run)(void)) {
  const uint32_t before = COMPARISON_TIMER;
  for (uint32_t round = 0; round < ROUNDS; ++round) run();
  const uint32_t ticks = before - COMPARISON_TIMER;
  return (uint32_t)((uint64_t)ticks * (100 * TICK_NS / ROUNDS) / INSTRUCTION_NS);
}

int main(void) {
  machine_prepare();
  if (!tracer_start()) return 1;
  const uint32_t loop = hundredths_of(nothing);
  for (const struct operation* each = tracer_operations; each->name != 0; ++each) {
    each->run();
    const uint32_t before = tracer_bytes();
    const uint32_t instructions = hundredths_of(each->run) - loop;
    const uint32_t bytes = tracer_bytes() - before;
    if (bytes == 0) return 2;
    put(each->name);
    put("|");
    put_hundredths(instructions);
    put("|");
    put_hundredths(bytes * 100 / ROUNDS);
    put("\n");
  }
  put("end\n");
  return 0;
}
