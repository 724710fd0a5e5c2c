#include "kernel/stacks.h"

#if KERNEL_STACKS

#include "kernel/console.h"
#include "kernel/scheduler.h"

bool kernel::stacks::watched = false;

namespace kernel::stacks {
namespace {

constexpr uint32_t kPaint = 0xa5a5a5a5;
constexpr uint32_t kStep = 256;  // words

struct Counted {
  uint32_t koid;
  uint32_t size;
  uint32_t left;
  bool is_self;
};
Counted counted[board::kMaxThreads];
unsigned counted_threads = 0;
uint32_t left_by_digging = 0;
uint32_t digger = 0;

void count_paint(Thread& thread) {
  if (thread.marks.begin == 0) return;
  const auto* const begin = reinterpret_cast<const volatile uint32_t*>(thread.marks.begin);
  uint32_t words = 0;
  while (begin[words] == kPaint) ++words;
  counted[counted_threads++] = {thread.koid,
                                static_cast<uint32_t>(thread.marks.end - thread.marks.begin),
                                4 * words, &thread == scheduler::this_cpu().current};
}

}  // namespace

void begin(Thread& thread, size_t bytes) {
  if (!watched) return;
  auto* const words = reinterpret_cast<uint32_t*>(thread.stack);
  for (size_t i = 0; i < bytes / sizeof *words; ++i) words[i] = kPaint;
  // Above the canary.
  constexpr size_t kGuard = sizeof(uint64_t);
  barefxt_stack_register(&thread.marks, thread.koid,
                         reinterpret_cast<uintptr_t>(thread.stack) + kGuard, bytes - kGuard,
                         kPaint);
}

void end(Thread& thread) {
  if (watched) barefxt_stack_unregister(&thread.marks);
}

void scan_from_idle() {
  if (!watched) return;
  const scheduler::Lock lock;
  barefxt_stack_scan(kStep);
}

__attribute__((noinline)) void dig(uintptr_t bytes) {
  volatile uint8_t room[64];
  room[0] = static_cast<uint8_t>(bytes);
  const Thread& self = *scheduler::current();
  digger = self.koid;
  left_by_digging = static_cast<uint32_t>(reinterpret_cast<uintptr_t>(&room) - self.marks.begin);
  if (bytes > sizeof room) dig(bytes - sizeof room);
  room[1] = 0;  // no tail call
}

void count() {
  if (!watched) return;
  barefxt_stack_scan(UINT32_MAX);
  barefxt_stack_scan(UINT32_MAX);
  for_each_thread(&count_paint);
}

void print_counted() {
  if (!watched) return;
  for (unsigned i = 0; i < counted_threads; ++i)
    print("STACK koid=", counted[i].koid, " size=", counted[i].size, " left=", counted[i].left,
          " self=", uint32_t{counted[i].is_self}, "\n");
  print("STACK deep koid=", digger, " left=", left_by_digging, "\n");
}

}  // namespace kernel::stacks

#endif
