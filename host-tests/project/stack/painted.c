/* Makes each call of the runtime on a painted stack, and prints how much of that it took. */
#include <barefxt.h>

#include "machine.h"

BAREFXT_CATEGORY(work, 0);

#define STACK_WORDS 2048
#define PAINT 0xdeadbeefu

static uint32_t stack[STACK_WORDS];
static uint64_t rings[8192];
static uint8_t line[BAREFXT_DRAIN_BYTES];
static barefxt_thread threads[2];

static void ignore(void* context, const uint8_t* bytes, size_t count) {
  (void)context;
  (void)bytes;
  (void)count;
}
static const barefxt_writer writer = {ignore, 0};

static void start(barefxt_mode mode) {
  static barefxt_config config;
  config.memory = rings;
  config.bytes = sizeof rings;
  config.cpus = 1;
  config.mode = mode;
  config.categories = ~0u;
  barefxt_start(&config);
}

static void start_one_shot(void) { start(BAREFXT_MODE_ONE_SHOT); }
static void start_circular(void) { start(BAREFXT_MODE_CIRCULAR); }
static void start_streaming(void) { start(BAREFXT_MODE_STREAMING); }
static void register_thread(void) { barefxt_thread_register(&threads[1], 1, 3, "thread", 1); }
static void context_switch(void) {
  barefxt_context_switch(&threads[0], BAREFXT_STATE_BLOCKED, &threads[1]);
}
static void wakeup(void) { barefxt_thread_wakeup(&threads[0]); }
static void instant(void) { BAREFXT_INSTANT(work, "instant"); }
static void instant_2(void) { BAREFXT_INSTANT(work, "instant", BAREFXT_ARG_U64("value", 7)); }
static void event(void) {
  const barefxt_argument argument = barefxt_arg_u32(BAREFXT_TEXT("value"), 7);
  barefxt_event(BAREFXT_EVENT_INSTANT, 0, BAREFXT_TEXT("work"), BAREFXT_TEXT_INLINE("name", 4), 0,
                &argument, 1);
}
static void lock_acquired(void) { barefxt_lock_acquired(1, BAREFXT_TEXT("bus"), 0); }
static void lock_contended(void) { barefxt_lock_contended(1, BAREFXT_TEXT("bus"), 0); }
static void interrupt_enter(void) { barefxt_interrupt_enter(15, BAREFXT_TEXT("tick")); }
static void stop(void) { barefxt_stop(); }
static void close(void) { barefxt_close(); }
static void snapshot(void) { barefxt_snapshot(); }
static void dump(void) { barefxt_dump(&writer, BAREFXT_DUMP_TEXT); }
static void dump_coded(void) { barefxt_dump(&writer, BAREFXT_DUMP_TEXT_CODED); }
static void dump_fxt(void) { barefxt_dump_fxt(&writer); }
static void drain(void) {
  while (barefxt_drain(line, sizeof line, BAREFXT_DUMP_TEXT) != 0) {
  }
}
static void drain_coded(void) {
  while (barefxt_drain(line, sizeof line, BAREFXT_DUMP_TEXT_CODED) != 0) {
  }
}

/* Enough that segments are opened, with records of all kinds. */
static void record(void) {
  for (int i = 0; i < 400; ++i) {
    context_switch();
    event();
    instant_2();
  }
}

/* On the stack whose upper end this is. */
__attribute__((naked, noinline)) static void call_on(void* end, void (*function)(void)) {
  (void)end;
  (void)function;
  __asm__ volatile(
      "push {r4, lr}\n\t"
      "mov r4, sp\n\t"
      "mov sp, r0\n\t"
      "blx r1\n\t"
      "mov sp, r4\n\t"
      "pop {r4, pc}");
}

static void put(const char* text) {
  for (; *text != 0; ++text) machine_put((uint8_t)*text);
}

/* The most of several goes: other ways are taken where a segment is opened. */
static void measure(const char* name, void (*function)(void), int times) {
  for (int i = 0; i < STACK_WORDS; ++i) ((volatile uint32_t*)stack)[i] = PAINT;
  for (int i = 0; i < times; ++i) call_on(stack + STACK_WORDS, function);
  int free = 0;
  while (free < STACK_WORDS && ((volatile uint32_t*)stack)[free] == PAINT) ++free;
  uint32_t bytes = (uint32_t)(STACK_WORDS - free) * 4;
  char digits[11];
  char* at = digits + sizeof digits;
  *--at = 0;
  do {
    *--at = (char)('0' + bytes % 10);
    bytes /= 10;
  } while (bytes != 0);
  put("STACK ");
  put(name);
  put(" ");
  put(at);
  put("\n");
}

#ifdef __cplusplus
extern "C"
#endif
    int
    main(void) {
  const int many = 600;
  machine_prepare();
  barefxt_process_register(1, "process");
  barefxt_thread_register(&threads[0], 1, 2, "thread", 1);
  measure("barefxt_thread_register", register_thread, 1);
  measure("barefxt_start", start_circular, 1);
  measure("barefxt_context_switch", context_switch, many);
  measure("barefxt_thread_wakeup", wakeup, many);
  measure("barefxt_write_event_0", instant, many);
  measure("barefxt_write_event_2", instant_2, many);
  measure("barefxt_event", event, many);
  measure("barefxt_lock_acquired", lock_acquired, many);
  measure("barefxt_lock_contended", lock_contended, many);
  measure("barefxt_interrupt_enter", interrupt_enter, many);
  measure("barefxt_snapshot", snapshot, 1);
  barefxt_snapshot_release();
  measure("barefxt_stop", stop, 1);
  measure("barefxt_dump", dump, 1);
  measure("barefxt_dump_coded", dump_coded, 1);
  measure("barefxt_dump_fxt", dump_fxt, 1);
  start_one_shot();
  measure("barefxt_close", close, 1);
  barefxt_stop();
  start_streaming();
  record();
  measure("barefxt_drain", drain, 1);
  barefxt_stop();
  start_streaming();
  record();
  measure("barefxt_drain_coded", drain_coded, 1);
  return 0;
}

/* Compilers call these. */
#ifdef __cplusplus
extern "C" {
#endif
void* memset(void* to, int value, size_t count) {
  volatile uint8_t* const bytes = (uint8_t*)to;
  for (size_t i = 0; i < count; ++i) bytes[i] = (uint8_t)value;
  return to;
}
void* memcpy(void* to, const void* from, size_t count) {
  volatile uint8_t* const bytes = (uint8_t*)to;
  for (size_t i = 0; i < count; ++i) bytes[i] = ((const uint8_t*)from)[i];
  return to;
}
#ifdef __cplusplus
}
#endif
