/* The body of every_record_from_c and every_record_from_cpp: the same text is compiled as both. */
#include "workload/every_record.h"

/* Text that the compiler must take for one that only run time knows. */
static const char* volatile every_record_text = "known at run time";
enum { kEveryRecordTextBytes = 17 };

static uint8_t every_record_payload[2500];

static void write_events(const every_record_threads* threads) {
  const uint64_t begin = barefxt_ticks();
  const barefxt_text run_time = BAREFXT_TEXT_INLINE(every_record_text, kEveryRecordTextBytes);
  const char* text = every_record_text;

  /* All event types, names interned, of the thread that runs. */
  BAREFXT_INSTANT(format, "instant");
  BAREFXT_COUNTER(format, "counter", 9, BAREFXT_ARG_U32("value", 1));
  BAREFXT_DURATION_BEGIN(format, "duration");
  BAREFXT_FLOW_BEGIN(format, "flow", 21);
  BAREFXT_FLOW_STEP(format, "flow", 21);
  BAREFXT_FLOW_END(format, "flow", 21);
  BAREFXT_DURATION_END(format, "duration");
  BAREFXT_DURATION_COMPLETE(format, "complete", begin);
  BAREFXT_ASYNC_BEGIN(format, "async", 22);
  BAREFXT_ASYNC_INSTANT(format, "async", 22);
  BAREFXT_ASYNC_END(format, "async", 22);

  const uint64_t later = barefxt_ticks();

  /* All event types, names inline, of threads that are named: with an index, and inline. */
  BAREFXT_EVENT(format, BAREFXT_EVENT_INSTANT, &threads->indexed, run_time, 0);
  BAREFXT_EVENT(format, BAREFXT_EVENT_COUNTER, &threads->inlined, run_time, 10,
                BAREFXT_ARG_I64("value", -7));
  BAREFXT_EVENT(format, BAREFXT_EVENT_DURATION_BEGIN, &threads->inlined, run_time, 0);
  BAREFXT_EVENT(format, BAREFXT_EVENT_FLOW_BEGIN, &threads->inlined, run_time, 23);
  BAREFXT_EVENT(format, BAREFXT_EVENT_FLOW_STEP, &threads->inlined, run_time, 23);
  BAREFXT_EVENT(format, BAREFXT_EVENT_FLOW_END, &threads->inlined, run_time, 23);
  BAREFXT_EVENT(format, BAREFXT_EVENT_DURATION_END, &threads->inlined, run_time, 0);
  BAREFXT_EVENT(format, BAREFXT_EVENT_DURATION_COMPLETE, &threads->indexed, run_time, later);
  BAREFXT_EVENT(format, BAREFXT_EVENT_ASYNC_BEGIN, 0, run_time, 24);
  BAREFXT_EVENT(format, BAREFXT_EVENT_ASYNC_INSTANT, 0, run_time, 24);
  BAREFXT_EVENT(format, BAREFXT_EVENT_ASYNC_END, 0, run_time, 24);

  /* The category inline, too. */
  barefxt_event(BAREFXT_EVENT_INSTANT, &threads->inlined, BAREFXT_TEXT_INLINE(text, 5), run_time, 0,
                0, 0);

  /* All argument types and as many as there can be, names interned. */
  BAREFXT_INSTANT(format, "arguments", BAREFXT_ARG_NULL("null"), BAREFXT_ARG_I32("int32", -5),
                  BAREFXT_ARG_U32("uint32", 0xfedcba98u), BAREFXT_ARG_I64("int64", -6000000000),
                  BAREFXT_ARG_U64("uint64", 0xfedcba9876543210u),
                  BAREFXT_ARG_DOUBLE_BITS("double", 0x3ff8000000000000u),
                  BAREFXT_ARG_LITERAL("string", "constant"),
                  BAREFXT_ARG_STRING("run time", text, kEveryRecordTextBytes),
                  BAREFXT_ARG_POINTER("pointer", (void*)0x1230), BAREFXT_ARG_KOID("koid", 77),
                  BAREFXT_ARG_BOOL("true", 1), BAREFXT_ARG_BOOL("false", 0),
                  BAREFXT_ARG_BLOB("blob", text, 3), BAREFXT_ARG_STRING("empty", text, 0),
                  BAREFXT_ARG_BLOB("no bytes", text, 0));

  /* The same, names inline, of all lengths that differ in their padding. */
  BAREFXT_INSTANT(format, "arguments of run time", barefxt_arg_null(BAREFXT_TEXT_INLINE(text, 1)),
                  barefxt_arg_i32(BAREFXT_TEXT_INLINE(text, 2), -5),
                  barefxt_arg_u32(BAREFXT_TEXT_INLINE(text, 3), 0xfedcba98u),
                  barefxt_arg_i64(BAREFXT_TEXT_INLINE(text, 4), -6000000000),
                  barefxt_arg_u64(BAREFXT_TEXT_INLINE(text, 5), 0xfedcba9876543210u),
                  barefxt_arg_double_bits(BAREFXT_TEXT_INLINE(text, 6), 0x3ff8000000000000u),
                  barefxt_arg_text(BAREFXT_TEXT_INLINE(text, 7), BAREFXT_TEXT("constant")),
                  barefxt_arg_text(BAREFXT_TEXT_INLINE(text, 8), run_time),
                  barefxt_arg_pointer(BAREFXT_TEXT_INLINE(text, 9), (void*)0x1230),
                  barefxt_arg_koid(BAREFXT_TEXT_INLINE(text, 10), 77),
                  barefxt_arg_bool(BAREFXT_TEXT_INLINE(text, 11), 1),
                  barefxt_arg_bool(BAREFXT_TEXT_INLINE(text, 12), 0),
                  barefxt_arg_blob(BAREFXT_TEXT_INLINE(text, 13), text, 8),
                  barefxt_arg_text(BAREFXT_TEXT_INLINE(text, 14), BAREFXT_TEXT_INLINE(text, 0)),
                  barefxt_arg_blob(BAREFXT_TEXT_INLINE(text, 15), text, 9));
}

