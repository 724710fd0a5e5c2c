/* Empty hooks for an image that has none, so that the kernel's calls cost what they cost without
 * the module. */
#include <zephyr/kernel.h>

#define HOOK(name, ...)   \
  void name(__VA_ARGS__); \
  void name(__VA_ARGS__) {}

#pragma GCC diagnostic ignored "-Wunused-parameter"

#include "../called_hooks.h"
