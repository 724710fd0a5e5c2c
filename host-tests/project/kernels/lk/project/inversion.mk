# LK with barefxt on QEMU's virt machine: one AArch64 CPU, or as many as CPUS.
WITH_SMP := $(if $(CPUS),1,0)
SMP_MAX_CPUS := $(or $(CPUS),1)
# For the GCC of a Linux distribution.
LK_HEAP_IMPLEMENTATION := miniheap
MODULES += app/inversion port/rtos/lk
BAREFXT_OPTIONS := BAREFXT_MAX_CPUS=$(SMP_MAX_CPUS) BAREFXT_LK_TIMER_INTERRUPT=27 $(OPTIONS)
include project/target/qemu-virt-arm64.mk
