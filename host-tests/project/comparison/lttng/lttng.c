/* LTTng-UST: three events of a provider, in a session that a daemon has started. */
#define TRACEPOINT_CREATE_PROBES
#define TRACEPOINT_DEFINE
#include "provider.h"
#include "tracer.h"

static volatile uint32_t number;

static void mark(void) { tracepoint(comparison, mark); }
static void mark_with_number(void) { tracepoint(comparison, mark_with_number, number); }
static void begin_and_end(void) {
  tracepoint(comparison, begin);
  tracepoint(comparison, end);
}

const struct operation tracer_operations[] = {{"mark", mark},
                                              {"mark with a number", mark_with_number},
                                              {"begin and end", begin_and_end},
                                              {0, 0}};

/* Not before the session enables its events: the library registers the process ahead of main. */
int tracer_start(void) { return tracepoint_enabled(comparison, mark); }
/* The daemon has the buffers: comparison.sh looks at the trace's size. */
uint32_t tracer_bytes(void) { return 0; }
