# The runtime in a plain Makefile. From a copy of the source or from an installed tree alike:
#
#   BAREFXT_PORT := armv7m            # a folder under port/arch, or the path of one of your own
#   include barefxt/toolchain/make/barefxt.mk      # or PREFIX/share/barefxt/barefxt.mk
#
#   CPPFLAGS += $(BAREFXT_CPPFLAGS)
#   kernel.elf: $(objects) $(BAREFXT_OBJECTS)
#           $(CXX) ... $^ $(BAREFXT_LDFLAGS) -o $@
#
# $(CXX) compiles the runtime with $(CXXFLAGS), which choose the CPU and the level of optimization, into the
# folder $(BAREFXT_BUILD). If only CC is set, $(CC) compiles it: make's own CXX is the host's compiler.
# BAREFXT_OPTIONS are those of <barefxt/config.h>, such as -DBAREFXT_MAX_CPUS=4.
#
# A changed header, option or flag compiles again what depends on it.
barefxt_here := $(dir $(lastword $(MAKEFILE_LIST)))
BAREFXT_BUILD ?= barefxt-build
ifeq ($(BAREFXT_PORT),)
  $(error barefxt.mk: set BAREFXT_PORT to a folder under port/arch, or to the path of one of your own)
endif

ifneq ($(wildcard $(barefxt_here)single/barefxt.cpp),)
  barefxt_sources := $(barefxt_here)single/barefxt.cpp
  barefxt_include := $(barefxt_here)single
  barefxt_ports := $(barefxt_here)port/arch
  barefxt_linker := $(barefxt_here)linker
else
  barefxt_sources := $(wildcard $(barefxt_here)../../runtime/src/*.cpp)
  barefxt_include := $(barefxt_here)../../runtime/include
  barefxt_ports := $(barefxt_here)../../port/arch
  barefxt_linker := $(barefxt_here)../../linker
endif
barefxt_port := $(firstword $(wildcard $(barefxt_ports)/$(BAREFXT_PORT) $(BAREFXT_PORT)))
ifeq ($(wildcard $(barefxt_port)/barefxt_port.h),)
  $(error barefxt.mk: there is no barefxt_port.h for BAREFXT_PORT=$(BAREFXT_PORT))
endif
barefxt_sources += $(wildcard $(barefxt_port)/barefxt_port.cpp)

BAREFXT_CPPFLAGS := -I$(barefxt_include) -I$(barefxt_port) $(BAREFXT_OPTIONS)
BAREFXT_OBJECTS := $(patsubst %.cpp,$(BAREFXT_BUILD)/%.o,$(notdir $(barefxt_sources)))
BAREFXT_LDFLAGS := -L$(barefxt_linker)
barefxt_flags := -std=c++17 -ffreestanding -fno-exceptions -fno-rtti -fno-threadsafe-statics \
  -ffunction-sections -fdata-sections -fomit-frame-pointer -nostdinc++
barefxt_cxx = $(CXX)
ifeq ($(origin CXX),default)
  ifneq ($(origin CC),default)
    barefxt_cxx = $(CC)
  endif
endif
# Else GCC makes calls of memset and memcpy of loops that clear or copy.
ifeq ($(findstring clang,$(shell $(barefxt_cxx) --version)),)
  barefxt_flags += -fno-tree-loop-distribute-patterns
endif

# The first rule of the file that includes this one stays its default goal.
barefxt_goal := $(.DEFAULT_GOAL)
# Position-independent only by order: many compilers for Linux are so by default.
barefxt_pic = $(if $(filter -fpi% -fPI%,$(CXXFLAGS)),,-fno-pic)
barefxt_command = $(barefxt_cxx) $(CXXFLAGS) $(barefxt_flags) $(barefxt_pic) $(BAREFXT_CPPFLAGS)
define barefxt_compile
$(BAREFXT_BUILD)/$(notdir $(1:.cpp=.o)): $(1) $(BAREFXT_BUILD)/command
	$$(barefxt_command) -MMD -MP -c $$< -o $$@
endef
$(foreach source,$(barefxt_sources),$(eval $(call barefxt_compile,$(source))))
# Holds the command of the last build, and is as old as the last change of it.
$(BAREFXT_BUILD)/command: barefxt_always
	$(shell mkdir -p $(@D))$(file >$@.new,$(barefxt_command))
	@cmp -s $@.new $@ && rm $@.new || mv $@.new $@
.PHONY: barefxt_always
-include $(BAREFXT_OBJECTS:.o=.d)
.DEFAULT_GOAL := $(barefxt_goal)
