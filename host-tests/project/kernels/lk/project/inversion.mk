# LK with barefxt on QEMU's virt machine, one AArch64 CPU.
WITH_SMP := 0
# For the GCC of a Linux distribution.
LK_HEAP_IMPLEMENTATION := miniheap
MODULES += app/inversion port/rtos/lk
BAREFXT_OPTIONS := BAREFXT_MAX_CPUS=1 BAREFXT_LK_TIMER_INTERRUPT=27 $(OPTIONS)
include project/target/qemu-virt-arm64.mk