static void write_objects(const every_record_threads* threads) {
  const barefxt_text run_time = BAREFXT_TEXT_INLINE(every_record_text, kEveryRecordTextBytes);
  BAREFXT_KERNEL_OBJECT(format, 77, 5, BAREFXT_TEXT("an event"), BAREFXT_ARG_KOID("owner", 101),
                        BAREFXT_ARG_NULL("nothing"));
  BAREFXT_KERNEL_OBJECT(format, 78, 3, run_time);
  BAREFXT_USERSPACE_OBJECT(format, (void*)0x1230, &threads->indexed, BAREFXT_TEXT("a lock"),
                           BAREFXT_ARG_U32("waiters", 2));
  BAREFXT_USERSPACE_OBJECT(format, (void*)0x1238, &threads->inlined, run_time);
  BAREFXT_USERSPACE_OBJECT(format, (void*)0x1240, 0, BAREFXT_TEXT("of who runs"));
}

static void write_blobs(void) {
  const barefxt_text run_time = BAREFXT_TEXT_INLINE(every_record_text, kEveryRecordTextBytes);
  for (uint32_t i = 0; i < sizeof every_record_payload; ++i)
    every_record_payload[i] = (uint8_t)(i * 7);
  BAREFXT_BLOB(format, BAREFXT_TEXT("small"), BAREFXT_BLOB_DATA, every_record_payload, 5);
  BAREFXT_BLOB(format, run_time, BAREFXT_BLOB_LAST_BRANCH, every_record_payload, 8);
  BAREFXT_BLOB(format, BAREFXT_TEXT("none"), BAREFXT_BLOB_PERFETTO, every_record_payload, 0);
  BAREFXT_BLOB(format, BAREFXT_TEXT("in parts"), BAREFXT_BLOB_DATA, every_record_payload,
               sizeof every_record_payload);
  BAREFXT_LARGE_BLOB(format, BAREFXT_TEXT("large"), every_record_payload, 11);
  BAREFXT_LARGE_BLOB(format, run_time, every_record_payload, 1500);
  BAREFXT_LARGE_BLOB_EVENT(format, BAREFXT_TEXT("large event"), every_record_payload, 16);
  BAREFXT_LARGE_BLOB_EVENT(format, run_time, every_record_payload, 17, BAREFXT_ARG_I32("int32", 3),
                           BAREFXT_ARG_U64("uint64", 1));
}

