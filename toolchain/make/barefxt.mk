# The runtime in a plain Makefile. From a copy of the source or from an installed tree alike:
#
#   BAREFXT_PORT := armv7m            # a folder under port/arch, or the path of one of your own
#   include barefxt/toolchain/make/barefxt.mk      # or PREFIX/share/barefxt/barefxt.mk
#
#   CPPFLAGS += $(BAREFXT_CPPFLAGS)
#   kernel.elf: $(objects) $(BAREFXT_OBJECTS)
#           $(CXX) ... $^ $(BAREFXT_LDFLAGS) -o $@
#
# It is compiled by $(CXX) with $(CXXFLAGS), which choose the CPU and the level of optimization, into the
# folder $(BAREFXT_BUILD). BAREFXT_OPTIONS are those of <barefxt/config.h>, such as -DBAREFXT_MAX_CPUS=4.
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
  -ffunction-sections -fdata-sections -fno-pic -fomit-frame-pointer -nostdinc++
# Else GCC makes calls of memset and memcpy of loops that clear or copy.
ifeq ($(findstring clang,$(shell $(CXX) --version)),)
  barefxt_flags += -fno-tree-loop-distribute-patterns
endif

# The first rule of the file that includes this one stays its default goal.
barefxt_goal := $(.DEFAULT_GOAL)
define barefxt_compile
$(BAREFXT_BUILD)/$(notdir $(1:.cpp=.o)): $(1)
	@mkdir -p $$(@D)
	$$(CXX) $$(CXXFLAGS) $$(barefxt_flags) $$(BAREFXT_CPPFLAGS) -c $$< -o $$@
endef
$(foreach source,$(barefxt_sources),$(eval $(call barefxt_compile,$(source))))
.DEFAULT_GOAL := $(barefxt_goal)
