#include "c_probes.h"

#include <barefxt/barefxt.h>

BAREFXT_CATEGORY(cprobes, 5);

uint32_t category_of_c_probes(void) { return BAREFXT_CATEGORY_BIT(cprobes); }

void run_all_c_probes(uint32_t category_bit) {
  if (category_bit == 0) return;
  BAREFXT_INSTANT(cprobes, "c all", BAREFXT_ARG_NULL("null"), BAREFXT_ARG_BOOL("bool", 1),
                  BAREFXT_ARG_I32("i32", -5), BAREFXT_ARG_U32("u32", 0xfedcba98u),
                  BAREFXT_ARG_I64("i64", -6000000000), BAREFXT_ARG_U64("u64", ~(uint64_t)0),
                  BAREFXT_ARG_DOUBLE_BITS("double", 0x3ff8000000000000u),
                  BAREFXT_ARG_POINTER("pointer", (void*)0x1234), BAREFXT_ARG_KOID("koid", 77),
                  BAREFXT_ARG_LITERAL("literal", "constant"),
                  BAREFXT_ARG_STRING("string", "run time", 8));
  BAREFXT_DURATION_COMPLETE(cprobes, "c complete", 1000);
  BAREFXT_COUNTER(cprobes, "c counter", 9, BAREFXT_ARG_U32("v", 1));
}
