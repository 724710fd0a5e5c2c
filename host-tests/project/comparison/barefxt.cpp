// Our own records, on Cortex-M3 and on x86-64.
#include <barefxt/barefxt.h>
#include <barefxt/probe.h>
#include <barefxt/ring.h>
#ifdef __x86_64__
#include <asm/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

extern "C" {
#include "tracer.h"
}

namespace {

BAREFXT_CATEGORY(work, 0);

barefxt_thread threads[2];
alignas(BAREFXT_SEGMENT_BYTES) uint8_t memory[16 * BAREFXT_SEGMENT_BYTES];
volatile uint32_t number;

void mark() { BAREFXT_INSTANT(work, "mark"); }
void mark_with_number() {
  const uint32_t value = number;
  BAREFXT_INSTANT(work, "mark", BAREFXT_ARG_U32("number", value));
}
#ifdef __arm__
void context_switch() { barefxt_context_switch(&threads[0], BAREFXT_STATE_RUNNABLE, &threads[1]); }
void interrupt() {
  barefxt_interrupt_enter(17, BAREFXT_TEXT("timer"));
  barefxt_interrupt_exit(17);
}
void named_interrupt() {
  BAREFXT_IRQ_ENTER("timer");
  BAREFXT_IRQ_EXIT("timer");
}
#else
void begin_and_end() {
  BAREFXT_DURATION_BEGIN(work, "work");
  BAREFXT_DURATION_END(work, "work");
}
#endif

}  // namespace

extern "C" {

const operation tracer_operations[] = {
#ifdef __arm__
    {"context switch", context_switch},
    {"interrupt, entry and exit", interrupt},
    {"the same, named in its handler", named_interrupt},
#endif
    {"mark", mark},
    {"mark with a number", mark_with_number},
#ifndef __arm__
    {"begin and end", begin_and_end},
#endif
    {nullptr, nullptr}};

int tracer_start(void) {
#ifdef __x86_64__
  // The port reads the CPU's number behind GS.
  static uint32_t cpu;
  syscall(SYS_arch_prctl, ARCH_SET_GS, &cpu);
#endif
  barefxt_thread_register(&threads[0], 1, 2, "one", 1);
  barefxt_thread_register(&threads[1], 1, 3, "two", 1);
  barefxt_config config = {};
  config.memory = memory;
  config.bytes = sizeof memory;
  config.cpus = 1;
  config.categories = ~0u;
  if (barefxt_start(&config) != BAREFXT_OK) return 0;
  barefxt_context_switch(&threads[1], BAREFXT_STATE_RUNNABLE, &threads[0]);
  return 1;
}

// With the segments' headers, which are of the price.
uint32_t tracer_bytes(void) {
  return static_cast<uint32_t>(
      barefxt::Position::offset(barefxt::rings[0].position.load_relaxed()));
}
}
