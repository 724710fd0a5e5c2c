#include "workload/cost_c.h"

#include "kernel/categories.h"
#include "registers.h"

volatile uint32_t cost_number;

static inline void use(uint32_t value) { __asm__ volatile("" : : "r"(value)); }

__attribute__((noinline)) void cost_c_call(void) { __asm__ volatile(""); }

void cost_c_nothing(void) {
  cost_c_call();
  BOARD_FORGET_REGISTERS();
  BOARD_FORGET_REGISTERS();
}

void cost_c_instant(void) {
  cost_c_call();
  BOARD_FORGET_REGISTERS();
  BAREFXT_INSTANT(probe, "cost");
  BOARD_FORGET_REGISTERS();
}

void cost_c_number(void) {
  cost_c_call();
  BOARD_FORGET_REGISTERS();
  use(cost_number);
  BOARD_FORGET_REGISTERS();
}

void cost_c_instant_with_number(void) {
  cost_c_call();
  BOARD_FORGET_REGISTERS();
  const uint32_t value = cost_number;
  BAREFXT_INSTANT(probe, "cost", BAREFXT_ARG_U32("value", value));
  BOARD_FORGET_REGISTERS();
}
