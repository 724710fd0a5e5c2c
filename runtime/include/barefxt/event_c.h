/* Events with their arguments in memory.
 *
 * C's probe macros call these functions. They also record events whose names, or whose thread, only
 * run time knows.
 */
#ifndef BAREFXT_EVENT_C_H
#define BAREFXT_EVENT_C_H

#include <barefxt/argument_c.h>
#include <barefxt/config.h>
#include <barefxt/types.h>

/* ---- Events ---- */

#ifdef __cplusplus
extern "C" {
#endif

/* Types of events, by the numbers of the specification, "Event record". */
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

/* Writes an event now. It checks no category.
 *
 * @param type Its type.
 * @param thread The thread that the event belongs to; null for the thread that runs on this CPU.
 * @param category The category's name.
 * @param name The event's name.
 * @param trailing Id of the counter, the operation or the flow; begin of a complete duration, in
 *   ticks; otherwise ignored.
 * @param arguments Its arguments.
 * @param count Number of arguments, at most 15; further ones are left out.
 * @context any
 */
void barefxt_event(barefxt_event_type type, const barefxt_thread* thread, barefxt_text category,
                   barefxt_text name, uint64_t trailing, const barefxt_argument* arguments,
                   uint32_t count);

typedef enum barefxt_event_owner { BAREFXT_OWNER_CURRENT, BAREFXT_OWNER_CPU } barefxt_event_owner;

/* The macros call this. `header` has the event's type, category and name; the function adds size,
 * number of arguments and thread.
 */
void barefxt_write_event(barefxt_event_owner owner, uint64_t header, uint64_t trailing,
                         const barefxt_argument* arguments, uint32_t count);
/* The macros call these for events of words alone. The header lacks only the thread; the words
 * follow the time. Not for a complete duration.
 */
void barefxt_write_event_0(uint64_t header);
void barefxt_write_event_1(uint64_t header, uint64_t word);
void barefxt_write_event_2(uint64_t header, uint64_t first, uint64_t second);
void barefxt_write_cpu_event_0(uint64_t header);
/* Hooks of kernels call this for events of words alone. `thread` is null for the thread that runs
 * on this CPU. `words` are the header, which lacks only
 * the thread, and those behind the time. A complete duration has its begin ahead of them, and ends
 * now: `words` lacks the end, but the header's size has it.
 */
void barefxt_write_event_words(const barefxt_thread* thread, const uint64_t* words);

#endif

#ifdef __cplusplus
}  // extern "C"
#endif

#endif
