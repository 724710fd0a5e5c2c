// Threads: created, die, and their control blocks and stacks are used again.
//
// Invariant: a thread stands in at most one list (run queue, wait list, sleepers, free list), and
// every list is guarded by the scheduler's lock.
#pragma once

#include <stdint.h>

#include <barefxt/barefxt.h>

#include "kernel/board.h"

namespace kernel {

class Semaphore;

inline constexpr uint8_t kIdlePriority = 0;
inline constexpr unsigned kPriorities = 32;
inline constexpr uint32_t kNoProcess = 0;
inline constexpr uint32_t kFirstThreadKoid = 1000;  // processes have 1 and on
inline constexpr unsigned kNameBytes = 16;
inline constexpr unsigned kNoCpu = ~0U;

enum class Life : uint8_t { kFree, kAlive, kDead };

struct Thread {
  void* stack_pointer = nullptr;
  uint8_t* stack = nullptr;  // its lowest address; null for idle threads, which keep the boot stack
  barefxt_thread trace = {};
#if !defined(KERNEL_SMALL) && !BAREFXT_LINEAR
  barefxt_stack marks = {};
#endif
  Thread* next = nullptr;
  uint64_t wake_ticks = 0;
  void (*entry)(uintptr_t) = nullptr;
  uintptr_t argument = 0;
  Semaphore* done = nullptr;  // signalled at the end of the thread, may be null
  uint32_t koid = 0;
  uint32_t process = kNoProcess;
  unsigned last_cpu = kNoCpu;
  uint8_t priority = kIdlePriority;
  Life life = Life::kFree;
  char name[kNameBytes + 1] = {};
};

// First in, first out.
class ThreadList {
 public:
  bool empty() const { return head_ == nullptr; }
  void push(Thread* thread);
  Thread* pop();  // null where empty

 private:
  Thread* head_ = nullptr;
  Thread* tail_ = nullptr;
};

struct ThreadOptions {
  const char* name;  // at most 16 bytes
  uint32_t process;
  uint8_t priority;
  void (*entry)(uintptr_t);
  uintptr_t argument = 0;
  Semaphore* done = nullptr;
  // One of the caller's, where the usual size is not enough.
  uint8_t* stack = nullptr;
  size_t stack_bytes = board::kStackBytes;
};

// Takes a control block, gives it a koid that was never used, and makes it ready.
uint32_t create_thread(const ThreadOptions& options);  // the koid

// The caller becomes the idle thread of CPU `cpu`. Before the scheduler runs there.
Thread* adopt_idle_thread(unsigned cpu);

// The calling thread ends. Does not come back.
[[noreturn]] void exit_thread();

// For the scheduler, lock held: `thread` has left its CPU for the last time.
void bury_thread(Thread* thread);

// For the scheduler, lock held: a thread that overran its stack ends the run.
void check_stack(const Thread* thread);

// Calls `visit` with each living thread. No thread may come or go meanwhile.
void for_each_thread(void (*visit)(Thread&));

// Threads ever created, idle threads included.
uint32_t threads_created();

}  // namespace kernel
