# Follows that of NuttX's applications: compiles what the folder's Makefile names.
kernel := $(wildcard $(STAND_INS)/nuttx/*.c) $(STAND_INS)/image.c $(STAND_INS)/library.c
VPATH += :$(APPDIR)/barefxt:$(STAND_INS)/nuttx:$(STAND_INS)

$(OUT)/%.c.o: %.c
	$(CC) $(CFLAGS) -c $< -o $@
$(OUT)/%.cpp.o: %.cpp
	$(CXX) $(CXXFLAGS) -c $< -o $@
$(OUT)/start.o: $(IMAGE)/start.S
	$(CC) $(CFLAGS) -c $< -o $@
$(OUT)/nuttx: $(OUT)/start.o $(addprefix $(OUT)/,$(CSRCS:=.o) $(CXXSRCS:=.o) $(notdir $(kernel:=.o)))
	$(LD) $(LDFLAGS) -T $(IMAGE)/image.ld $^ -o $@
