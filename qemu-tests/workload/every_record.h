/* Every record, argument and kind of reference of the format, written once from C++ and once from
 * C. qemu-tests/tests/every_record.jsonl has the expected records. */
#ifndef WORKLOAD_EVERY_RECORD_H
#define WORKLOAD_EVERY_RECORD_H

#include <barefxt/barefxt.h>

BAREFXT_CATEGORY(format, 6);

#ifdef __cplusplus
extern "C" {
#endif

enum {
  kEveryRecordCategories = (int)(BAREFXT_CATEGORY_BIT(format) | BAREFXT_CATEGORY_BIT(samples) |
                                 BAREFXT_CATEGORY_BIT(heap))
};

/* Two threads: one with an index, one with its koids inline in its records. */
typedef struct every_record_threads {
  barefxt_thread indexed;
  barefxt_thread inlined;
} every_record_threads;

/* Fills the table of threads, so that the last one finds no room. While recording: the name of that
 * one goes into the ring. */
void every_record_register(every_record_threads* threads);

void every_record_from_c(const every_record_threads* threads);
void every_record_from_cpp(const every_record_threads* threads);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif
