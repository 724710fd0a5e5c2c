// The least that makes an image which boots on QEMU's q35 machine, by its PVH entry: long mode with the
// first GiB mapped, the CPU's number behind GS, a stack, and an end with the status that main returns.
// It runs wherever it lies below 4 GiB: 32-bit code has each address by its distance from `here`. The
// linker script has the note with the entry's address.
  .section .text.boot, "ax"
  .code32
  .global _start
_start:
  mov $0x7c00, %esp        // free memory, for an address
  call here
here:
  pop %ebx
  lea page_directory_pointers + 3 - here(%ebx), %eax
  mov %eax, page_map - here(%ebx)
  lea page_directory + 3 - here(%ebx), %eax
  mov %eax, page_directory_pointers - here(%ebx)
  lea segments - here(%ebx), %eax
  mov %eax, segments_pointer + 2 - here(%ebx)

  mov $(1 << 5), %eax      // PAE
  mov %eax, %cr4
  lea page_map - here(%ebx), %eax
  mov %eax, %cr3
  mov $0xc0000080, %ecx    // EFER: long mode
  rdmsr
  or $(1 << 8), %eax
  wrmsr
  mov $0x80000011, %eax    // paging, protection
  mov %eax, %cr0
  lgdt segments_pointer - here(%ebx)
  lea 1f - here(%ebx), %eax
  push $0x08
  push %eax
  lret

  .code64
1:
  mov $0x10, %eax
  mov %eax, %ds
  mov %eax, %es
  mov %eax, %ss
  lea cpu_block(%rip), %rax
  xor %edx, %edx
  mov $0xc0000101, %ecx    // the base of GS
  wrmsr
  lea image_stack_end(%rip), %rsp
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

  .data
  .balign 8
segments:
  .quad 0
  .quad 0x00af9b000000ffff
  .quad 0x00cf93000000ffff
segments_pointer:
  .word . - segments - 1
  .long 0

  .balign 4096
page_map:
  .fill 512, 8, 0
page_directory_pointers:
  .fill 512, 8, 0
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
