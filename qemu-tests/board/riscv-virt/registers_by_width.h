/* For assembler sources: loads and stores of a whole register, and the dummy store-conditional. */
#ifndef BOARD_REGISTERS_BY_WIDTH_H
#define BOARD_REGISTERS_BY_WIDTH_H

#if __riscv_xlen == 64
#define LOAD ld
#define STORE sd
#else
#define LOAD lw
#define STORE sw
#endif

/* Stores to an unused word; `address` is a register. */
#if defined(__riscv_atomic)
#define CLEAR_RESERVATION(address) sc.w zero, zero, (address)
#else
#define CLEAR_RESERVATION(address)
#endif

#endif
