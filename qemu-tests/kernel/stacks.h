// Marks of the threads' stacks, with stacks=1: moved at switches, and by scans from idle threads.
#pragma once

#include "kernel/thread.h"

// Images with little RAM have none.
#if defined(KERNEL_SMALL) || BAREFXT_LINEAR
#define KERNEL_STACKS 0
#else
#define KERNEL_STACKS 1
#endif

namespace kernel::stacks {

#if KERNEL_STACKS
// Set before there are threads.
extern bool watched;

// Run lock held: paints the stack of a new thread.
void begin(Thread& thread, size_t bytes);
void end(Thread& thread);
inline void come_in(Thread& thread) {
  if (watched)
    barefxt_stack_reached(&thread.marks, reinterpret_cast<uintptr_t>(thread.stack_pointer));
}
// One step of a scan, with the run lock.
void scan_from_idle();

// A thread that uses as many bytes of its stack, at least, and notes how many it left.
void dig(uintptr_t bytes);
// All other CPUs held: ends the scan, and counts the paint that is left.
void count();
// "STACK koid=N size=BYTES left=BYTES self=0|1" by thread, and "STACK deep koid=N left=BYTES".
void print_counted();
#else
inline constexpr bool watched = false;
inline void begin(Thread&, size_t) {}
inline void end(Thread&) {}
inline void come_in(Thread&) {}
inline void scan_from_idle() {}
#endif

}  // namespace kernel::stacks
