/* An application that calls every function of the API, or, with WITHOUT, not one: built with
 * BAREFXT_DISABLED both are one object, and link to one image.
 */
#include <barefxt/barefxt.h>

#ifdef WITHOUT
#define CALL(...)
#else
#define CALL(...) __VA_ARGS__;
#endif

#ifdef __cplusplus
extern "C" {
#endif
void put(void* context, const uint8_t* bytes, size_t count);
void work(int step);
void run(int cpus);
void application_begin(void);
#ifdef __cplusplus
}
#endif

#ifndef WITHOUT
static uint64_t rings[2048];
static uint8_t line[256];
static barefxt_thread threads[2];
static barefxt_stack stack;

static void record(void) {
  barefxt_clock_tick();
  barefxt_context_switch(&threads[0], BAREFXT_STATE_BLOCKED, &threads[1]);
  barefxt_context_switch_with(&threads[1], BAREFXT_STATE_BLOCKED, &threads[0], NULL, 0);
  barefxt_switch_out(&threads[0], BAREFXT_STATE_RUNNABLE);
  barefxt_clear_exclusive();
  barefxt_switch_in(&threads[1]);
  barefxt_switch_unrecorded();
  barefxt_thread_wakeup(&threads[0]);
  barefxt_thread_wakeup_with(&threads[0], NULL, 0);
  barefxt_interrupt_enter(7, BAREFXT_TEXT("timer"));
  barefxt_interrupt_exit(7);
  barefxt_thread_wakeup_in_interrupt(&threads[0], 7);
  const uint64_t contended = barefxt_lock_contended(1, BAREFXT_TEXT("bus"), &threads[0]);
  barefxt_lock_given_up(1, BAREFXT_TEXT("bus"), contended);
  barefxt_lock_acquired(1, BAREFXT_TEXT("bus"), contended);
  barefxt_lock_released(1, BAREFXT_TEXT("bus"));
  const barefxt_argument argument = barefxt_arg_u64(BAREFXT_TEXT("at"), barefxt_ticks());
  const barefxt_text text = barefxt_text_inline("text", 4);
  barefxt_event(BAREFXT_EVENT_INSTANT, BAREFXT_THIS_CPU, text, text, 0, &argument, 1);
  barefxt_log("text", 4);
  barefxt_blob(text, BAREFXT_BLOB_DATA, line, sizeof line);
  barefxt_large_blob(text, text, line, sizeof line);
  barefxt_large_blob_event(text, text, line, sizeof line, &argument, 1);
  barefxt_userspace_object(line, &threads[0], text, &argument, 1);
  barefxt_kernel_object(1, 1, text, &argument, 1);
  barefxt_profiler_module(&threads[0], 1, "image", 5, line, 4);
  barefxt_profiler_mmap(&threads[0], 1, 5, 0, 1, 2);
  barefxt_profiler_backtrace(&threads[0], NULL, 0);
  barefxt_sample(0x1000, 0, 0, 0);
  barefxt_heap_alloc(line, 4, line);
  barefxt_heap_realloc(line, line, 8, line);
  barefxt_heap_free(line, line);
  barefxt_heap_pool(text, line, sizeof line, 0);
  barefxt_stack_register(&stack, BAREFXT_INTERRUPT_STACK(0), 0x2000, 512, 0xa5a5a5a5u);
  barefxt_stack_reached(&stack, 0x2100);
  barefxt_stack_lower(&stack, 0x2080);
  barefxt_stack_left(&stack, 64);
  while (!barefxt_stack_scan(16)) work(5);
  barefxt_stack_unregister(&stack);
}

static void name(void) {
  barefxt_process_register(1, "kernel");
  barefxt_process_rename(1, "system");
  for (uint32_t i = 0; i < 2; ++i)
    barefxt_thread_register(&threads[i], 1, barefxt_koid_new(), "thread", 1);
  barefxt_thread_set_priority(&threads[0], 2);
  barefxt_thread_rename(&threads[0], "worker");
  barefxt_object_register(5, BAREFXT_OBJECT_QUEUE, "queue");
}

static void forget(void) {
  barefxt_object_unregister(5);
  barefxt_thread_unregister(&threads[0]);
  barefxt_process_unregister(1);
}

static void send(void) {
  const barefxt_writer writer = {put, NULL};
  if (barefxt_snapshot() == BAREFXT_OK) barefxt_snapshot_release();
  if (barefxt_dump(&writer, BAREFXT_DUMP_BINARY) != BAREFXT_OK) work(10);
  if (barefxt_dump_fxt(&writer) != BAREFXT_OK) work(11);
  while (!barefxt_drain_is_over()) {
    const size_t bytes = barefxt_drain(line, sizeof line, BAREFXT_DUMP_TEXT);
    put(NULL, line, bytes);
  }
  barefxt_receive(line[0]);
  if (barefxt_serve(&writer, BAREFXT_DUMP_BINARY, NULL)) work(12);
  if (barefxt_recover() != BAREFXT_RECOVERED_NOTHING) {
    barefxt_recovered_dump(&writer, BAREFXT_DUMP_BINARY);
    barefxt_recovered_release();
  }
}

static void call_functions(void) {
  barefxt_call_limits limits = {5, 4, NULL, 0};
  barefxt_limit_calls(&limits);
  if (barefxt_function_count() != 0) barefxt_functions_patch(1, barefxt_function_id(line), NULL);
  barefxt_functions_unpatch(1, UINT32_MAX, NULL);
  if (barefxt_calls_left_out().too_short != 0) work(13);
}

static void trace(int cpus) {
  barefxt_config config; /* it never runs */
  config.memory = rings;
  config.bytes = sizeof rings;
  config.cpus = (uint16_t)cpus;
  name();
  if (barefxt_check_cpus(config.cpus, 1000) != BAREFXT_OK) work(1);
  if (barefxt_ring(0) != 0) work(1);
  if (barefxt_clock_sync(config.cpus, 1000) != BAREFXT_OK) work(2);
  const barefxt_error error = barefxt_start(&config);
  if (error != BAREFXT_OK) put(NULL, (const uint8_t*)barefxt_error_name(error), 1);
  barefxt_clock_changed(barefxt_ticks_per_second() / 2, 0);
  record();
  barefxt_set_categories(0);
  barefxt_trigger(1);
  if (barefxt_running() || barefxt_session_number() > 7) work(3);
  barefxt_rewind();
  barefxt_close();
  if (barefxt_stop().lost_records != 0 || barefxt_unfinished() != 0) work(4);
  if (barefxt_wait_unfinished(1000) != 0) barefxt_forget_unfinished();
  send();
  call_functions();
  forget();
  barefxt_clean_for_reader();
  barefxt_crash();
}
#endif

__attribute__((noinline)) void run(int cpus) {
  work(0);
  CALL(trace(cpus))
  work(cpus);
}

/* The image's own parts. */
void put(void* context, const uint8_t* bytes, size_t count) {
  (void)context;
  *(volatile uint8_t*)0x40004000 = count == 0 ? 0 : bytes[0];
}
void work(int step) { *(volatile int*)0x40004004 = step; }
void application_begin(void) {
  run(1);
  while (1) {
  }
}
