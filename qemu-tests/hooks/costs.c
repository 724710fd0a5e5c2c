/* An image that counts what its kernel's hooks take: it prints, under QEMU's -icount, how many
 * instructions each operation of the stand-in takes, hooks included, while something is recorded
 * ("COST name=switch") and while nothing is ("COST name=switch_off"). The image without hooks takes
 * what the operation itself does.
 */
#include "costs.h"

#include <barefxt/barefxt.h>
#include <barefxt_port.h>

#include "machine.h"

#define ROUNDS 64
/* The port's counter and an instruction take these times (toolchain/targets.txt). */
#if defined(__aarch64__)
#define TICK_NS 16
#define INSTRUCTION_NS 16
#elif defined(__riscv)
#define TICK_NS 100
#define INSTRUCTION_NS 1024
#else
#define TICK_NS 40
#define INSTRUCTION_NS 64
#endif

static void put(const char* text) {
  for (; *text != 0; ++text) machine_put((uint8_t)*text);
}

static void put_number(uint32_t number) {
  char digits[11];
  char* at = digits + sizeof digits;
  *--at = 0;
  do {
    *--at = (char)('0' + number % 10);
    number /= 10;
  } while (number != 0);
  put(at);
}

static void tell(const char* name, const char* suffix, uint32_t hundredths) {
  put("COST name=");
  put(name);
  put(suffix);
  put(" instructions=");
  put_number(hundredths / 100);
  put(hundredths % 100 < 10 ? ".0" : ".");
  put_number(hundredths % 100);
  put("\n");
}

/* Images with and without hooks share the cost of the loop around it. */
static __attribute__((noinline)) uint32_t hundredths_of(void (*run)(void)) {
  const uint64_t before = barefxt_port_counter();
  for (uint32_t round = 0; round < ROUNDS; ++round) run();
  const uint64_t ticks = (uint32_t)(barefxt_port_counter() - before);
  return (uint32_t)(ticks * (100 * TICK_NS) / (ROUNDS * INSTRUCTION_NS));
}

static void count(const char* suffix) {
  for (const struct operation* each = operations; each->name != 0; ++each) {
    each->run();
    tell(each->name, suffix, hundredths_of(each->run));
  }
}

int main(void) {
  machine_prepare();
  prepare_operations();
#ifndef WITHOUT
  static uint64_t rings[1 << 16];
  const barefxt_config config = {
      .memory = rings, .bytes = sizeof rings, .cpus = 1, .categories = ~0u};
  if (barefxt_start(&config) != BAREFXT_OK) return 1;
  count("");
  if (barefxt_stop().lost_records != 0) return 2;
  count("_off");
#else
  count("");
#endif
  put("COST end\n");
  return 0;
}
