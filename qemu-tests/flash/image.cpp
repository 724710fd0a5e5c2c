// A program that calls what is to be counted, each once. It never runs.
#include <barefxt/barefxt.h>
#include <barefxt/probe.h>

#ifndef WITH_RECORDING
#define WITH_RECORDING 0
#endif
#ifndef WITH_DUMP
#define WITH_DUMP 0
#endif

BAREFXT_CATEGORY(work, 0);

#if WITH_RECORDING
namespace {

// Stands for a kernel's configuration: the compiler must not know its values.
barefxt_config config;
barefxt_thread threads[2];
volatile uint32_t number;

void record() {
  barefxt_thread_register(&threads[0], 1, 2, "idle", 0);
  barefxt_thread_register(&threads[1], 1, 3, "work", 1);
  barefxt_start(&config);
  barefxt_context_switch(&threads[0], BAREFXT_STATE_RUNNABLE, &threads[1]);
  BAREFXT_INSTANT(work, "instant");
  const uint32_t value = number;
  BAREFXT_INSTANT(work, "instant", BAREFXT_ARG_U32("number", value));
  barefxt_stop();
}

}  // namespace
#endif

#if WITH_DUMP
extern "C" {
barefxt_writer image_writer;
}
#endif

extern "C" void image_begin() {
#if WITH_RECORDING
  record();
#endif
#if WITH_DUMP
  barefxt_dump(&image_writer, BAREFXT_DUMP_BINARY);
#endif
  while (true) __asm__ volatile("");
}
