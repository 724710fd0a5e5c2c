#include "workload/every_record_probes.h"

void every_record_from_cpp(const every_record_threads* threads) { write_all(threads); }

void every_record_register(every_record_threads* threads) {
  static barefxt_thread crowd[BAREFXT_MAX_THREADS];
  constexpr uint32_t kProcess = 10;
  constexpr uint32_t kFirstKoid = 1000;
  barefxt_process_register(kProcess, "process");
  barefxt_thread_register(&threads->indexed, kProcess, 101, "indexed", 5);
  for (uint32_t i = 0; i < BAREFXT_MAX_THREADS; ++i)
    barefxt_thread_register(&crowd[i], kProcess, kFirstKoid + i, "one of a crowd", 1);
  barefxt_thread_register(&threads->inlined, kProcess, 102, "inlined", 200);
}
