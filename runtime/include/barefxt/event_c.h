/* Events with their arguments in memory: what the C probe macros call, and the way to events whose
 * names, or whose thread, only run time knows. */
#ifndef BAREFXT_EVENT_C_H
#define BAREFXT_EVENT_C_H

#include <barefxt/argument_c.h>
#include <barefxt/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The numbers are those of the specification, "Event record". */
typedef enum barefxt_event_type {
  BAREFXT_EVENT_INSTANT = 0,
  BAREFXT_EVENT_COUNTER = 1,
  BAREFXT_EVENT_DURATION_BEGIN = 2,
  BAREFXT_EVENT_DURATION_END = 3,
  BAREFXT_EVENT_DURATION_COMPLETE = 4,
  BAREFXT_EVENT_ASYNC_BEGIN = 5,
  BAREFXT_EVENT_ASYNC_INSTANT = 6,
  BAREFXT_EVENT_ASYNC_END = 7,
  BAREFXT_EVENT_FLOW_BEGIN = 8,
  BAREFXT_EVENT_FLOW_STEP = 9,
  BAREFXT_EVENT_FLOW_END = 10
} barefxt_event_type;

/* Writes an event now. `trailing` is the counter's or the correlation id, or of a duration complete
 * its begin in ticks; of other types nothing. `thread` is whose event it is; null: the thread that
 * runs on this CPU. At most 15 arguments; more are left out. Context: any. */
void barefxt_event(barefxt_event_type type, const barefxt_thread* thread, barefxt_text category,
                   barefxt_text name, uint64_t trailing, const barefxt_argument* arguments,
                   uint32_t count);

typedef enum barefxt_event_owner { BAREFXT_OWNER_CURRENT, BAREFXT_OWNER_CPU } barefxt_event_owner;

/* The same with category and name as indices [0 .. 15] and [16 .. 31]. Used by the macros only. */
void barefxt_write_event(uint32_t type, barefxt_event_owner owner, uint32_t category_and_name,
                         uint64_t trailing, const barefxt_argument* arguments, uint32_t count);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif
