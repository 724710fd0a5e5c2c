#include <barefxt/barefxt.h>

BAREFXT_CATEGORY(consumer, 0);

static uint64_t ring[4096];

int main(void) {
  const barefxt_config config = {.memory = ring, .bytes = sizeof ring, .cpus = 1, .categories = 1};
  if (barefxt_start(&config) != BAREFXT_OK) return 1;
  BAREFXT_INSTANT(consumer, "hello", BAREFXT_ARG_U32("answer", 42));
  return (int)barefxt_stop().lost_records;
}
