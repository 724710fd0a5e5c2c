// For the BBC micro:bit.
#include "../cortex_m.S"
