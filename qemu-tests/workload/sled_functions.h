/* Functions with sleds, for mode "sleds": their results reveal if any argument or result was
 * changed on the way. */
#pragma once

#include <stdint.h>

namespace kernel::workload {

// A result of eight words: more than registers return.
struct Words {
  uintptr_t word[8];
};

// Each returns what is given, but in another order: by registers, by memory, and by another
// function that is jumped to.
uintptr_t sled_steady(uintptr_t a, uintptr_t b, uintptr_t c, uintptr_t d, uintptr_t e, uintptr_t f,
                      uintptr_t g, uintptr_t h);
Words sled_toggled(uintptr_t a, uintptr_t b, uintptr_t c, uintptr_t d, uintptr_t e, uintptr_t f,
                   uintptr_t g, uintptr_t h);
uintptr_t sled_jumping(uintptr_t (*to)(uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t),
                       uintptr_t a, uintptr_t b, uintptr_t c, uintptr_t d, uintptr_t e);
// Its calls have their argument.
uint64_t sled_two_words(uintptr_t a);

// Each makes a custom and a typed event of what it is given. Arguments of the second lie where
// others of its events belong, so that clang's moves overwrite some.
uintptr_t sled_noting(uintptr_t type, const char* text, uintptr_t bytes, uintptr_t a, uintptr_t b,
                      uintptr_t c);
uintptr_t sled_noting_crosswise(uintptr_t bytes, uintptr_t type, const char* text, uintptr_t a,
                                uintptr_t b, uintptr_t c);
// Makes a custom event "toggled".
void sled_toggled_noting();

// For the cost: a function with sleds and nothing else, and its like without.
void sled_empty();
void no_sled_empty();

}  // namespace kernel::workload
