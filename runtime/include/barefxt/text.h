/* Text as a record contains it: interned, an index that costs nothing, or inline, its bytes.
 *
 * "String References" of the specification. Text that only run time knows is inline. It is copied
 * into the record, and cut at a quarter of a segment between two characters; cuts are counted.
 */
#ifndef BAREFXT_TEXT_H
#define BAREFXT_TEXT_H

#include <stddef.h>
#include <stdint.h>

#include <barefxt/config.h>
#include <barefxt/intern.h>

/* ---- Texts ----
 *
 * Text that only run time knows is copied into the record, and cut at a quarter of a segment
 * between two characters. Cuts are counted.
 *
 * @macro BAREFXT_STRING(text) The number of a string literal in the table of strings.
 * @macro BAREFXT_TEXT(literal) A string literal as a barefxt_text.
 * @macro BAREFXT_TEXT_INLINE(pointer, count) `count` bytes that run time knows, as a barefxt_text.
 */

#ifdef __cplusplus
extern "C" {
#endif

/* Text of a record: BAREFXT_TEXT("literal"), or BAREFXT_TEXT_INLINE(pointer, count). */
typedef struct barefxt_text {
  const char* bytes;  /* inline text, not ended by a zero; null if it is interned */
  uint32_t reference; /* index in the table of strings; or 0x8000 plus the number of bytes */
} barefxt_text;

static inline barefxt_text barefxt_text_interned(uint32_t index) {
  barefxt_text text = {0, index};
  return text;
}

#if !BAREFXT_DISABLED
/* Makes a text of bytes that only run time knows.
 *
 * @param bytes The bytes. Keep them until the probe returns.
 * @param count Number of bytes.
 * @return The text.
 * @context any
 */
barefxt_text barefxt_text_inline(const char* bytes, size_t count);
#endif

/* Returns the words that the text takes in a record. */
static inline uint32_t barefxt_text_words(barefxt_text text) {
  return text.bytes == 0 ? 0 : ((text.reference & 0x7fff) + 7) / 8;
}

#ifdef __cplusplus
}  // extern "C"
#endif

#define BAREFXT_TEXT(literal) barefxt_text_interned(BAREFXT_STRING(literal))
#define BAREFXT_TEXT_INLINE(pointer, count) barefxt_text_inline(pointer, count)

#endif
