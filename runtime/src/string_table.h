// The table of interned strings, which the linker puts together: see intern.h.
#pragma once

#include <stdint.h>

// An image that fails to link for want of these lacks linker/barefxt_strings.ld. They have not the
// names that linkers give to the ends of any section: an image without the fragments would link
// then, and each string have the number of its neighbour.
extern "C" {
extern const int32_t barefxt_strings_first[] __asm__("barefxt_strings_begin")
    __attribute__((visibility("hidden")));
extern const int32_t barefxt_strings_last[] __asm__("barefxt_strings_end")
    __attribute__((visibility("hidden")));
}

namespace barefxt {

// Strings have the indices 1 to this.
inline uint16_t string_count() {
  return static_cast<uint16_t>(barefxt_strings_last - barefxt_strings_first);
}

// Ends with a zero byte.
inline const char* string_text(uint32_t index) {
  const int32_t* entry = barefxt_strings_first + (index - 1);
  return reinterpret_cast<const char*>(reinterpret_cast<uintptr_t>(entry) +
                                       static_cast<uintptr_t>(static_cast<intptr_t>(*entry)));
}

}  // namespace barefxt
