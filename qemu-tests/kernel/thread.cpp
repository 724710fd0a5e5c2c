// Birth and death of threads.
#include "kernel/thread.h"

#include "kernel/panic.h"
#include "kernel/scheduler.h"
#include "kernel/semaphore.h"
#include "kernel/stacks.h"
#include "kernel/tally.h"

namespace kernel {
namespace {

constexpr uint64_t kStackCanary = 0x6b65726e656c2121;

// The first is CPU 0's idle thread, which comes before all others, keeps the boot stack and stays.
Thread threads[board::kMaxThreads];
// The small kernel's last thread brings a stack of its own.
#if defined(KERNEL_SMALL)
constexpr unsigned kStacks = board::kMaxThreads - 2;
#else
constexpr unsigned kStacks = board::kMaxThreads - 1;
#endif
// Not cleared at boot: it would be a third of all that is.
alignas(16) __attribute__((section(".noinit"))) uint8_t stacks[kStacks][board::kStackBytes];
uint32_t created = 0;

// Lock held.
Thread* take_free_thread() {
  for (unsigned i = 0; i < board::kMaxThreads; ++i) {
    if (threads[i].life == Life::kFree) {
      threads[i] = Thread();
      if (i != 0 && i <= kStacks) threads[i].stack = stacks[i - 1];
      return &threads[i];
    }
  }
  return nullptr;
}

void copy_name(Thread& thread, const char* name) {
  unsigned i = 0;
  for (; i < kNameBytes && name[i] != '\0'; ++i) thread.name[i] = name[i];
  thread.name[i] = '\0';
}

// Lock held.
void introduce(Thread& thread, const ThreadOptions& options) {
  thread.koid = kFirstThreadKoid + created++;
  thread.process = options.process;
  thread.priority = options.priority;
  thread.entry = options.entry;
  thread.argument = options.argument;
  thread.done = options.done;
  thread.life = Life::kAlive;
  copy_name(thread, options.name);
  barefxt_thread_register(&thread.trace, thread.process, thread.koid, thread.name, thread.priority);
  tally::thread(thread);
}

uint64_t* canary(const Thread& thread) { return reinterpret_cast<uint64_t*>(thread.stack); }

// A new thread begins here: still under the lock that the switch was made under.
void begin_thread() {
  scheduler::finish_first_switch();
  Thread* self = scheduler::current();
  self->entry(self->argument);
  exit_thread();
}

}  // namespace

void ThreadList::push(Thread* thread) {
  thread->next = nullptr;
  if (head_ == nullptr) {
    head_ = thread;
  } else {
    tail_->next = thread;
  }
  tail_ = thread;
}

Thread* ThreadList::pop() {
  Thread* thread = head_;
  if (thread != nullptr) {
    head_ = thread->next;
    thread->next = nullptr;
  }
  return thread;
}

uint32_t create_thread(const ThreadOptions& options) {
  KERNEL_ASSERT(options.priority > kIdlePriority && options.priority < kPriorities);
  scheduler::Lock lock;
  Thread* thread = take_free_thread();
  KERNEL_ASSERT(thread != nullptr);
  introduce(*thread, options);
  if (options.stack != nullptr) thread->stack = options.stack;
  KERNEL_ASSERT(thread->stack != nullptr);
  stacks::begin(*thread, options.stack_bytes);
  *canary(*thread) = kStackCanary;
  thread->stack_pointer = board::prepare_stack(thread->stack + options.stack_bytes, &begin_thread);
  scheduler::make_ready(thread);
  return thread->koid;
}

Thread* adopt_idle_thread(unsigned cpu) {
  char name[] = "idle/N";
  name[5] = static_cast<char>('0' + cpu);
  scheduler::Lock lock;
  Thread* thread = take_free_thread();
  KERNEL_ASSERT(thread != nullptr);
  introduce(*thread, {name, kNoProcess, kIdlePriority, nullptr});
  thread->stack = nullptr;
  return thread;
}

void exit_thread() {
  Thread* self = scheduler::current();
  // The thread is dying until a thread that waits for its end has seen it.
  Semaphore* done = self->done;
  if (done != nullptr) done->up();
  scheduler::leave_for_good(done != nullptr ? BAREFXT_STATE_DYING : BAREFXT_STATE_DEAD);
}

void bury_thread(Thread* thread) {
  stacks::end(*thread);
  barefxt_thread_unregister(&thread->trace);
  thread->life = Life::kFree;
}

void check_stack(const Thread* thread) {
  if (thread->stack != nullptr) KERNEL_ASSERT(*canary(*thread) == kStackCanary);
}

void for_each_thread(void (*visit)(Thread&)) {
  for (Thread& thread : threads) {
    if (thread.life != Life::kFree) visit(thread);
  }
}

uint32_t threads_created() { return created; }

}  // namespace kernel
