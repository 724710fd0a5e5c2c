// What there is once, whatever the number of CPUs.
#pragma once

#include <barefxt/atomic.h>
#include <barefxt/descriptor.h>
#include <barefxt/types.h>
#include <barefxt/wire/frame.h>

namespace barefxt {

struct Session {
  Atomic<bool> running;
  Atomic<uint32_t> stops;      // in progress
  bool holds_records = false;  // from the first start on: the rings may name threads
  uint32_t starts = 0;
  uint64_t stop_ticks = 0;
  barefxt_config config = {};  // what it was started with
};

extern Session session;

inline void full_fence() {
  if constexpr (kOneCpu)
    compiler_barrier();
  else
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

// While one exists no session starts. So who found a session running and is about to stop it does
// not come to stop the next one instead, however long it sleeps in between.
class StopInProgress {
 public:
  StopInProgress() {
    session.stops.fetch_add_release(1);
    // Either a start sees this one, or this one sees what made that start possible.
    full_fence();
  }
  ~StopInProgress() { session.stops.fetch_add_release(~uint32_t{0}); }
  StopInProgress(const StopInProgress&) = delete;
  StopInProgress& operator=(const StopInProgress&) = delete;
};

// Ends recording: closes every ring, so that no reservation succeeds any more. Wait-free; context:
// any, also more than one at a time; with a StopInProgress that is older than what told the caller
// that recording goes on.
void stop_recording();
// The same, where recording goes on.
void stop_if_running();

inline bool is_stop_in_progress() {
  full_fence();
  return session.stops.load_acquire() != 0;
}

// Where an assignment would be a call of memcpy.
void copy_config(const barefxt_config& from, barefxt_config& to);

// An id for a capture, as different from others as this machine can make it.
uint32_t make_capture_id(uint64_t ticks, uint32_t count);

}  // namespace barefxt
