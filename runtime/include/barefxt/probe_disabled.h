/* Probes of a build without tracing: nothing is left of them, their arguments are not evaluated. */
#ifndef BAREFXT_PROBE_DISABLED_H
#define BAREFXT_PROBE_DISABLED_H

#include <barefxt/category.h>
#include <barefxt/event_c.h>
#include <barefxt/records.h>

/* Types stay, for variables of users, but no string gets into the image. */
#undef BAREFXT_TEXT
#undef BAREFXT_TEXT_INLINE
#define BAREFXT_TEXT(literal) barefxt_text_interned(0)
#define BAREFXT_TEXT_INLINE(pointer, count) barefxt_text_interned(0)

#undef BAREFXT_ENABLED
#define BAREFXT_ENABLED(category) 0
#define BAREFXT_INSTANT(...) ((void)0)
#define BAREFXT_COUNTER(...) ((void)0)
#define BAREFXT_DURATION_BEGIN(...) ((void)0)
#define BAREFXT_DURATION_END(...) ((void)0)
#define BAREFXT_DURATION_COMPLETE(...) ((void)0)
#define BAREFXT_ASYNC_BEGIN(...) ((void)0)
#define BAREFXT_ASYNC_INSTANT(...) ((void)0)
#define BAREFXT_ASYNC_END(...) ((void)0)
#define BAREFXT_FLOW_BEGIN(...) ((void)0)
#define BAREFXT_FLOW_STEP(...) ((void)0)
#define BAREFXT_FLOW_END(...) ((void)0)
#define BAREFXT_IRQ_ENTER(...) ((void)0)
#define BAREFXT_IRQ_EXIT(...) ((void)0)
#define BAREFXT_EVENT(...) ((void)0)
#define BAREFXT_LOG(...) ((void)0)
#define BAREFXT_BLOB(...) ((void)0)
#define BAREFXT_LARGE_BLOB(...) ((void)0)
#define BAREFXT_LARGE_BLOB_EVENT(...) ((void)0)
#define BAREFXT_USERSPACE_OBJECT(...) ((void)0)
#define BAREFXT_KERNEL_OBJECT(...) ((void)0)
#define BAREFXT_CONTEXT_SWITCH(...) ((void)0)
#define BAREFXT_THREAD_WAKEUP(...) ((void)0)
#define BAREFXT_PROFILER_MODULE(...) ((void)0)
#define BAREFXT_PROFILER_MMAP(...) ((void)0)
#define BAREFXT_PROFILER_BACKTRACE(...) ((void)0)

#endif
