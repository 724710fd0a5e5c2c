// The table of interned strings, which the linker puts together: see intern.h.
#pragma once

#include <stdint.h>

#include <barefxt/config.h>
#include <barefxt/types.h>

#if BAREFXT_STRINGS_IN_ELF

// An image that fails to link for want of this lacks linker/barefxt_index.ld.
__asm__(
    ".pushsection barefxt_check,\"\",%progbits\n"
    ".long barefxt_index_is_included\n"
    ".popsection");

namespace barefxt {

// The runtime has no texts to send, and the host finds them by the build id.
constexpr uint16_t string_count() { return 0; }
constexpr const char* string_text(uint32_t) { return ""; }
inline bool lacks_build_id(const barefxt_config& config) {
  return config.build_id == nullptr || config.build_id_bytes == 0;
}

}  // namespace barefxt

#else

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
constexpr bool lacks_build_id(const barefxt_config&) { return false; }

}  // namespace barefxt

#endif
