/* Strings interned at link time: no lookup, no hash and no registration at run time.
 *
 * BAREFXT_STRING("text"), which takes literals alone, is the string's index, 1 to 32767, as a
 * constant that the linker puts into an instruction. BAREFXT_CATEGORY_AND_NAME("category", "name")
 * is two of them as an event's header has them, [32 .. 47] and [48 .. 63]. Each use emits two
 * things through the assembler:
 *   - in section barefxt_strings, loaded: the distance from the entry to the text, 4 bytes;
 *   - in section barefxt_index, not loaded and placed at address 0: one byte, whose address is the
 *     index.
 * Both sections are laid out by the linker in the same order, so entry N of the former belongs to
 * index N of the latter.
 *
 * In C++ the symbol contains a hash of the text, and both sections belong to a COMDAT group of that
 * name: the assembler (.ifndef) and the linker (the group) keep one entry for all uses of a text in
 * the whole image, inline functions, templates and lambdas included. C has no hash that is constant
 * at -O0, so there each use has an entry of its own, and the host merges equal texts.
 *
 * One asm statement both makes the entry and loads the index, so the compiler may copy, move or
 * delete it like any other computation: entry and use cannot part.
 *
 * Position-independent code. An index is a symbol's value, which linkers take for an address and
 * refuse in an instruction of an image that moves. Ports whose CPU has no other relocation for it
 * define BAREFXT_PORT_LOAD_NUMBER, and the index comes from memory: section barefxt_numbers has 8
 * bytes a string, the distance from the entry to a place in the index. Distances do not change with
 * the image's address. A string has 9 bytes in the index, so from one entry to the next the
 * distance grows by 1; barefxt_index.ld puts the first place where the lower 16 bits of its
 * distance are its index. These strings have sections of their own (..._pic) behind the others, so
 * an image may be linked of both kinds of objects; a text that both have is there twice.
 *
 * With BAREFXT_STRINGS_IN_ELF neither table nor texts are loaded. An entry is the text's address in
 * 8 bytes, in a section barefxt_in_elf, and the text is a variable in a section barefxt_text.N of
 * its own: a section of one name cannot hold variables of inline functions and of others. GCC
 * leaves those of templates among the loaded constants, where the address finds them, too. The host
 * reads both from the program's file.
 */
#ifndef BAREFXT_INTERN_H
#define BAREFXT_INTERN_H

#include <barefxt/config.h>
#include <barefxt_port.h>

/* How an operand is printed as a constant, without what the assembler puts before one in an
 * instruction. RISC-V's puts nothing, and GCC for it does not know the letter. */
#if defined(__riscv)
#define BAREFXT_CONSTANT_(operand) "%" operand
#else
#define BAREFXT_CONSTANT_(operand) "%c" operand
#endif

/* How the address of a text is an operand. In position-independent code GCC for AArch64 takes none
 * for a constant. */
#if defined(__aarch64__) && defined(__PIC__)
#define BAREFXT_TEXT_OPERAND_ "S"
#else
#define BAREFXT_TEXT_OPERAND_ "i"
#endif

/* An entry of the table, in a section of this kind. BAREFXT_TEXT_PLACE_ declares what holds a text,
 * if that is not a literal, and BAREFXT_TEXT_ is its address as an operand. */
#if BAREFXT_STRINGS_IN_ELF
#if __SIZEOF_POINTER__ == 8
#define BAREFXT_TEXT_ADDRESS_(text_operand) ".8byte " BAREFXT_CONSTANT_(text_operand)
#else
#define BAREFXT_TEXT_ADDRESS_(text_operand) ".long " BAREFXT_CONSTANT_(text_operand) ", 0"
#endif
#define BAREFXT_INTERN_TEXT_(kind, flags, group, text_operand)         \
  ".pushsection barefxt_in_elf" kind ",\"" flags "\",%%progbits" group \
  "\n\t" BAREFXT_TEXT_ADDRESS_(text_operand) "\n\t.popsection\n\t"
#define BAREFXT_NUMBER_TEXT_(number) #number
#define BAREFXT_TEXT_SECTION_(number) "barefxt_text." BAREFXT_NUMBER_TEXT_(number)
#define BAREFXT_TEXT_PLACE_(variable, text)                                                   \
  static const char variable[] __attribute__((section(BAREFXT_TEXT_SECTION_(__COUNTER__)))) = \
      "" text;
#define BAREFXT_TEXT_(variable, text) (variable)
#else
#define BAREFXT_INTERN_TEXT_(kind, flags, group, text_operand) \
  ".pushsection barefxt_strings" kind ",\"a" flags "\",%%progbits" group        \
  "\n\t"                                                                       \
  ".balign 4\n\t"                                                              \
  ".long " BAREFXT_CONSTANT_(text_operand)                                     \
  " - .\n\t"                                                                   \
  ".popsection\n\t"
#define BAREFXT_TEXT_PLACE_(variable, text)
#define BAREFXT_TEXT_(variable, text) ("" text)
#endif

#if defined(__PIC__) && defined(BAREFXT_PORT_LOAD_NUMBER)

