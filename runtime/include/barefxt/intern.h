/* Strings interned at link time: no lookup, no hash and no registration at run time.
 *
 * BAREFXT_STRING("text"), which takes literals alone, is the string's index, 1 to 32767, as a
 * constant that the linker puts into an instruction. Each use emits two things through the
 * assembler:
 *   - in section barefxt_strings, loaded: the distance from the entry to the text, 4 bytes;
 *   - in section barefxt_index, not loaded and placed at address 0: one byte, whose address is the
 *     index.
 * Both sections are laid out by the linker in the same order, so entry N of the former belongs to
 * index N of the latter.
 *
 * In C++ the symbol bears a hash of the text, and both sections belong to a COMDAT group of that
 * name: the assembler (.ifndef) and the linker (the group) keep one entry for all uses of a text in
 * the whole image, inline functions, templates and lambdas included. C has no hash that is constant
 * at -O0, so there each use has an entry of its own, and the host merges equal texts.
 *
 * One asm statement both makes the entry and loads the index, so the compiler may copy, move or
 * delete it like any other computation: entry and use cannot part.
 */
#ifndef BAREFXT_INTERN_H
#define BAREFXT_INTERN_H

#include <barefxt_port.h>

#define BAREFXT_INTERN_ENTRY_(flags, group, symbol)                       \
  ".pushsection barefxt_strings,\"a" flags "\",%%progbits" group          \
  "\n\t"                                                                  \
  ".balign 4\n\t"                                                         \
  ".long %c1 - .\n\t"                                                     \
  ".popsection\n\t"                                                       \
  ".pushsection barefxt_index,\"" flags "\",%%progbits" group "\n" symbol \
  ":\n\t"                                                                 \
  ".byte 0\n\t"                                                           \
  ".popsection\n\t"

#ifdef __cplusplus

namespace barefxt {

// FNV-1a over the text, in two halves of 31 bits, since the assembler sees them as plain numbers.
struct StringHash {
  int low;
  int high;
};
constexpr StringHash hash_string(const char* text, size_t bytes) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (size_t i = 0; i < bytes; ++i) {
    hash ^= static_cast<unsigned char>(text[i]);
    hash *= 0x100000001b3u;
  }
  return {static_cast<int>(hash & 0x7fffffff), static_cast<int>((hash >> 32) & 0x7fffffff)};
}

}  // namespace barefxt

#define BAREFXT_INTERN_SYMBOL_ "barefxt_string_%c2_%c3"
#define BAREFXT_STRING(text)                                                                     \
  (__extension__({                                                                               \
    static_assert(sizeof("" text) - 1 <= 32000, "the format's strings end at 32000 bytes");      \
    constexpr ::barefxt::StringHash barefxt_hash =                                               \
        ::barefxt::hash_string("" text, sizeof("" text) - 1);                                    \
    uint32_t barefxt_index;                                                                      \
    __asm__(                                                                                     \
        ".ifndef " BAREFXT_INTERN_SYMBOL_                                                        \
        "\n\t"                                                                                   \
        ".weak " BAREFXT_INTERN_SYMBOL_                                                          \
        "\n\t"                                                                                   \
        ".hidden " BAREFXT_INTERN_SYMBOL_ "\n\t" BAREFXT_INTERN_ENTRY_(                          \
            "G", "," BAREFXT_INTERN_SYMBOL_ ",comdat",                                           \
            BAREFXT_INTERN_SYMBOL_) ".endif\n\t" BAREFXT_PORT_LOAD_INDEX(BAREFXT_INTERN_SYMBOL_) \
        : "=r"(barefxt_index)                                                                    \
        : "i"("" text), "i"(barefxt_hash.low), "i"(barefxt_hash.high));                          \
    barefxt_index;                                                                               \
  }))

#else

#define BAREFXT_INTERN_SYMBOL_ ".Lbarefxt_string_%="
#define BAREFXT_STRING(text)                                                                 \
  (__extension__({                                                                           \
    _Static_assert(sizeof("" text) - 1 <= 32000, "the format's strings end at 32000 bytes"); \
    uint32_t barefxt_index;                                                                  \
    __asm__(BAREFXT_INTERN_ENTRY_("", "", BAREFXT_INTERN_SYMBOL_)                            \
                BAREFXT_PORT_LOAD_INDEX(BAREFXT_INTERN_SYMBOL_)                              \
            : "=r"(barefxt_index)                                                            \
            : "i"("" text));                                                                 \
    barefxt_index;                                                                           \
  }))

#endif

#endif