static void write_the_rest(const every_record_threads* threads) {
  const char* text = every_record_text;
  const uintptr_t frames[] = {0x1000, 0x2000, 0x3000};
  BAREFXT_LOG(format, text, kEveryRecordTextBytes);
  BAREFXT_LOG(format, text, 0);
  BAREFXT_PROFILER_MODULE(format, 0, 5, "kernel.elf", 10, text, 3);
  BAREFXT_PROFILER_MODULE(format, &threads->inlined, 0xffff, text, 0, text, 0);
  BAREFXT_PROFILER_MMAP(format, &threads->indexed, 5, 5, 0x80000000u, 0x10000, 0x40);
  BAREFXT_PROFILER_MMAP(format, &threads->inlined, 0xffff, 7, 1, 2, 3);
  BAREFXT_PROFILER_BACKTRACE(format, 0, frames, 3);
  BAREFXT_PROFILER_BACKTRACE(format, &threads->inlined, frames, 0);
  barefxt_sample(0x4000, 0, 0, 0);
  barefxt_heap_alloc((const void*)0x20000100, 24, (const void*)0x4001);
  barefxt_heap_realloc((const void*)0x20000100, (const void*)0x20000100, 40, (const void*)0x4002);
  barefxt_heap_free((const void*)0x20000100, (const void*)0x4003);
  barefxt_heap_pool(BAREFXT_TEXT("pool"), (const void*)0x20000000, 4096, 0);
}

static void write_switches(const every_record_threads* threads) {
  const barefxt_thread* indexed = &threads->indexed;
  const barefxt_thread* inlined = &threads->inlined;
  const barefxt_text run_time = BAREFXT_TEXT_INLINE(every_record_text, kEveryRecordTextBytes);
  barefxt_context_switch(indexed, BAREFXT_STATE_RUNNABLE, indexed);
  barefxt_context_switch(indexed, BAREFXT_STATE_SUSPENDED, inlined);
  BAREFXT_INSTANT(format, "of an inline thread");
  BAREFXT_LOG(format, "inline", 6);
  BAREFXT_LARGE_BLOB_EVENT(format, BAREFXT_TEXT("inline"), every_record_payload, 1);
  BAREFXT_USERSPACE_OBJECT(format, (void*)0x1248, 0, BAREFXT_TEXT("of an inline thread"));
  barefxt_context_switch(inlined, BAREFXT_STATE_BLOCKED, inlined);
  barefxt_context_switch(inlined, BAREFXT_STATE_DYING, indexed);
  barefxt_context_switch(indexed, BAREFXT_STATE_DEAD, indexed);
  BAREFXT_CONTEXT_SWITCH(indexed, BAREFXT_STATE_BLOCKED, inlined);
  BAREFXT_CONTEXT_SWITCH(inlined, BAREFXT_STATE_RUNNABLE, indexed,
                         BAREFXT_ARG_I32("outgoing_weight", 16),
                         BAREFXT_ARG_I32("incoming_weight", -1));
  barefxt_thread_wakeup(inlined);
  BAREFXT_THREAD_WAKEUP(inlined, BAREFXT_ARG_I32("weight", 9), BAREFXT_ARG_KOID("waker", 101));
  BAREFXT_THREAD_WAKEUP(indexed, barefxt_arg_u32(run_time, 1));
  BAREFXT_IRQ_ENTER("interrupt", BAREFXT_ARG_U32("number", 27));
  BAREFXT_IRQ_EXIT("interrupt");
  barefxt_context_switch(indexed, BAREFXT_STATE_BLOCKED, inlined);
}

static void write_all(const every_record_threads* threads) {
  barefxt_context_switch(&threads->inlined, BAREFXT_STATE_BLOCKED, &threads->indexed);
  write_events(threads);
  write_objects(threads);
  write_blobs();
  write_the_rest(threads);
  write_switches(threads);
}
