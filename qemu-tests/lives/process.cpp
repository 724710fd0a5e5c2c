#include "lives/process.h"

#include "kernel/categories.h"

namespace kernel::lives {
namespace {
BAREFXT_CATEGORY(lives, 12);
}

const uint32_t kCategories = BAREFXT_CATEGORY_BIT(sched) | BAREFXT_CATEGORY_BIT(lives);

void set_name(Process& process, const char* word, uint32_t number) {
  char* at = process.name;
  while (*word != 0) *at++ = *word++;
  char digits[10];
  uint32_t count = 0;
  do digits[count++] = static_cast<char>('0' + number % 10);
  while ((number /= 10) != 0);
  while (count != 0) *at++ = digits[--count];
  *at = 0;
}

void begin(Process& process, uint32_t koid) {
  process.koid = koid;
  barefxt_process_register(koid, process.name);
  barefxt_thread_register(&process.thread, koid, koid + 1, process.name, 5);
}

void rename(Process& process) {
  barefxt_process_rename(process.koid, process.name);
  barefxt_thread_rename(&process.thread, process.name);
}

void end(Process& process) {
  barefxt_thread_unregister(&process.thread);
  barefxt_process_unregister(process.koid);
  process.koid = 0;
}

void say(const Process& process, uint32_t number) {
  uint32_t bytes = 0;
  while (process.name[bytes] != 0) ++bytes;
  BAREFXT_EVENT(lives, BAREFXT_EVENT_INSTANT, &process.thread, BAREFXT_TEXT("said"), 0,
                BAREFXT_ARG_U32("thread", process.koid + 1),
                BAREFXT_ARG_U32("process", process.koid),
                BAREFXT_ARG_STRING("name", process.name, bytes), BAREFXT_ARG_U32("number", number));
}

}  // namespace kernel::lives
