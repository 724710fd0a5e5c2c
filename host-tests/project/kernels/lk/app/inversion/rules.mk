LOCAL_DIR := $(GET_LOCAL_DIR)
MODULE := $(LOCAL_DIR)
MODULE_SRCS := $(LOCAL_DIR)/main.c
GLOBAL_LDFLAGS += --wrap=platform_halt
include make/module.mk
