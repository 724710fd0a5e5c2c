#include "low_level.h"

#include <barefxt/config.h>

#include "board.h"
#include "tx_api.h"
#include "tx_initialize.h"
#include "tx_thread.h"
#include "tx_timer.h"

extern uint32_t stack_end;
extern const void* const vectors[16];
static const void* all_vectors[32] __attribute__((aligned(128)));

void _tx_execution_isr_enter(void);
void _tx_execution_isr_exit(void);
void _tx_timer_interrupt(void);
void SysTick_Handler(void);
void SysTick_Handler(void) {
#if !BAREFXT_DISABLED
  _tx_execution_isr_enter();
#endif
  on_tick();
  _tx_timer_interrupt();
#if !BAREFXT_DISABLED
  _tx_execution_isr_exit();
#endif
}
void SVC_Handler(void);
void SVC_Handler(void) { board_fault(); }

void _tx_initialize_low_level(void) {
  __asm__ volatile("cpsid i");
  _tx_thread_system_stack_ptr = &stack_end;
  for (int i = 0; i < 16; ++i) all_vectors[i] = vectors[i];
  all_vectors[16 + DEVICE_INTERRUPT] = (const void*)device_handler;
  REGISTER(0xe000ed08) = (uint32_t)all_vectors;
  REGISTER(0xe000e014) = 25000000 / TX_TIMER_TICKS_PER_SECOND - 1;
  REGISTER(0xe000e010) = 7;
  REGISTER(0xe000ed1c) = 0xff000000;
  REGISTER(0xe000ed20) = 0x40ff0000;
  REGISTER(0xe000e400 + DEVICE_INTERRUPT / 4 * 4) = 0x40404040;
  REGISTER(0xe000e100) = 1u << DEVICE_INTERRUPT;
}
