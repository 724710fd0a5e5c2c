// The threads and processes known to the tracer, with their names: a full ring cannot lose them.
//
// Invariants: entry N has thread index N + 1, if that is at most 255. An entry of a thread that is
// gone is free again at once while nothing was recorded, and from the next start on, which clears
// the rings. In between only former_entries.h gives it away.
#pragma once

#include <barefxt/config.h>
#include <barefxt/thread_entry.h>
#include <barefxt/types.h>

namespace barefxt {

inline constexpr uint32_t kThreadEntries = BAREFXT_MAX_THREADS;
extern ThreadEntry thread_table[kThreadEntries];

// Grows with each change of an entry, if the image has a drain to send it.
extern Atomic<uint32_t> thread_changes;

// Returns true if a dump sends the entry.
inline bool is_named(const ThreadEntry& entry) {
  return state_in(entry.state.load_acquire()) >= EntryState::kLive;
}

// The index that a thread had which is gone; 0: it had none, or another has it.
uint32_t gone_index_of(uint32_t koid);

// "cpu-N", ended by a zero; of CPUs up to 999.
inline constexpr size_t kCpuNameBytes = 8;
void name_cpu(char (&name)[kCpuNameBytes], uint32_t cpu);

// The time since which an entry belongs to its owner. It is loaded and stored in halves, because an
// atomic access to 64 bits is a library call on CPUs of 32. A reader beside a change of owner has
// to compare the checksum.
#if BAREFXT_REUSE_ENTRIES
using SinceHalf [[gnu::may_alias]] = uint32_t;
inline constexpr size_t kSinceLow = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? 1 : 0;
#endif
// The caller owns the entry.
inline void store_since([[maybe_unused]] ThreadEntry& entry, [[maybe_unused]] uint64_t ticks) {
#if BAREFXT_REUSE_ENTRIES
  auto* halves = reinterpret_cast<SinceHalf*>(&entry.since);
  BAREFXT_STORE_RELAXED_(halves[kSinceLow], static_cast<uint32_t>(ticks));
  BAREFXT_STORE_RELAXED_(halves[1 - kSinceLow], static_cast<uint32_t>(ticks >> 32));
#endif
}
inline uint64_t since_of([[maybe_unused]] const ThreadEntry& entry) {
#if BAREFXT_REUSE_ENTRIES
  const auto* halves = reinterpret_cast<const SinceHalf*>(&entry.since);
  return uint64_t{BAREFXT_LOAD_RELAXED_(halves[1 - kSinceLow])} << 32 |
         BAREFXT_LOAD_RELAXED_(halves[kSinceLow]);
#else
  return 0;
#endif
}

// Returns whether another may have had the entry in this session. A newcomer that has just claimed
// it has not stored the time yet.
inline bool changed_hands(const ThreadEntry& entry) {
  return since_of(entry) != 0 || state_in(entry.state.load_relaxed()) == EntryState::kClaimed;
}

// Makes the pseudo-thread of a CPU known, once.
void register_cpu_thread(barefxt_thread& thread, uint32_t cpu);

// Frees the entries of threads that are gone; the others are their owners' from the start on. The
// rings must be empty.
void free_gone_entries();

// Koids from here on are the tracer's own.
inline constexpr uint32_t kCpuThreadKoid = 0x7f000000;   // plus the CPU's number
inline constexpr uint32_t kCpuProcessKoid = 0x7e000000;  // the process "cpus" that they belong to
// The process of threads whose names are lost; thread index N has this plus N, as on the host.
inline constexpr uint32_t kUnknownProcessKoid = 0x7d000000;

}  // namespace barefxt
