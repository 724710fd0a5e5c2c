# LK's build takes this folder, and the runtime with it, as a module: see README.md here.
LOCAL_DIR := $(GET_LOCAL_DIR)
BAREFXT_LK := $(LOCAL_DIR)
BAREFXT_ROOT := $(patsubst %/port/rtos/lk,%,$(LOCAL_DIR))

MODULE := $(LOCAL_DIR)

# A folder of port/arch, or the path of one of your own.
BAREFXT_PORT_arm64 := aarch64
BAREFXT_PORT_arm := $(if $(filter cortex-m0%,$(ARM_CPU)),armv6m,$(if $(filter arm-m,$(SUBARCH)),armv7m,armv7a))
BAREFXT_PORT_riscv := riscv
BAREFXT_PORT_x86 := x86_64
BAREFXT_PORT_m68k := m68k
BAREFXT_PORT ?= $(BAREFXT_PORT_$(ARCH))
BAREFXT_PORT_DIR := $(firstword $(wildcard $(BAREFXT_ROOT)/port/arch/$(BAREFXT_PORT) $(BAREFXT_PORT)))
ifeq ($(wildcard $(BAREFXT_PORT_DIR)/barefxt_port.h),)
$(error port/rtos/lk: there is no barefxt_port.h for BAREFXT_PORT=$(BAREFXT_PORT))
endif

MODULE_DEPS += lib/evlog

# The event log's own store is not written to: as small as can be.
GLOBAL_DEFINES += WITH_KERNEL_EVLOG=1 KERNEL_EVLOG_LEN=2
# Options of <barefxt/config.h>, such as BAREFXT_MAX_CPUS=4, for all that includes it.
GLOBAL_DEFINES += $(BAREFXT_OPTIONS)
GLOBAL_INCLUDES += $(BAREFXT_ROOT)/runtime/include $(BAREFXT_PORT_DIR) $(LOCAL_DIR)

ifeq ($(ARCH),riscv)
# tp points to what LK keeps of the CPU: the thread's address, and behind it the CPU's number.
GLOBAL_COMPILEFLAGS += '-DBAREFXT_RISCV_CPU="lw %0, $(if $(filter 64,$(SUBARCH)),8,4)(tp)"'
# The platform defines the rate of the time counter under this name.
ifeq ($(filter BAREFXT_RISCV_FREQUENCY=%,$(BAREFXT_OPTIONS)),)
GLOBAL_DEFINES += BAREFXT_RISCV_FREQUENCY=ARCH_RISCV_MTIME_RATE
endif
ifeq ($(RISCV_MODE),supervisor)
GLOBAL_DEFINES += BAREFXT_RISCV_SUPERVISOR=1
endif
endif

MODULE_SRCS := \
  $(LOCAL_DIR)/barefxt_lk.c \
  $(wildcard $(BAREFXT_ROOT)/runtime/src/*.cpp) \
  $(wildcard $(BAREFXT_PORT_DIR)/barefxt_port.cpp)
# Loops that clear or copy stay loops, and strings' numbers are absolute.
MODULE_COMPILEFLAGS += -ffunction-sections -fdata-sections -fno-pic
ifeq ($(ARCH),arm64)
# Else GCC makes calls of libgcc of them, which asks a C library what the CPU can.
MODULE_COMPILEFLAGS += -mno-outline-atomics
endif
MODULE_CPPFLAGS += $(if $(findstring clang,$(shell $(CC) --version)),,-fno-tree-loop-distribute-patterns)

# Ahead of the script that it adds to: linkers want what is inserted first.
GLOBAL_LDFLAGS += -L$(BAREFXT_ROOT)/linker -T $(BAREFXT_ROOT)/linker/barefxt_insert.ld
# If modules are linked one by one, calls between their files are bound there. Without tracing there is nothing to lead
# them to.
ifeq ($(filter BAREFXT_DISABLED=1,$(BAREFXT_OPTIONS)),)
ifeq ($(or $(LTO_MODE),off),off)
GLOBAL_MODULE_LDFLAGS += @$(BAREFXT_LK)/barefxt_lk.wrap
else
GLOBAL_LDFLAGS += @$(BAREFXT_LK)/barefxt_lk.wrap
endif
endif

include make/module.mk
