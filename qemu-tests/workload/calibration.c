/* Threads in C: the same probes by the other set of macros. */
#include "kernel/categories.h"
#include "kernel/tally.h"
#include "workload/services.h"

void workload_calibrate(void) {
  static const char* const kSteps[] = {"dark", "flat"};
  for (uint32_t n = 1; workload_is_running(); ++n) {
    tally_probe(TALLY_DURATION_BEGIN);
    BAREFXT_DURATION_BEGIN(probe, "calibrate", BAREFXT_ARG_U32("n", n));
    for (uint32_t step = 0; step < 2; ++step) {
      tally_probe(TALLY_DURATION_BEGIN);
      BAREFXT_DURATION_BEGIN(probe, "step", BAREFXT_ARG_STRING("name", kSteps[step], 4));
      workload_compute(20000);
      tally_probe(TALLY_DURATION_END);
      BAREFXT_DURATION_END(probe, "step");
    }
    tally_probe(TALLY_INSTANT);
    BAREFXT_INSTANT(probe, "calibrated", BAREFXT_ARG_NULL("error"), BAREFXT_ARG_BOOL("done", true),
                    BAREFXT_ARG_I32("offset", -(int32_t)n), BAREFXT_ARG_U32("gain", n),
                    BAREFXT_ARG_I64("sum", -8589934592 * (int64_t)n),
                    BAREFXT_ARG_U64("mask", UINT64_MAX >> (1 + n % 30)),
                    BAREFXT_ARG_DOUBLE_BITS("ratio", 0x3fd5555555555555),
                    BAREFXT_ARG_LITERAL("unit", "volt"), BAREFXT_ARG_POINTER("table", kSteps),
                    BAREFXT_ARG_KOID("by", workload_current_koid()));
    tally_probe(TALLY_DURATION_END);
    BAREFXT_DURATION_END(probe, "calibrate");
    workload_sleep_ms(20);
  }
}

void workload_resolve(void) {
  /* A query that is under way while the thread does other things: an async track. */
  const uint64_t first = 0x20000000;
  for (uint32_t n = 0; workload_is_running(); ++n) {
    tally_probe(TALLY_ASYNC_BEGIN);
    BAREFXT_ASYNC_BEGIN(job, "query", first + n, BAREFXT_ARG_U32("n", n));
    workload_sleep_ms(9);
    tally_probe(TALLY_ASYNC_INSTANT);
    BAREFXT_ASYNC_INSTANT(job, "query", first + n, BAREFXT_ARG_LITERAL("what", "asked again"));
    tally_probe(TALLY_COUNTER);
    BAREFXT_COUNTER(load, "answers", 3, BAREFXT_ARG_I32("late", (int32_t)(n % 5) - 2));
    workload_sleep_ms(9);
    tally_probe(TALLY_ASYNC_END);
    BAREFXT_ASYNC_END(job, "query", first + n);
  }
}
