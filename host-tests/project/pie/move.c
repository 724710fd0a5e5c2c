/* Moves the image as a kernel does that chooses its address at boot: copies it, applies its
 * relocations there, and goes on in the copy. Runs where the image was linked, and reads no address
 * from memory. */
#include <stdint.h>

#define HIDDEN __attribute__((visibility("hidden")))

struct relocation {
  uint64_t offset;
  uint64_t info;
  uint64_t addend;
};

extern HIDDEN const uint8_t image_begin[];
extern HIDDEN const uint8_t image_end[];
extern HIDDEN const struct relocation image_relocations_begin[];
extern HIDDEN const struct relocation image_relocations_end[];
HIDDEN int kernel(void);

#if defined(__aarch64__)
#define RELATIVE 1027
#elif defined(__x86_64__)
#define RELATIVE 8
#else
#define RELATIVE 3
#endif

int main(void) {
  volatile uint8_t* const copy = (volatile uint8_t*)((uintptr_t)image_begin + SLIDE);
  for (const volatile uint8_t* byte = image_begin; byte != image_end; ++byte)
    copy[byte - image_begin] = *byte;
  for (const struct relocation* one = image_relocations_begin; one != image_relocations_end;
       ++one) {
    if (one->info != RELATIVE) return 2;
    *(volatile uint64_t*)(one->offset + SLIDE) = one->addend + SLIDE;
  }
  int (*const moved)(void) = (int (*)(void))((uintptr_t)&kernel + SLIDE);
  return moved();
}
