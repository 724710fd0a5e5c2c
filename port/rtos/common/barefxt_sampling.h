/* Samples of the thread that an interrupt came to, in the bounds of its stack that the kernel has.
 *
 * A kernel's hooks include this. They define SAMPLES, the value of their option, and SAMPLE, the
 * name of their public function, which calls sample_within. The tick calls sample_tick.
 * BAREFXT_INTERRUPTED(), if it is defined, is what the tick came to; else a register has that.
 */
#ifndef BAREFXT_SAMPLING_H
#define BAREFXT_SAMPLING_H

#if SAMPLES
#include <barefxt/barefxt.h>
#include <barefxt_port.h>

/* The running thread's stack. Callers are read there alone: an interrupted handler has another. */
static inline void sample_within(barefxt_interrupted at, const volatile void* lowest,
                                 size_t bytes) {
  const uintptr_t begin = (uintptr_t)lowest;
  barefxt_sample(at.pc, at.fp, at.sp, at.sp - begin < bytes ? begin + bytes : 0);
}
#endif

#if SAMPLES > 1
#if !defined(BAREFXT_FREERTOS_TICK_INTERRUPT) && !defined(BAREFXT_THREADX_TICK_INTERRUPT) && \
    !defined(BAREFXT_LK_TIMER_INTERRUPT) && !defined(BAREFXT_NUTTX_TIMER_INTERRUPT) &&       \
    !defined(BAREFXT_ZEPHYR_TICK_INTERRUPT)
#error \
    "barefxt: samples at ticks need the number of the tick's interrupt. Hint: set the option for samples to 1, and call the kernel's sample function in a timer's interrupt"
#endif
#ifndef BAREFXT_INTERRUPTED
#if __has_include(<barefxt_interrupted.h>)
#include <barefxt_interrupted.h>
#endif
#ifndef BAREFXT_PORT_INTERRUPTED_THREAD
#error \
    "barefxt: no register has what the tick came to. Hint: set the option for samples to 1, and call the kernel's sample function in a timer's interrupt"
#endif
#define BAREFXT_INTERRUPTED() barefxt_interrupted_thread()
#endif

/* Ahead of the tick's entry: otherwise the samples belong to the tick. */
static inline void sample_tick(void) {
  if (!BAREFXT_ENABLED(samples)) return;
  static uint32_t ticks[BAREFXT_MAX_CPUS];
  uint32_t* const count = &ticks[barefxt_port_cpu() & (BAREFXT_MAX_CPUS - 1)];
  if (++*count < SAMPLES) return;
  *count = 0;
  const barefxt_interrupted at = BAREFXT_INTERRUPTED();
  if (at.pc != 0) SAMPLE(at);
}
#else
static inline void sample_tick(void) {}
#endif

#endif
