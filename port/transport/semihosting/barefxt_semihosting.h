/* Transport: a file on the host, through Arm's or RISC-V's semihosting (a debugger, or QEMU with
 * -semihosting-config enable=on). Each call stops the whole machine, so bytes are collected first.
 *
 *     static barefxt_semihosting file;
 *     if (!barefxt_semihosting_open(&file, "trace.bin")) ...;
 *     barefxt_writer writer = {barefxt_semihosting_write, &file};
 *     barefxt_dump(&writer, BAREFXT_DUMP_BINARY);
 *     if (!barefxt_semihosting_close(&file)) ...;   // something was not written
 *
 * Without a debugger the instruction traps. On Cortex-M3 and later ask first, with
 * barefxt_semihosting_is_there().
 */
#ifndef BAREFXT_SEMIHOSTING_H
#define BAREFXT_SEMIHOSTING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct barefxt_semihosting {
  intptr_t handle;
  size_t used;
  bool failed;
  uint8_t buffer[4096];
} barefxt_semihosting;

/* False: no debugger is attached, so a call would fault. Cortex-M3 and later know that of
 * themselves (C_DEBUGEN in DHCSR); other CPUs cannot ask, and return true. QEMU answers calls, and
 * leaves the bit clear. Context: any, privileged. */
static inline bool barefxt_semihosting_is_there(void) {
#if defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M' && __ARM_ARCH >= 7
#ifndef BAREFXT_SEMIHOSTING_DHCSR
#define BAREFXT_SEMIHOSTING_DHCSR 0xe000edf0 /* tests have it elsewhere */
#endif
  return (*(volatile const uint32_t*)BAREFXT_SEMIHOSTING_DHCSR & 1) != 0;
#else
  return true;
#endif
}

/* The instruction alone. */
static inline intptr_t barefxt_semihosting_trap(uintptr_t operation, const uintptr_t* block) {
#if defined(__aarch64__)
  register uintptr_t number __asm__("x0") = operation;
  register const uintptr_t* parameter __asm__("x1") = block;
  __asm__ volatile("hlt #0xf000" : "+r"(number) : "r"(parameter) : "memory");
  return (intptr_t)number;
#elif defined(__arm__) && __ARM_ARCH_PROFILE == 'A'
  /* A host that lets the call trap leaves its return address in LR. */
  register uintptr_t number __asm__("r0") = operation;
  register const uintptr_t* parameter __asm__("r1") = block;
#if defined(__thumb__)
  __asm__ volatile("svc #0xab" : "+r"(number) : "r"(parameter) : "lr", "memory");
#else
  __asm__ volatile("svc #0x123456" : "+r"(number) : "r"(parameter) : "lr", "memory");
#endif
  return (intptr_t)number;
#elif defined(__riscv)
  /* Known by the two instructions around it, which do nothing. All three must be of 32 bits and on
   * one page. */
  register uintptr_t number __asm__("a0") = operation;
  register const uintptr_t* parameter __asm__("a1") = block;
  __asm__ volatile(
      ".option push\n\t.balign 16\n\t.option norvc\n\t"
      "slli zero, zero, 0x1f\n\tebreak\n\tsrai zero, zero, 7\n\t.option pop"
      : "+r"(number)
      : "r"(parameter)
      : "memory");
  return (intptr_t)number;
#elif defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M'
  register uintptr_t number __asm__("r0") = operation;
  register const uintptr_t* parameter __asm__("r1") = block;
  __asm__ volatile("bkpt 0xab" : "+r"(number) : "r"(parameter) : "memory");
  return (intptr_t)number;
#else
#error "barefxt: no semihosting call for this machine yet"
#endif
}

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
static inline uintptr_t barefxt_semihosting_swap(uintptr_t word) {
  return sizeof word == 8 ? (uintptr_t)__builtin_bswap64(word)
                          : (uintptr_t)__builtin_bswap32((uint32_t)word);
}

/* Returns true if the host reads blocks in the other byte order than the CPU. By Arm's text it
 * takes the CPU's; QEMU (7.2) takes little-endian ones from a big-endian CPU, too. So ask:
 * SYS_ISERROR, "is this word negative?", with a word that is negative in the CPU's order only.
 * Debuggers that call any word but zero an error, or do not know the question, take the CPU's
 * order. */
static inline bool barefxt_semihosting_host_swaps(void) {
  enum { SYS_ISERROR = 0x08 };
  const uintptr_t negative = (uintptr_t)1 << (8 * sizeof(uintptr_t) - 1);
  return barefxt_semihosting_trap(SYS_ISERROR, &negative) == 0;
}
#endif

/* Calls the debugger: "Semihosting for AArch32 and AArch64", operation numbers as there; RISC-V's
 * are the same. The block consists of words of the machine's size, in the CPU's byte order before
 * and after. The words point at bytes, which are not swapped. */
static inline intptr_t barefxt_semihosting_call(uintptr_t operation, uintptr_t* block,
                                                size_t words) {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  if (barefxt_semihosting_host_swaps()) {
    for (size_t i = 0; i < words; ++i) block[i] = barefxt_semihosting_swap(block[i]);
    const intptr_t result = barefxt_semihosting_trap(operation, block);
    for (size_t i = 0; i < words; ++i) block[i] = barefxt_semihosting_swap(block[i]);
    return result;
  }
#else
  (void)words;
#endif
  return barefxt_semihosting_trap(operation, block);
}

/* Creates or empties the file. */
static inline bool barefxt_semihosting_open(barefxt_semihosting* file, const char* name) {
  enum { SYS_OPEN = 0x01, WRITE_BINARY = 5 };
  size_t bytes = 0;
  while (name[bytes] != 0) ++bytes;
  uintptr_t block[3] = {(uintptr_t)name, WRITE_BINARY, bytes};
  file->used = 0;
  file->handle = barefxt_semihosting_call(SYS_OPEN, block, 3);
  file->failed = file->handle == -1;
  return !file->failed;
}

static inline void barefxt_semihosting_flush(barefxt_semihosting* file) {
  enum { SYS_WRITE = 0x05 };
  uintptr_t block[3] = {(uintptr_t)file->handle, (uintptr_t)file->buffer, file->used};
  /* It returns how many bytes were not written. */
  if (file->used != 0 && barefxt_semihosting_call(SYS_WRITE, block, 3) != 0) file->failed = true;
  file->used = 0;
}

static inline void barefxt_semihosting_write(void* context, const uint8_t* bytes, size_t count) {
  barefxt_semihosting* const file = (barefxt_semihosting*)context;
  for (size_t i = 0; i < count; ++i) {
    file->buffer[file->used++] = bytes[i];
    if (file->used == sizeof file->buffer) barefxt_semihosting_flush(file);
  }
}

/* False: something was not written, now or before. */
static inline bool barefxt_semihosting_close(barefxt_semihosting* file) {
  enum { SYS_CLOSE = 0x02 };
  barefxt_semihosting_flush(file);
  uintptr_t block[1] = {(uintptr_t)file->handle};
  if (barefxt_semihosting_call(SYS_CLOSE, block, 1) != 0) file->failed = true;
  return !file->failed;
}

#endif
