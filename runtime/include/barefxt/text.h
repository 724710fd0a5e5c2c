/* Text as a record bears it: interned, an index that costs nothing, or inline, its bytes.
 *
 * "String References" of the specification. Inline text is for what is known only at run time; it
 * is copied into the record, cut at a quarter of a segment between two characters, and what was
 * cut is counted.
 */
#ifndef BAREFXT_TEXT_H
#define BAREFXT_TEXT_H

#include <stddef.h>
#include <stdint.h>

#include <barefxt/config.h>
#include <barefxt/intern.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct barefxt_text {
  const char* bytes;  /* of inline text, not ended by a zero; null where it is interned */
  uint32_t reference; /* index in the table of strings, or 0x8000 and the number of bytes */
} barefxt_text;

static inline barefxt_text barefxt_text_interned(uint32_t index) {
  barefxt_text text = {0, index};
  return text;
}

#if !BAREFXT_DISABLED
/* The bytes must stay until the record is written, that is until the probe returns. Context: any.
 */
barefxt_text barefxt_text_inline(const char* bytes, size_t count);
#endif

/* Words that the text takes in a record. */
static inline uint32_t barefxt_text_words(barefxt_text text) {
  return text.bytes == 0 ? 0 : ((text.reference & 0x7fff) + 7) / 8;
}

#ifdef __cplusplus
}  // extern "C"
#endif

/* A string literal. */
#define BAREFXT_TEXT(literal) barefxt_text_interned(BAREFXT_STRING(literal))
/* `count` bytes that only run time knows. */
#define BAREFXT_TEXT_INLINE(pointer, count) barefxt_text_inline(pointer, count)

#endif
