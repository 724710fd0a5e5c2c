// The least that makes an image which boots on QEMU's virt machine: a stack, and an end with the status
// that main returns, as far as the machine can report it: 0, or a panic.
  .section .text.boot, "ax"
  .global _start
_start:
  lea image_stack_end, %sp
  jsr main
  moveq #2, %d1            // halt
  tst.l %d0
  jeq 1f
  moveq #3, %d1            // panic
1:
  move.l %d1, 0xff009004
2:
  jra 2b

// Compilers may call it wherever they clear much.
  .text
  .weak memset
memset:
  move.l 4(%sp), %a0
  move.l 8(%sp), %d1
  move.l 12(%sp), %d0
  jra 4f
3:
  move.b %d1, (%a0)+
4:
  subq.l #1, %d0
  jcc 3b
  move.l 4(%sp), %d0
  move.l %d0, %a0
  rts

  .bss
  .balign 16
  .skip 65536
image_stack_end:

  .section .note.GNU-stack, "", @progbits
