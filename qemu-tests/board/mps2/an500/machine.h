// MPS2 with image AN500 (Cortex-M7): memory aside, as for AN385.
#pragma once

#include "../an385/machine.h"
