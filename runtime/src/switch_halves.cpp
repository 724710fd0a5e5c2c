// Context switches of kernels that report the thread that leaves and the one that comes in apart.
//
// Invariant: a remembered half counts only while the ring names that same thread as the one that
// runs there. Anything that makes the tracer forget the running thread (a start, a category that
// was off for a while) so invalidates it, and no switch is put together from the halves of two.

#include <barefxt/config.h>

#if !BAREFXT_DISABLED

#include <barefxt/barefxt.h>
#include <barefxt/fxt/event.h>
#include <barefxt/kernel_hooks.h>
#include <barefxt/ring.h>

#include "linear.h"
#include "switch_bits.h"
#include "thread_table.h"

namespace barefxt {
namespace {

// The thread that left its CPU, until the next comes in. One CPU writes it, so there is no line to
// share.
struct alignas(kOneCpu ? alignof(void*) : 64) Leaving {
  Atomic<const barefxt_thread*> thread;
  Atomic<uint32_t> state;
};
Leaving leaving_threads[BAREFXT_MAX_CPUS];

// The only CPU need not be asked.
uint32_t this_cpu() {
  return kOneCpu ? 0 : static_cast<uint32_t>(barefxt_port_cpu() & (BAREFXT_MAX_CPUS - 1));
}

// An unknown thread: not runnable, or viewers would show it waiting for ever.
constexpr barefxt_thread_state kUnknown = BAREFXT_STATE_BLOCKED;

#if BAREFXT_LINEAR
// The ring's pseudo-thread as the outgoing thread. It has no entry in the table to take these from.
constexpr barefxt_thread kLeavingCpu = {
    static_cast<uint32_t>(fxt::Event::Thread::of(linear::kCpuThreadIndex)),
    switch_bits::make(linear::kCpuThreadIndex, 0), kCpuThreadKoid, kCpuProcessKoid};
#endif

// A thread leaves that the ring does not name as the one that runs here: it came in unnoticed.
[[gnu::noinline, gnu::cold]] void leave_unnoticed(Ring& ring, const barefxt_thread& thread) {
  const barefxt_thread* running = ring.current.load_relaxed();
  if (running != &ring.cpu_thread)
    return barefxt_context_switch(running, BAREFXT_STATE_RUNNABLE, &thread);
  ring.set_current(thread);
  forget_thread(ring);
  if constexpr (!kLinear) forget_late_thread(ring);
}

}  // namespace
}  // namespace barefxt

using namespace barefxt;

extern "C" {

void barefxt_switch_out(const barefxt_thread* thread, barefxt_thread_state state) {
  if (!BAREFXT_ENABLED(sched)) return;
  const auto cpu = this_cpu();
  Leaving& leaving = leaving_threads[cpu];
  leaving.state.store_relaxed(state);
  leaving.thread.store_relaxed(thread);
  Ring& ring = ring_of_cpu(cpu);
  if (ring.current.load_relaxed() != thread) leave_unnoticed(ring, *thread);
}

void barefxt_switch_in(const barefxt_thread* thread) {
  if (!BAREFXT_ENABLED(sched)) return kFastPaths && !kLinear ? leave_unrecorded() : void();
  const auto cpu = this_cpu();
  Ring& ring = ring_of_cpu(cpu);
  Leaving& leaving = leaving_threads[cpu];
  const barefxt_thread* running = ring.current.load_relaxed();
  const bool is_reported = leaving.thread.load_relaxed() == running;
  leaving.thread.store_relaxed(nullptr);
  if (running == thread) return;
  barefxt_thread_state state = BAREFXT_STATE_RUNNABLE;
  if (is_reported)
    state = static_cast<barefxt_thread_state>(leaving.state.load_relaxed());
  else if (running == &ring.cpu_thread)
    state = kUnknown;
#if BAREFXT_LINEAR
  if (running == &ring.cpu_thread) running = &kLeavingCpu;
#endif
  barefxt_context_switch(running, state, thread);
}

}  // extern "C"

#endif
