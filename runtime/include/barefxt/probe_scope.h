/* Durations that end with the scope they begin in, for C and C++ alike, by the compilers' cleanup
 * attribute.
 *
 * A variable holds the end's header from the begin on, or 0 if the category was off then. So a
 * begin that was written has its end, however the scope is left, and even if the category changes
 * meanwhile. (A jump out of it by longjmp leaves it without.)
 */
#ifndef BAREFXT_PROBE_SCOPE_H
#define BAREFXT_PROBE_SCOPE_H

#include <barefxt/category.h>
#include <barefxt/event_c.h>
#include <barefxt/intern.h>

/* An event of header and time, "Event record" of the specification: type 4, two words, the end of a
 * duration. */
#define BAREFXT_SCOPE_END_ ((uint64_t)BAREFXT_EVENT_DURATION_END << 16 | 2u << 4 | 4u)

static inline __attribute__((always_inline)) void barefxt_probe_scope_end(const uint64_t* header) {
  if (*header != 0) barefxt_write_event_0(*header);
}

#define BAREFXT_SCOPE_JOIN_(left, right) left##right
#define BAREFXT_SCOPE_NAME_(line) BAREFXT_SCOPE_JOIN_(barefxt_scope_, line)

/* BAREFXT_SCOPE_BEGIN_(category_and_name, arguments...) is its language's. */
#define BAREFXT_SCOPE_IF_(enabled, category, name, ...)                                            \
  const uint64_t BAREFXT_SCOPE_NAME_(__LINE__) __attribute__((cleanup(barefxt_probe_scope_end))) = \
      __extension__({                                                                              \
        uint64_t barefxt_end = 0;                                                                  \
        if (enabled) {                                                                             \
          const uint64_t barefxt_names = BAREFXT_CATEGORY_AND_NAME(category, name);                \
          barefxt_end = barefxt_names + BAREFXT_SCOPE_END_;                                        \
          BAREFXT_SCOPE_BEGIN_(barefxt_names, ##__VA_ARGS__);                                      \
        }                                                                                          \
        barefxt_end;                                                                               \
      })

#define BAREFXT_DURATION_SCOPE(category, name, ...) \
  BAREFXT_SCOPE_IF_(BAREFXT_ENABLED(category), #category, name, ##__VA_ARGS__)

/* A duration of the category "job", which takes no number of its own. */
#define BAREFXT_JOB_NAMED(name, period_ns, deadline_ns)                                           \
  BAREFXT_SCOPE_IF_(BAREFXT_ENABLED(sched), "job", name, BAREFXT_ARG_U64("period_ns", period_ns), \
                    BAREFXT_ARG_U64("deadline_ns", deadline_ns))
#define BAREFXT_JOB(period_ns, deadline_ns) BAREFXT_JOB_NAMED("job", period_ns, deadline_ns)

#endif
