/* The provider `comparison`, in the form that LTTng-UST reads it, several times. */
#undef TRACEPOINT_PROVIDER
#define TRACEPOINT_PROVIDER comparison
#undef TRACEPOINT_INCLUDE
#define TRACEPOINT_INCLUDE "provider.h"
#if !defined(PROVIDER_H) || defined(TRACEPOINT_HEADER_MULTI_READ)
#define PROVIDER_H
#include <lttng/tracepoint.h>
#include <stdint.h>
TRACEPOINT_EVENT(comparison, mark, TP_ARGS(), TP_FIELDS())
TRACEPOINT_EVENT(comparison, mark_with_number, TP_ARGS(uint32_t, number),
                 TP_FIELDS(ctf_integer(uint32_t, number, number)))
TRACEPOINT_EVENT(comparison, begin, TP_ARGS(), TP_FIELDS())
TRACEPOINT_EVENT(comparison, end, TP_ARGS(), TP_FIELDS())
#endif
#include <lttng/tracepoint-event.h>
