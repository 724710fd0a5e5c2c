/* Arm's MPS2 board with image AN385: see board.h. QEMU loads the image's variables where they lie;
 * on a board of yours its own start-up code copies them.
 */
#include "board.h"

#include <string.h>

#define TIMER ((volatile uint32_t*)0x40000000)
#define UART ((volatile uint32_t*)0x40004000)

int main(void);
void SVC_Handler(void);
void PendSV_Handler(void);
void SysTick_Handler(void);
extern uint32_t stack_end;

static void start(void) {
  main();
  board_end();
}
extern const void* const vectors[16];
__attribute__((section(".vectors"))) const void* const vectors[16] = {
    &stack_end,  start, board_fault,    board_fault,    board_fault, board_fault,
    board_fault, NULL,  NULL,           NULL,           NULL,        SVC_Handler,
    board_fault, NULL,  PendSV_Handler, SysTick_Handler};

void board_start(void) {
  TIMER[2] = 0xffffffff; /* RELOAD */
  TIMER[1] = 0xffffffff; /* VALUE */
  TIMER[0] = 1;          /* CTRL: enable */
  UART[4] = 16;          /* BAUDDIV */
  UART[2] = 1;           /* CTRL: send */
}

void board_write(void* context, const uint8_t* bytes, size_t count) {
  (void)context;
  for (size_t i = 0; i < count; ++i) {
    while ((UART[1] & 1) != 0) {
    }
    UART[0] = bytes[i];
  }
}

/* An instruction takes 64 ns here. */
void board_work_us(uint32_t microseconds) {
  for (uint32_t loops = microseconds * 5; loops != 0; --loops) __asm__ volatile("nop");
}

void board_end(void) {
  static uint32_t exit_block[2] = {0x20026, 0};     /* ADP_Stopped_ApplicationExit */
  register uint32_t operation __asm__("r0") = 0x20; /* SYS_EXIT_EXTENDED */
  register uint32_t* argument __asm__("r1") = exit_block;
  __asm__ volatile("bkpt 0xab" : : "r"(operation), "r"(argument) : "memory");
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
