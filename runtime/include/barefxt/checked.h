/* Values that an argument cannot encode, refused if the compiler can see them.
 *
 * The call below has no definition and stands in a branch that only a constant that does not fit
 * can reach: it never gets into an object file, neither at -O0 nor at -O2.
 */
#ifndef BAREFXT_CHECKED_H
#define BAREFXT_CHECKED_H

#include <stdint.h>

#ifdef __cplusplus
extern "C"
#endif
    void
    barefxt_value_does_not_fit(void)
        __attribute__((error("this constant does not fit the argument's type")));

/* `value` stands in each part once and is evaluated once: it may have side effects. */
#define BAREFXT_CHECKED_(value, does_not_fit)                                                     \
  ((void)(__builtin_constant_p(value) && (does_not_fit) ? (barefxt_value_does_not_fit(), 0) : 0), \
   (value))
#define BAREFXT_CHECKED_U32_(value) BAREFXT_CHECKED_(value, (uint64_t)(value) >> 32 != 0)
#define BAREFXT_CHECKED_I32_(value) \
  BAREFXT_CHECKED_(value, ((uint64_t)(value) + 0x80000000u) >> 32 != 0)

/* A constant may be of a signed or an unsigned type, and comparing the latter with 0 draws
 * warnings. */
#define BAREFXT_CHECKED_U64_(value) BAREFXT_CHECKED_(value, (value) < 1 && (value) != 0)
#define BAREFXT_CHECKED_I64_(value) \
  BAREFXT_CHECKED_(value, (value) > 0 && (uint64_t)(value) >> 63 != 0)

/* The bits of a double, for code that may hold one. A union, since a copy may become a call of
 * memcpy. With floating point off, the compiler refuses it, and the caller has to give the bits. */
#define BAREFXT_DOUBLE_BITS_(value)                \
  (__extension__({                                 \
    union {                                        \
      double barefxt_double;                       \
      uint64_t barefxt_bits;                       \
    } barefxt_both;                                \
    barefxt_both.barefxt_double = (double)(value); \
    barefxt_both.barefxt_bits;                     \
  }))

#endif