#define BAREFXT_INTERN_PREFIX_ "barefxt_number_"
#define BAREFXT_INTERN_ENTRY_(flags, group, symbol, text_operand) \
  BAREFXT_INTERN_TEXT_("_pic", flags, group, text_operand)        \
  ".pushsection barefxt_index_pic,\"" flags "\",%%progbits" group \
  "\n"                                                            \
  "661:\n\t"                                                      \
  ".zero 9\n\t"                                                   \
  ".popsection\n\t"                                               \
  ".pushsection barefxt_numbers,\"a" flags "\",%%progbits" group  \
  "\n\t"                                                          \
  ".balign 4\n" symbol                                            \
  ":\n\t"                                                         \
  ".8byte 661b - .\n\t"                                           \
  ".popsection\n\t"
#define BAREFXT_LOAD_INDEX_ BAREFXT_PORT_LOAD_NUMBER
#ifdef BAREFXT_PORT_LOAD_NUMBERS
#define BAREFXT_LOAD_INDICES_ BAREFXT_PORT_LOAD_NUMBERS
#define BAREFXT_INDICES_WORD_ uint64_t
#define BAREFXT_INDICES_SHIFT_ 0
#endif

#else

/* GCC takes no text for a constant in any position-independent code then. */
#if (defined(__PIE__) || (defined(__PIC__) && !defined(__clang__))) && \
    !defined(BAREFXT_PORT_INDEX_SHIFT) && !BAREFXT_DISABLED
#error "barefxt: no position-independent executables on this CPU: compile with -fno-pie or -fno-pic"
#endif

#define BAREFXT_INTERN_PREFIX_ "barefxt_string_"
#define BAREFXT_INTERN_ENTRY_(flags, group, symbol, text_operand)         \
  BAREFXT_INTERN_TEXT_("", flags, group, text_operand)                    \
  ".pushsection barefxt_index,\"" flags "\",%%progbits" group "\n" symbol \
  ":\n\t"                                                                 \
  ".byte 0\n\t"                                                           \
  ".popsection\n\t"
#define BAREFXT_LOAD_INDEX_ BAREFXT_PORT_LOAD_INDEX
/* Ports that load both indices in one go load them into the header's places, or into 32 bits. */
#if defined(BAREFXT_PORT_LOAD_INDICES)
#define BAREFXT_LOAD_INDICES_ BAREFXT_PORT_LOAD_INDICES
#define BAREFXT_INDICES_WORD_ uint64_t
#define BAREFXT_INDICES_SHIFT_ 0
#elif defined(BAREFXT_PORT_LOAD_INDEX_PAIR)
#define BAREFXT_LOAD_INDICES_ BAREFXT_PORT_LOAD_INDEX_PAIR
#define BAREFXT_INDICES_WORD_ uint32_t
#define BAREFXT_INDICES_SHIFT_ 32
#endif

#endif

/* Which registers a port can load an index into, and how far up. */
#ifndef BAREFXT_PORT_INDEX_REGISTER
#define BAREFXT_PORT_INDEX_REGISTER "=r"
#endif
#ifdef BAREFXT_PORT_INDEX_SHIFT
#define BAREFXT_INDEX_WORD_ uintptr_t
#else
#define BAREFXT_PORT_INDEX_SHIFT 0
#define BAREFXT_INDEX_WORD_ uint32_t
#endif

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

/* The operands: the text, and the halves of its hash. */
#define BAREFXT_INTERN_SYMBOL_(low, high) \
  BAREFXT_INTERN_PREFIX_ BAREFXT_CONSTANT_(low) "_" BAREFXT_CONSTANT_(high)
#define BAREFXT_INTERN_ONCE_(text, symbol) \
  ".ifndef " symbol                        \
  "\n\t"                                   \
  ".weak " symbol                          \
  "\n\t"                                   \
  ".hidden " symbol                        \
  "\n\t" BAREFXT_INTERN_ENTRY_("G", "," symbol ",comdat", symbol, text) ".endif\n\t"
#define BAREFXT_INTERN_CHECK_(text) \
  static_assert(sizeof("" text) - 1 <= 32000, "the format's strings end at 32000 bytes")
#define BAREFXT_INTERN_HASH_(text) ::barefxt::hash_string("" text, sizeof("" text) - 1)

#define BAREFXT_SHIFTED_INDEX_(text)                                                             \
  (__extension__({                                                                               \
    BAREFXT_INTERN_CHECK_(text);                                                                 \
    BAREFXT_TEXT_PLACE_(barefxt_literal, text)                                                   \
    constexpr ::barefxt::StringHash barefxt_hash = BAREFXT_INTERN_HASH_(text);                   \
    BAREFXT_INDEX_WORD_ barefxt_index;                                                           \
    __asm__(BAREFXT_INTERN_ONCE_("1", BAREFXT_INTERN_SYMBOL_("2", "3"))                          \
                BAREFXT_LOAD_INDEX_(BAREFXT_INTERN_SYMBOL_("2", "3"))                            \
            : BAREFXT_PORT_INDEX_REGISTER(barefxt_index)                                         \
            : BAREFXT_TEXT_OPERAND_ BAREFXT_TEXT_(barefxt_literal, text), "i"(barefxt_hash.low), \
              "i"(barefxt_hash.high));                                                           \
    barefxt_index;                                                                               \
  }))
#ifdef BAREFXT_LOAD_INDICES_
#define BAREFXT_CATEGORY_AND_NAME(category, name)                                                  \
  (__extension__({                                                                                 \
    BAREFXT_INTERN_CHECK_(name);                                                                   \
    BAREFXT_TEXT_PLACE_(barefxt_first_literal, category)                                           \
    BAREFXT_TEXT_PLACE_(barefxt_second_literal, name)                                              \
    constexpr ::barefxt::StringHash barefxt_first = BAREFXT_INTERN_HASH_(category);                \
    constexpr ::barefxt::StringHash barefxt_second = BAREFXT_INTERN_HASH_(name);                   \
    BAREFXT_INDICES_WORD_ barefxt_indices;                                                         \
    __asm__(BAREFXT_INTERN_ONCE_("1", BAREFXT_INTERN_SYMBOL_("2", "3"))                            \
                BAREFXT_INTERN_ONCE_("4", BAREFXT_INTERN_SYMBOL_("5", "6")) BAREFXT_LOAD_INDICES_( \
                    BAREFXT_INTERN_SYMBOL_("2", "3"), BAREFXT_INTERN_SYMBOL_("5", "6"))            \
            : BAREFXT_PORT_INDEX_REGISTER(barefxt_indices)                                         \
            : BAREFXT_TEXT_OPERAND_ BAREFXT_TEXT_(barefxt_first_literal, category),                \
              "i"(barefxt_first.low), "i"(barefxt_first.high),                                     \
              BAREFXT_TEXT_OPERAND_ BAREFXT_TEXT_(barefxt_second_literal, name),                   \
              "i"(barefxt_second.low), "i"(barefxt_second.high));                                  \
    (uint64_t)barefxt_indices << BAREFXT_INDICES_SHIFT_;                                           \
  }))
#endif

#else

#define BAREFXT_INTERN_SYMBOL_(which) ".Lbarefxt_string" which "_%="
#define BAREFXT_INTERN_CHECK_(text) \
  _Static_assert(sizeof("" text) - 1 <= 32000, "the format's strings end at 32000 bytes")

#define BAREFXT_SHIFTED_INDEX_(text)                                       \
  (__extension__({                                                         \
    BAREFXT_INTERN_CHECK_(text);                                           \
    BAREFXT_TEXT_PLACE_(barefxt_literal, text)                             \
    BAREFXT_INDEX_WORD_ barefxt_index;                                     \
    __asm__(BAREFXT_INTERN_ENTRY_("", "", BAREFXT_INTERN_SYMBOL_(""), "1") \
                BAREFXT_LOAD_INDEX_(BAREFXT_INTERN_SYMBOL_(""))            \
            : BAREFXT_PORT_INDEX_REGISTER(barefxt_index)                   \
            : BAREFXT_TEXT_OPERAND_ BAREFXT_TEXT_(barefxt_literal, text)); \
    barefxt_index;                                                         \
  }))
#ifdef BAREFXT_LOAD_INDICES_
#define BAREFXT_CATEGORY_AND_NAME(category, name)                                                 \
  (__extension__({                                                                                \
    BAREFXT_INTERN_CHECK_(name);                                                                  \
    BAREFXT_TEXT_PLACE_(barefxt_first_literal, category)                                          \
    BAREFXT_TEXT_PLACE_(barefxt_second_literal, name)                                             \
    BAREFXT_INDICES_WORD_ barefxt_indices;                                                        \
    __asm__(BAREFXT_INTERN_ENTRY_("", "", BAREFXT_INTERN_SYMBOL_(""), "1") BAREFXT_INTERN_ENTRY_( \
                "", "", BAREFXT_INTERN_SYMBOL_("_2"), "2")                                        \
                BAREFXT_LOAD_INDICES_(BAREFXT_INTERN_SYMBOL_(""), BAREFXT_INTERN_SYMBOL_("_2"))   \
            : BAREFXT_PORT_INDEX_REGISTER(barefxt_indices)                                        \
            : BAREFXT_TEXT_OPERAND_ BAREFXT_TEXT_(barefxt_first_literal, category),               \
              BAREFXT_TEXT_OPERAND_ BAREFXT_TEXT_(barefxt_second_literal, name));                 \
    (uint64_t)barefxt_indices << BAREFXT_INDICES_SHIFT_;                                          \
  }))
#endif

#endif

#define BAREFXT_STRING(text) ((uint32_t)(BAREFXT_SHIFTED_INDEX_(text) >> BAREFXT_PORT_INDEX_SHIFT))

#ifndef BAREFXT_LOAD_INDICES_
#define BAREFXT_CATEGORY_AND_NAME(category, name)                                  \
  ((uint64_t)BAREFXT_SHIFTED_INDEX_(category) << (32 - BAREFXT_PORT_INDEX_SHIFT) | \
   (uint64_t)BAREFXT_SHIFTED_INDEX_(name) << (48 - BAREFXT_PORT_INDEX_SHIFT))
#endif

#endif
