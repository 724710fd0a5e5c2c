// For Arm's MPS2 board.
#define IMAGE_STACK 65536
#include "../cortex_m.S"
