/* The console of NuttX's applications, and their end: the dump, then QEMU's. */
#pragma once

#include <nuttx/arch.h>

#include <barefxt_nuttx.h>

static void put(void* context, const uint8_t* bytes, size_t count) {
  (void)context;
  for (size_t i = 0; i < count; ++i) up_putc(bytes[i]);
}

/* Ends QEMU. */
static void end(void) {
  static uint64_t exit_block[2] = {0x20026, 0};
  register uint64_t operation __asm__("x0") = 0x18; /* SYS_EXIT */
  register uint64_t* argument __asm__("x1") = exit_block;
  __asm__ volatile("hlt 0xf000" : : "r"(operation), "r"(argument) : "memory");
  for (;;) {
  }
}

static void dump_and_end(void) {
  barefxt_dump(&(barefxt_writer){put, NULL}, BAREFXT_DUMP_TEXT);
  end();
}
