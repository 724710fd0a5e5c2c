// State that all CPUs share.
#pragma once

#include <barefxt/atomic.h>
#include <barefxt/descriptor.h>
#include <barefxt/types.h>
#include <barefxt/wire/frame.h>

namespace barefxt {

// Phases of a session. Stops may come at once, on several CPUs or one interrupting the other: the
// one that takes it from running to stopping, and no other, stores the time of the stop.
struct SessionPhase {
  static constexpr uint32_t kOver = 0;      // or none has started
  static constexpr uint32_t kStarting = 1;  // a start is changing what rings and session are
  static constexpr uint32_t kRunning = 2;
  static constexpr uint32_t kStopping = 3;  // its rings are closed, stop_ticks is not stored yet
};

struct Session {
  Atomic<uint32_t> phase;
  Atomic<uint32_t> guards;      // SessionGuards there are
  Relaxed<bool> holds_records;  // from the first start on: the rings may name threads
  uint32_t starts = 0;
  Relaxed<uint32_t> dumps;    // since boot; a stream is one
  Relaxed<uint32_t> refused;  // why the last start was: a barefxt_error, OK where it was not
  uint64_t stop_ticks = 0;    // once it is over
  // Writers that may still store into its memory, those of sessions before included: as of the last
  // look after it was over, and 0 from the first look that found none.
  static constexpr uint32_t kNotCounted = 0x7fffffff;
  Relaxed<uint32_t> writers;
  Relaxed<bool> writers_are_gone;  // by the caller's word: nothing is left to them
  Relaxed<bool> cleans_caches;     // from the configuration: writers ask beside a start
  // The settings it was started with, without the names, which the descriptor has. Its categories
  // are those enabled since.
  barefxt_config config = {};
};

extern Session session;

inline bool is_running() { return session.phase.load_acquire() == SessionPhase::kRunning; }

// Returns the time when the session was stopped. A context that asks before the stop has stored it,
// having interrupted the stop or being ahead of it on another CPU, gets the present: no record is
// younger than that, either.
uint64_t stop_ticks();

inline void full_fence() {
  if constexpr (kOneCpu)
    compiler_barrier();
  else
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

// Adds to a count, behind all that came before. Either others see it, or what they did before they
// looked is seen from here on.
void change_visibly(Atomic<uint32_t>& count, uint32_t by);

// While one exists no session starts, unless its start was under way. So a context that found a
// session running and is about to stop or to change it cannot reach the next session instead,
// however long it sleeps in between.
class SessionGuard {
 public:
  // Either a start sees this one, or this one sees that start, or what made it possible.
  SessionGuard() { change_visibly(session.guards, 1); }
  ~SessionGuard() { change_visibly(session.guards, ~uint32_t{0}); }
  SessionGuard(const SessionGuard&) = delete;
  SessionGuard& operator=(const SessionGuard&) = delete;
};

// Ends recording: closes every ring, so that no reservation succeeds any more. Wait-free; context:
// any, also more than one at a time. Needs a SessionGuard that is older than the caller's
// observation that recording goes on. True: this stop, of all at once, ended it.
bool stop_recording();

// A start that finds no guard needs no fence: the stop before it held one. So a guard that it does
// not see is newer than that stop's, and by its own fence sees that the session is over. A caller's
// own words do need it.
inline bool is_guarded() {
  full_fence();
  return session.guards.load_acquire() != 0;
}

// Replaces an assignment, which would be a call of memcpy.
void copy_config(const barefxt_config& from, barefxt_config& to);

// An id for a capture: of that moment, and the next after `before`, which is the id of the capture
// before it or, for the first of a boot, anything in which boots differ.
uint32_t make_capture_id(uint32_t before, uint64_t ticks);

}  // namespace barefxt
