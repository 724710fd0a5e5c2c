// The least that makes an image which boots on QEMU's q35 machine, by its PVH entry: long mode with the
// first GiB mapped, the CPU's number behind GS, a stack, and an end with the status that main returns.
  .section .note.Xen, "a", @note
  .balign 4
  .long 4, 4, 18           // XEN_ELFNOTE_PHYS32_ENTRY
  .asciz "Xen"
  .long _start

  .section .text.boot, "ax"
  .code32
  .global _start
_start:
  mov $(1 << 5), %eax      // PAE
  mov %eax, %cr4
  mov $page_map, %eax
  mov %eax, %cr3
  mov $0xc0000080, %ecx    // EFER: long mode
  rdmsr
  or $(1 << 8), %eax
  wrmsr
  mov $0x80000011, %eax    // paging, protection
  mov %eax, %cr0
  lgdt segments_pointer
  ljmp $0x08, $1f

  .code64
1:
  mov $0x10, %eax
  mov %eax, %ds
  mov %eax, %es
  mov %eax, %ss
  mov $cpu_block, %eax
  xor %edx, %edx
  mov $0xc0000101, %ecx    // the base of GS
  wrmsr
  mov $image_stack_end, %rsp
  call main
  test %eax, %eax
  jz 2f
  mov $0xf4, %edx          // QEMU ends with twice that and one
  out %al, %dx
2:
  mov $0x2000, %eax        // off
  mov $0x604, %edx
  out %ax, %dx
3:
  hlt
  jmp 3b

// Compilers may call it wherever they clear much.
  .text
  .weak memset
memset:
  mov %rdi, %r8
  mov %esi, %eax
  mov %rdx, %rcx
  rep stosb
  mov %r8, %rax
  ret

  .section .rodata.start, "a"
  .balign 8
segments:
  .quad 0
  .quad 0x00af9b000000ffff
  .quad 0x00cf93000000ffff
segments_pointer:
  .word . - segments - 1
  .long segments

  .data
  .balign 4096
page_map:
  .quad page_directory_pointers + 3
  .fill 511, 8, 0
page_directory_pointers:
  .quad page_directory + 3
  .fill 511, 8, 0
page_directory:
  .set page, 0
  .rept 512
  .quad (page << 21) + 0x83
  .set page, page + 1
  .endr

  .bss
  .balign 16
cpu_block:
  .skip 16
  .skip 65536
image_stack_end:

  .section .note.GNU-stack, "", @progbits
