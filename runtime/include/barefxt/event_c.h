/* What the C probe macros call: events with their arguments in memory. */
#ifndef BAREFXT_EVENT_C_H
#define BAREFXT_EVENT_C_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One argument, ready to be written: a header, and where the type asks for it a word or text. */
typedef struct barefxt_argument {
  uint64_t header;
  uint64_t value;
  const char* text; /* null: no text */
} barefxt_argument;

typedef enum barefxt_event_owner { BAREFXT_OWNER_CURRENT, BAREFXT_OWNER_CPU } barefxt_event_owner;

/* Event type as in the specification. Used by the macros only. Context: any. */
void barefxt_write_event(uint32_t type, barefxt_event_owner owner, uint32_t category_and_name,
                         uint64_t trailing, const barefxt_argument* arguments, uint32_t count);

/* Cuts text at a character's boundary to what a record holds, and makes its header. */
barefxt_argument barefxt_text_argument(uint32_t name, const char* text, size_t bytes);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif
