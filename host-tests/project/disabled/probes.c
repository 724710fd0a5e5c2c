/* Each probe once, or, with WITHOUT, not a word of them: compiled with BAREFXT_DISABLED both must
 * be one object. `called` would show that an argument is evaluated. As C, and as C++.
 */
#include <barefxt/barefxt.h>

#ifdef WITHOUT
#define PROBE(...)
#else
#define PROBE(...) __VA_ARGS__;
#endif

BAREFXT_CATEGORY(check, 0);

#ifdef __cplusplus
extern "C" {
#endif
int called(int value);
const char* text(int value);
int everything(int value, const barefxt_thread* thread);
#ifdef __cplusplus
}
#endif

int everything(int value, const barefxt_thread* thread) {
  PROBE(BAREFXT_INSTANT(check, "plain"))
  PROBE(BAREFXT_INSTANT(check, "null", BAREFXT_ARG_NULL("n"), BAREFXT_ARG_BOOL("b", called(1))))
  PROBE(BAREFXT_INSTANT(check, "numbers", BAREFXT_ARG_I32("i", called(2)),
                        BAREFXT_ARG_U32("u", (uint32_t)called(3)), BAREFXT_ARG_I64("l", called(4)),
                        BAREFXT_ARG_U64("m", (uint64_t)called(5))))
  PROBE(BAREFXT_INSTANT(check, "others", BAREFXT_ARG_POINTER("p", text(6)),
                        BAREFXT_ARG_KOID("k", (uint64_t)called(7)), BAREFXT_ARG_LITERAL("t", "x"),
                        BAREFXT_ARG_STRING("s", text(8), 4), BAREFXT_ARG_BLOB("o", text(9), 4)))
  PROBE(BAREFXT_COUNTER(check, "counter", (uint64_t)called(10), BAREFXT_ARG_U32("u", 1)))
  PROBE(BAREFXT_DURATION_BEGIN(check, "duration", BAREFXT_ARG_I32("i", called(11))))
  value += called(value);
  PROBE(BAREFXT_DURATION_END(check, "duration"))
  PROBE(BAREFXT_DURATION_SCOPE(check, "scope", BAREFXT_ARG_I32("i", called(40))))
  PROBE(BAREFXT_JOB(BAREFXT_MS(10), (uint64_t)called(41)))
  PROBE(BAREFXT_JOB_NAMED("named", 0, (uint64_t)called(42)))
  PROBE(BAREFXT_DURATION_COMPLETE(check, "complete", (uint64_t)called(12)))
  PROBE(BAREFXT_ASYNC_BEGIN(check, "async", (uint64_t)called(13)))
  PROBE(BAREFXT_ASYNC_INSTANT(check, "async", (uint64_t)called(14)))
  PROBE(BAREFXT_ASYNC_END(check, "async", (uint64_t)called(15)))
  PROBE(BAREFXT_FLOW_BEGIN(check, "flow", (uint64_t)called(16)))
  PROBE(BAREFXT_FLOW_STEP(check, "flow", (uint64_t)called(17)))
  PROBE(BAREFXT_FLOW_END(check, "flow", (uint64_t)called(18)))
  PROBE(BAREFXT_IRQ_ENTER("irq", BAREFXT_ARG_I32("i", called(19))))
  PROBE(BAREFXT_IRQ_EXIT("irq"))
  if (value != 0) {
    PROBE(BAREFXT_EVENT(check, BAREFXT_EVENT_INSTANT, thread, BAREFXT_TEXT("event"),
                        (uint64_t)called(20)))
    PROBE(BAREFXT_CONTEXT_SWITCH(thread, BAREFXT_STATE_BLOCKED, thread))
    PROBE(BAREFXT_THREAD_WAKEUP(thread, BAREFXT_ARG_I32("i", called(21))))
  }
  PROBE(BAREFXT_LOG(check, text(22), 4))
  PROBE(BAREFXT_BLOB(check, BAREFXT_TEXT("blob"), (barefxt_blob_type)1, text(23), 4))
  PROBE(BAREFXT_LARGE_BLOB(check, BAREFXT_TEXT("large"), text(24), 4))
  PROBE(BAREFXT_LARGE_BLOB_EVENT(check, BAREFXT_TEXT("large"), text(25), 4))
  PROBE(BAREFXT_USERSPACE_OBJECT(check, text(26), thread, BAREFXT_TEXT_INLINE(text(27), 4)))
  PROBE(BAREFXT_KERNEL_OBJECT(check, (uint64_t)called(28), 1, BAREFXT_TEXT("object")))
  PROBE(BAREFXT_PROFILER_MODULE(check, thread, 1, text(29), 4, text(30), 4))
  PROBE(BAREFXT_PROFILER_MMAP(check, thread, 1, 5, (uint64_t)called(31), 1, 2))
  PROBE(BAREFXT_PROFILER_BACKTRACE(check, thread, (const uintptr_t*)text(32), 1))
  (void)thread;
  return value;
}
