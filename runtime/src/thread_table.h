// The threads and processes known to the tracer, with their names: what must never be lost to a
// full ring lies here.
//
// Invariants: entry N has thread index N + 1, where that is at most 255. An entry of a thread that
// is gone is used again only when no ring can hold a record that names it: at once while nothing
// was recorded, else from the next start on, which clears the rings.
#pragma once

#include <barefxt/atomic.h>
#include <barefxt/config.h>
#include <barefxt/types.h>
#include <barefxt/wire/frame.h>

namespace barefxt {

enum class EntryState : uint32_t {
  kFree = 0,
  kClaimed,  // one caller fills it in
  kLive,
  kGone,  // its thread is gone, but records may name it
};

struct ThreadEntry {
  static constexpr size_t kNameBytes = 16;

  // Every member has its value here, or the table would need a static constructor.
  Atomic<uint32_t> state;  // EntryState
  uint32_t koid = 0;
  uint32_t process = 0;
  wire::ThreadsEntryKind kind{};
  uint8_t name_bytes = 0;
  uint16_t checksum = 0;  // of all but the state: whether it survived a reset
  char name[kNameBytes] = {};
};
static_assert(sizeof(ThreadEntry) == 32, "what docs promise an entry costs");

inline constexpr uint32_t kThreadEntries = BAREFXT_MAX_THREADS;
extern ThreadEntry thread_table[kThreadEntries];

// Grows whenever an entry has got something new to say.
extern Atomic<uint32_t> thread_changes;

uint16_t entry_checksum(const ThreadEntry& entry);

// Whether an entry has something to say in a dump.
inline bool is_named(const ThreadEntry& entry) {
  const auto state = static_cast<EntryState>(entry.state.load_acquire());
  return state == EntryState::kLive || state == EntryState::kGone;
}

// "cpu-N", ended by a zero; of CPUs up to 999.
inline constexpr size_t kCpuNameBytes = 8;
void name_cpu(char (&name)[kCpuNameBytes], uint32_t cpu);

// Makes the pseudo-thread of a CPU known, once.
void register_cpu_thread(barefxt_thread& thread, uint32_t cpu);

// Frees the entries of threads that are gone. The rings must be empty.
void free_gone_entries();

// Koids from here on are the tracer's own.
inline constexpr uint32_t kCpuThreadKoid = 0x7f000000;   // plus the CPU's number
inline constexpr uint32_t kCpuProcessKoid = 0x7e000000;  // the process "cpus" that they belong to

}  // namespace barefxt
