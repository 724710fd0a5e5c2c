/* For compilers that come without a C library: the kernel includes it, and calls nothing of it. */
#ifndef STDLIB_H
#define STDLIB_H

#include <stddef.h>

#endif
