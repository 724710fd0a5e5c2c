/* For compilers that come without a C library: what the kernel calls, see board.c. */
#ifndef STRING_H
#define STRING_H

#include <stddef.h>

void* memcpy(void* to, const void* from, size_t count);
void* memset(void* to, int value, size_t count);
size_t strlen(const char* text);

#endif
