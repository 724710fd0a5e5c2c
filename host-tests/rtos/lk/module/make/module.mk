# Follows LK's: each module is compiled, and linked by itself, where calls to other modules are led elsewhere; then
# all are linked. Here each file of the stand-in is a module.
kernel := $(wildcard $(STAND_INS)/lk/*.c) $(STAND_INS)/image.c $(STAND_INS)/library.c
compile = $(CC) $(GLOBAL_COMPILEFLAGS) $(addprefix -D,$(GLOBAL_DEFINES)) $(addprefix -I,$(GLOBAL_INCLUDES)) -c $< -o $@
vpath %.c $(sort $(dir $(kernel) $(MODULE_SRCS)))
vpath %.cpp $(sort $(dir $(MODULE_SRCS)))

ours := $(addprefix $(OUT)/,$(notdir $(MODULE_SRCS:=.o)))
theirs := $(addprefix $(OUT)/,$(notdir $(kernel:=.o)))
$(ours): GLOBAL_COMPILEFLAGS += $(MODULE_COMPILEFLAGS)
$(theirs): GLOBAL_INCLUDES += $(STAND_INS) $(STAND_INS)/lk $(IMAGE)
$(theirs): GLOBAL_COMPILEFLAGS += -fno-tree-loop-distribute-patterns
$(OUT)/barefxt_lk.c.o: GLOBAL_INCLUDES += $(STAND_INS)/lk

$(OUT)/%.c.o: %.c
	$(compile)
$(OUT)/%.cpp.o: %.cpp
	$(compile) -std=c++17 -fno-exceptions -fno-rtti -fno-threadsafe-statics $(MODULE_CPPFLAGS)
$(OUT)/start.o: $(IMAGE)/start.S
	$(compile)
$(OUT)/%.mod.o: $(OUT)/%.c.o
	$(LD) $(GLOBAL_MODULE_LDFLAGS) -r $^ -o $@
$(OUT)/barefxt.mod.o: $(ours)
	$(LD) $(GLOBAL_MODULE_LDFLAGS) -r $^ -o $@
$(OUT)/lk: $(OUT)/start.o $(OUT)/barefxt.mod.o $(theirs:.c.o=.mod.o)
	$(LD) $(GLOBAL_LDFLAGS) -T $(IMAGE)/image.ld $^ -o $@
