#include "kernel/categories.h"

void sweep_c_probe_interrupted(void);
void sweep_c_probe_interrupting(void);
void sweep_c_probe_nested(void);

void sweep_c_probe_interrupted(void) {
  BAREFXT_INSTANT(probe, "interrupted", BAREFXT_ARG_U32("u32", 1), BAREFXT_ARG_I64("i64", -1));
  BAREFXT_COUNTER(load, "interrupted", 1, BAREFXT_ARG_U32("u32", 1), BAREFXT_ARG_U32("next", 1));
  BAREFXT_ASYNC_BEGIN(job, "interrupted", 1, BAREFXT_ARG_U32("u32", 1), BAREFXT_ARG_U32("next", 1));
}
void sweep_c_probe_interrupting(void) {
  BAREFXT_INSTANT(probe, "interrupting", BAREFXT_ARG_U32("u32", 2), BAREFXT_ARG_I64("i64", -2));
  BAREFXT_COUNTER(load, "interrupting", 2, BAREFXT_ARG_U32("u32", 2), BAREFXT_ARG_U32("next", 2));
  BAREFXT_ASYNC_BEGIN(job, "interrupting", 2, BAREFXT_ARG_U32("u32", 2),
                      BAREFXT_ARG_U32("next", 2));
}
void sweep_c_probe_nested(void) {
  BAREFXT_INSTANT(probe, "nested", BAREFXT_ARG_U32("u32", 3), BAREFXT_ARG_I64("i64", -3));
  BAREFXT_COUNTER(load, "nested", 3, BAREFXT_ARG_U32("u32", 3), BAREFXT_ARG_U32("next", 3));
  BAREFXT_ASYNC_BEGIN(job, "nested", 3, BAREFXT_ARG_U32("u32", 3), BAREFXT_ARG_U32("next", 3));
}
