// From QEMU's PVH entry, or from a message of the boot CPU, to C++: long mode with an identity map
// of the first 4 GiB, an interrupt table, a stack, and GS at the CPU's own block.
//
// The boot CPU comes in 32-bit mode without paging, its start information in EBX. The others come
// in real mode, to a copy of `trampoline` in low memory, their number in `board_starting_cpu`.

#include "layout.h"

#define CR0_PROTECTED (1 << 0)
#define CR0_WRITE_PROTECT (1 << 16)
#define CR0_PAGING (1 << 31)
#define CR0_VALUE (CR0_PROTECTED | (1 << 1) | (1 << 4) | (1 << 5) | CR0_WRITE_PROTECT | CR0_PAGING)
#define CR4_PAE (1 << 5)
#define MSR_EFER 0xc0000080
#define EFER_LONG_MODE (1 << 8)
#define MSR_GS_BASE 0xc0000101

#define PAGE_TABLE 3              // present, writable
#define PAGE_LARGE 0x83           // of 2 MiB
#define PAGE_LARGE_DEVICE 0x93    // not cached

  .section .note.Xen, "a", @note
  .balign 4
  .long 4, 4, 18                  // sizes of name and value; XEN_ELFNOTE_PHYS32_ENTRY
  .asciz "Xen"
  .long _start

  .section .text.boot, "ax"
  .code32
  .global _start
_start:
  cli
  cld
  mov $image_bss_start, %edi
  mov $image_bss_end, %ecx
  sub %edi, %ecx
  shr $2, %ecx
  xor %eax, %eax
  rep stosl
  mov %ebx, board_start_information
  lgdt segments_pointer
  ljmp $SELECTOR_CODE32, $1f
1:
  mov $0, %esi

// The CPU's number in ESI.
protected_mode:
  mov $SELECTOR_DATA, %eax
  mov %eax, %ds
  mov %eax, %es
  mov %eax, %ss
  xor %eax, %eax
  mov %eax, %fs
  mov %eax, %gs
  mov $CR4_PAE, %eax
  mov %eax, %cr4
  mov $page_map, %eax
  mov %eax, %cr3
  mov $MSR_EFER, %ecx
  rdmsr
  or $EFER_LONG_MODE, %eax
  wrmsr
  mov $CR0_VALUE, %eax
  mov %eax, %cr0
  ljmp $SELECTOR_CODE64, $1f

  .code64
1:
  lea 1(%rsi), %eax
  imul $BOOT_STACK_BYTES, %eax, %eax
  lea board_boot_stacks(%rax), %rsp

  mov %esi, %eax
  imul $CPU_BLOCK_BYTES, %eax, %eax
  lea board_cpu_blocks(%rax), %rax
  mov %esi, CPU_NUMBER(%rax)
  xor %edx, %edx
  mov $MSR_GS_BASE, %ecx
  wrmsr

  xor %ebp, %ebp
  mov %esi, %ebx
  mov %esi, %edi
  call board_prepare_cpu
  mov %ebx, %edi
  test %edi, %edi
  jnz 2f
  call kernel_main
2:
  call kernel_secondary_main

// Copied to TRAMPOLINE_ADDRESS. CS is that address over 16, IP 0.
  .code16
  .global board_trampoline
  .global board_trampoline_end
board_trampoline:
  cli
  cld
  xor %ax, %ax
  mov %ax, %ds
  lgdtl TRAMPOLINE_ADDRESS + (2f - board_trampoline)
  mov %cr0, %eax
  or $CR0_PROTECTED, %eax
  mov %eax, %cr0
  ljmpl $SELECTOR_CODE32, $1f
  .balign 4
2:
  .word segments_end - segments - 1
  .long segments
board_trampoline_end:

  .code32
1:
  mov $SELECTOR_DATA, %eax
  mov %eax, %ds
  mov board_starting_cpu, %esi
  jmp protected_mode

  .section .rodata.board_startup, "a"
  .balign 8
segments:
  .quad 0
  .quad 0x00af9b000000ffff        // code of 64 bits
  .quad 0x00cf93000000ffff        // data
  .quad 0x00cf9b000000ffff        // code of 32 bits
segments_end:
segments_pointer:
  .word segments_end - segments - 1
  .long segments

// Pages of 2 MiB, four times 1 GiB of them; the fourth has the devices.
  .section .data.board_page_tables, "aw"
  .balign 4096
page_map:
  .quad page_directory_pointers + PAGE_TABLE
  .fill 511, 8, 0
page_directory_pointers:
  .quad page_directories + PAGE_TABLE
  .quad page_directories + 0x1000 + PAGE_TABLE
  .quad page_directories + 0x2000 + PAGE_TABLE
  .quad page_directories + 0x3000 + PAGE_TABLE
  .fill 508, 8, 0
page_directories:
  .set page, 0
  .rept 512 * 3
  .quad (page << 21) + PAGE_LARGE
  .set page, page + 1
  .endr
  .rept 512
  .quad (page << 21) + PAGE_LARGE_DEVICE
  .set page, page + 1
  .endr

  .section .data.board_start_information, "aw"
  .balign 4
  .global board_start_information
board_start_information:
  .long 0
  .global board_starting_cpu
board_starting_cpu:
  .long 0

  .section .bss.board_boot_stacks, "aw", %nobits
  .balign 64
  .global board_cpu_blocks
board_cpu_blocks:
  .skip CPU_BLOCK_BYTES * BOARD_MAX_CPUS
  .balign 16
  .global board_boot_stacks
board_boot_stacks:
  .skip BOOT_STACK_BYTES * BOARD_MAX_CPUS

  .section .note.GNU-stack, "", @progbits
