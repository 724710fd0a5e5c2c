// The trace in memory that a dump sends: of the session that is over, of a snapshot of one that
// goes on, or of the boot before.
#pragma once

#include <barefxt/ring.h>

#include "session.h"
#include "thread_table.h"

namespace barefxt {

// Times between which records are sent, both included.
struct Interval {
  uint64_t begin = 0;
  uint64_t end = ~uint64_t{0};
};

// A snapshot's counts of a ring, beyond the segments it holds.
struct SnapshotOfRing {
  Amount lost;
  Amount lost_before;
};

struct Trace {
  // Member by member: what has gaps, and is initialised as a whole, would be cleared by a call of
  // memset, and what is copied as a whole, by one of memcpy.
  Trace(const Descriptor& its_descriptor, const Ring* its_rings, const ThreadEntry* its_threads,
        const StoredClockOffset* its_clock_offsets, wire::TraceKind its_kind, bool names_are_ours,
        uint64_t ended)
      : descriptor(its_descriptor),
        rings(its_rings),
        threads(its_threads),
        clock_offsets(its_clock_offsets),
        kind(its_kind),
        capture(its_descriptor.capture),
        names_are_this_images(names_are_ours),
        stop_ticks(ended) {}

  const Descriptor& descriptor;
  const Ring* rings;  // BAREFXT_MAX_CPUS of them
  const ThreadEntry* threads;
  // kClocks of them; null: the present ones, which may be measured anew while they are sent.
  const StoredClockOffset* clock_offsets;
  wire::TraceKind kind;
  uint32_t capture;            // as the dump calls it; a snapshot has an id of its own
  bool names_are_this_images;  // the numbers of strings mean this image's strings
  Interval interval;
  uint64_t stop_ticks;
  const SnapshotOfRing* snapshot = nullptr;  // one a CPU where it is one, else null
};

// Dropped on a CPU until the trace ended. Here and below, member by member: see Trace.
inline Amount lost(const Trace& trace, uint32_t cpu) {
  if (kSnapshots && trace.snapshot != nullptr) {
    const Amount& held = trace.snapshot[cpu].lost;
    return {held.records, held.bytes};
  }
  return {trace.rings[cpu].records_lost.value(), trace.rings[cpu].bytes_lost.value()};
}

// Overwritten, or recorded before the interval that is sent.
inline Amount lost_before(const Trace& trace, uint32_t cpu) {
  if (kSnapshots && trace.snapshot != nullptr) {
    const Amount& held = trace.snapshot[cpu].lost_before;
    return {held.records, held.bytes};
  }
  return overwritten(trace.rings[cpu], trace.descriptor.capture);
}

// Returns the difference of a CPU's counter from that of CPU 0, if each has one.
inline StoredClockOffset clock_offset_of(const Trace& trace, uint32_t cpu) {
  const uint32_t clock = cpu & (kClocks - 1);
  return trace.clock_offsets == nullptr ? present_clock_offset(clock) : trace.clock_offsets[clock];
}
// The same for capture_ticks, in any case.
inline uint64_t clock_offset(const Trace& trace, uint32_t cpu) {
  if constexpr (kCounterIsPerCpu) return clock_offset_of(trace, cpu).ticks;
  (void)trace;
  (void)cpu;
  return 0;
}

// Returns the number of CPUs to report: those that recorded, and those beyond that lost records.
inline uint16_t reported_cpus(const Trace& trace) {
  if constexpr (BAREFXT_MAX_CPUS == 1) return 1;
  uint16_t cpus = trace.descriptor.cpus;
  for (uint16_t cpu = cpus; cpu < BAREFXT_MAX_CPUS; ++cpu)
    if (lost(trace, cpu).records != 0) cpus = cpu + 1;
  return cpus;
}

// A dump's copy of an entry. Not initialised, which could be a call of memset.
union EntryCopy {
  EntryCopy() {}
  ThreadEntry entry;
  uint32_t words[sizeof(ThreadEntry) / sizeof(uint32_t)];
};

// Copies all but the state of an entry that is_named. Its name may change meanwhile, on another CPU
// or between any two of the dump's instructions, and for as long as the dump's line makes that
// wait. So a frame is made of such a copy and of nothing else, and the copy has one name, whole. A
// dump that interrupted the change of the name would wait for ever. So after some tries the copy
// has no name; the second copy of the table, or the drain's next when the change is done, has it.
// False: the entry names nothing, or is about to name something else.
bool copy_entry(const ThreadEntry& entry, EntryCopy& copy);

// Returns the trace of the present session, with the present content of its segments.
Trace session_trace();

// Returns the reason why there is no session to send, or BAREFXT_OK.
barefxt_error why_no_session();

// The trace that barefxt_dump sends now, or the reason why there is none: a snapshot that is held,
// else a session that is over.
struct Choice {
  // Made in its place: a copy may be a call of memcpy.
  Choice() : trace(session_trace()) {}

  barefxt_error error = BAREFXT_OK;
  Trace trace;
};
Choice choose_trace();

}  // namespace barefxt
