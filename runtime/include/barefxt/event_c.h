/* Events with their arguments in memory: what the C probe macros call, and the way to events whose
 * names, or whose thread, only run time knows. */
#ifndef BAREFXT_EVENT_C_H
#define BAREFXT_EVENT_C_H

#include <barefxt/argument_c.h>
#include <barefxt/config.h>
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

#if !BAREFXT_DISABLED

/* Writes an event now. `trailing` is the counter's or the correlation id, or of a duration complete
 * its begin in ticks; of other types nothing. `thread` is whose event it is; null: the thread that
 * runs on this CPU. At most 15 arguments; more are left out. Context: any. */
void barefxt_event(barefxt_event_type type, const barefxt_thread* thread, barefxt_text category,
                   barefxt_text name, uint64_t trailing, const barefxt_argument* arguments,
                   uint32_t count);

typedef enum barefxt_event_owner { BAREFXT_OWNER_CURRENT, BAREFXT_OWNER_CPU } barefxt_event_owner;

/* What the macros call. `header` is the event's, with its type, category and name; size, number of
 * arguments and thread are filled in. */
void barefxt_write_event(barefxt_event_owner owner, uint64_t header, uint64_t trailing,
                         const barefxt_argument* arguments, uint32_t count);
/* Events that are words alone: the header is complete but for the thread, the words stand behind
 * the time. Not for a duration complete. */
void barefxt_write_event_0(uint64_t header);
void barefxt_write_event_1(uint64_t header, uint64_t word);
void barefxt_write_event_2(uint64_t header, uint64_t first, uint64_t second);
void barefxt_write_cpu_event_0(uint64_t header);

#endif

#ifdef __cplusplus
}  // extern "C"
#endif

#endif
