/* Arguments in memory, "Argument Types" of the specification.
 *
 * C's probes are made of these. C++'s take them as well, for names that only run time knows.
 *
 * Invariant: the header has the size of all the argument's words. If no record holds that many, it
 * has the largest size there is; then the whole record counts as lost.
 */
#ifndef BAREFXT_ARGUMENT_C_H
#define BAREFXT_ARGUMENT_C_H

#include <barefxt/text.h>

/* ---- Arguments ----
 *
 * These functions take a barefxt_text for a name, and go wherever the macros do:
 *
 *     BAREFXT_INSTANT(net, "packet", barefxt_arg_u32(BAREFXT_TEXT_INLINE(name, bytes), length));
 */

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __cplusplus
typedef bool barefxt_bool;
#else
typedef _Bool barefxt_bool;
#endif

/* An argument of a record, made by the functions below. */
typedef struct barefxt_argument {
  uint64_t header;
  uint64_t value;      /* the value's own word, or the number of bytes below */
  const void* payload; /* bytes of inline text or of a blob, else null */
  const char* name;    /* null if the name is interned */
} barefxt_argument;

/* Type [0 .. 3], size in words [4 .. 15], name [16 .. 31], by type the value [32 .. 63]. */
static inline barefxt_argument barefxt_argument_make(uint32_t type, barefxt_text name,
                                                     uint32_t value_words, uint32_t upper,
                                                     uint64_t value, const void* payload) {
  uint32_t words = 1 + barefxt_text_words(name) + value_words;
  if (words > 0xfff) words = 0xfff;
  barefxt_argument argument;
  /* The lower half by itself: clang then folds the constant parts. */
  argument.header = (uint64_t)upper << 32 | (name.reference << 16 | words << 4 | type);
  argument.value = value;
  argument.payload = payload;
  argument.name = name.bytes;
  return argument;
}

/* Makes an argument without a value.
 *
 * @context any
 */
static inline barefxt_argument barefxt_arg_null(barefxt_text name) {
  return barefxt_argument_make(0, name, 0, 0, 0, 0);
}
/* Makes an argument of a signed number of 32 bits.
 *
 * @context any
 */
static inline barefxt_argument barefxt_arg_i32(barefxt_text name, int32_t value) {
  return barefxt_argument_make(1, name, 0, (uint32_t)value, 0, 0);
}
/* Makes an argument of an unsigned number of 32 bits.
 *
 * @context any
 */
static inline barefxt_argument barefxt_arg_u32(barefxt_text name, uint32_t value) {
  return barefxt_argument_make(2, name, 0, value, 0, 0);
}
/* Makes an argument of a signed number of 64 bits.
 *
 * @context any
 */
static inline barefxt_argument barefxt_arg_i64(barefxt_text name, int64_t value) {
  return barefxt_argument_make(3, name, 1, 0, (uint64_t)value, 0);
}
/* Makes an argument of an unsigned number of 64 bits.
 *
 * @context any
 */
static inline barefxt_argument barefxt_arg_u64(barefxt_text name, uint64_t value) {
  return barefxt_argument_make(4, name, 1, 0, value, 0);
}
/* Makes an argument of a double by its IEEE 754 bits.
 *
 * @context any
 */
static inline barefxt_argument barefxt_arg_double_bits(barefxt_text name, uint64_t bits) {
  return barefxt_argument_make(5, name, 1, 0, bits, 0);
}
/* Makes an argument of a text.
 *
 * @context any
 */
static inline barefxt_argument barefxt_arg_text(barefxt_text name, barefxt_text value) {
  return barefxt_argument_make(6, name, barefxt_text_words(value), value.reference,
                               value.bytes == 0 ? 0 : value.reference & 0x7fff, value.bytes);
}
/* Makes an argument of an address.
 *
 * @context any
 */
static inline barefxt_argument barefxt_arg_pointer(barefxt_text name, const volatile void* value) {
  return barefxt_argument_make(7, name, 1, 0, (uintptr_t)value, 0);
}
/* Makes an argument of a koid.
 *
 * @context any
 */
static inline barefxt_argument barefxt_arg_koid(barefxt_text name, uint64_t value) {
  return barefxt_argument_make(8, name, 1, 0, value, 0);
}
/* Makes an argument that is true or false.
 *
 * @context any
 */
static inline barefxt_argument barefxt_arg_bool(barefxt_text name, barefxt_bool value) {
  return barefxt_argument_make(9, name, 0, value ? 1 : 0, 0, 0);
}
/* Makes an argument of bytes without a meaning to the format.
 *
 * @param name Its name.
 * @param bytes The bytes.
 * @param count Number of bytes. A blob is never cut: if no record holds it, the record counts as
 *   lost.
 * @return The argument.
 * @context any
 */
static inline barefxt_argument barefxt_arg_blob(barefxt_text name, const void* bytes,
                                                size_t count) {
  if (bytes == 0) count = 0;
  const uint32_t held = count > 0x7fff ? 0x7fff : (uint32_t)count;
  return barefxt_argument_make(10, name, count > 0x7fff ? 0xfff : (held + 7) / 8, held, held,
                               bytes);
}

#ifdef __cplusplus
}  // extern "C"
#endif

#endif
