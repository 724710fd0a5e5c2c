// Threads, if recording is one run of memory, see linear.h.

#include <barefxt/config.h>

#if !BAREFXT_DISABLED

#include <barefxt/barefxt.h>
#include <barefxt/fxt/event.h>

#include "linear_entry.h"
#include "switch_bits.h"

#if BAREFXT_LINEAR

namespace barefxt {

namespace linear {
Threads threads;
}

namespace {

// Index 0: none.
[[gnu::always_inline]] inline void set_words(barefxt_thread& thread, uint32_t index,
                                             uint8_t priority) {
  BAREFXT_STORE_RELAXED_(thread.switch_bits, switch_bits::make(index, priority));
  BAREFXT_STORE_RELAXED_(thread.reference, static_cast<uint32_t>(fxt::Event::Thread::of(index)));
}

}  // namespace
}  // namespace barefxt

using namespace barefxt;

extern "C" {

void barefxt_thread_register(barefxt_thread* thread, uint32_t process, uint32_t koid,
                             const char* name, uint8_t priority) {
  thread->koid = koid;
  thread->process = process;
  // The former values are gone even if the table has no room.
  barefxt_thread_unregister(thread);
  const uint32_t index = linear::enter(wire::ThreadsEntryKind::kThread, process, koid, name);
  if (index != 0) set_words(*thread, index, priority);
}

// Without a swap, which takes flash: an entry is never another thread's, so an index that came back
// because the thread ended meanwhile is still its own.
void barefxt_thread_set_priority(barefxt_thread* thread, uint8_t priority) {
  const uint32_t index = switch_bits::index(thread->switch_bits);
  if (index != 0) set_words(*thread, index, priority);
}

// Records name it, so its entry stays.
void barefxt_thread_unregister(barefxt_thread* thread) {
  BAREFXT_STORE_RELAXED_(thread->switch_bits, uint32_t{0});
  BAREFXT_STORE_RELAXED_(thread->reference, uint32_t{0});
}

}  // extern "C"

#endif

#endif
