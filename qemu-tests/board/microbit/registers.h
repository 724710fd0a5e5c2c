/* For the measurements of the workload, in C and C++. */
#include "../mps2/registers.h"
