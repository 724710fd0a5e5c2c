// An entry of the table of threads, as it lies in the target's memory: shared with the host, which
// finds it there (docs/how-to/ram-image.md).
#pragma once

#include <stddef.h>

#include <barefxt/atomic.h>
#include <barefxt/config.h>
#include <barefxt/descriptor.h>
#include <barefxt/wire/frame.h>

namespace barefxt {

enum class EntryState : uint32_t {
  kFree = 0,
  kClaimed,  // one caller fills it in
  kLive,
  kGone,  // its thread is gone, but records may name it
  // As kLive, while one caller changes the name: all else holds, and the checksum shows if the name
  // does.
  kRenaming,
  // As kGone, while one caller writes the record that lets another have it, or gives it back to its
  // owner.
  kLeaving,
  // As kRenaming, of a thread that is gone: whoever changes the name then leaves the entry as
  // kGone.
  kEnding,
};
inline constexpr EntryState kLastEntryState = EntryState::kEnding;
// Returns whether the name is being changed.
constexpr bool is_renamed(EntryState state) {
  return state == EntryState::kRenaming || state == EntryState::kEnding;
}

// ThreadEntry::state has the state in the low 8 bits, and above it a count of the entry's owners.
// So a swap fails if the entry has changed hands since its state was loaded, or was given back to
// its owner. Without BAREFXT_REUSE_ENTRIES the word is the state.
inline constexpr uint32_t kOwners = BAREFXT_REUSE_ENTRIES ? ~uint32_t{0xff} : 0;
constexpr EntryState state_in(uint32_t word) { return static_cast<EntryState>(word & ~kOwners); }
constexpr uint32_t with_state(uint32_t word, EntryState state) {
  return (word & kOwners) | static_cast<uint32_t>(state);
}
constexpr uint32_t with_owner(uint32_t word) { return with_state(word + 0x100, EntryState::kLive); }

struct ThreadEntry {
  static constexpr size_t kNameBytes = 16;

  // Every member has its value here, or the table would need a static constructor.
  Atomic<uint32_t> state;  // see state_in
  uint32_t koid = 0;
  uint32_t process = 0;
  wire::ThreadsEntryKind kind{};
  uint8_t name_bytes = 0;
  uint16_t checksum = 0;  // of all but the state: detects a half-changed or damaged entry
  char name[kNameBytes] = {};
#if BAREFXT_REUSE_ENTRIES
  // The capture's ticks when the entry was taken from another thread; 0: no other had it in this
  // session.
  uint64_t since = 0;
#endif
};
// Without `since`. The descriptor states which of the two sizes a table has.
inline constexpr size_t kShortEntryBytes = 32;
static_assert(sizeof(ThreadEntry) == kShortEntryBytes + (BAREFXT_REUSE_ENTRIES ? 8 : 0),
              "what docs promise an entry costs");
static_assert(offsetof(ThreadEntry, checksum) == offsetof(ThreadEntry, koid) + 4 + 4 + 1 + 1);

inline uint16_t entry_checksum(const ThreadEntry& entry) {
  uint32_t sum = kChecksumBasis;
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  const auto add = [&](uint32_t value, unsigned bytes) {
    for (unsigned i = 0; i < bytes; ++i)
      sum = add_to_checksum(sum, static_cast<uint8_t>(value >> (8 * i)));
  };
  add(entry.koid, 4);
  add(entry.process, 4);
  add(static_cast<uint32_t>(entry.kind), 1);
  add(entry.name_bytes, 1);
#else
  // In this order that is how they lie.
  sum = add_to_checksum(sum, &entry.koid, 4 + 4 + 1 + 1);
#endif
  sum = add_to_checksum(sum, entry.name, sizeof entry.name);
#if BAREFXT_REUSE_ENTRIES
  // Not a 0, so that an entry without the member has the same sum.
  for (uint64_t rest = entry.since; rest != 0; rest >>= 8)
    sum = add_to_checksum(sum, static_cast<uint8_t>(rest));
#endif
  return static_cast<uint16_t>(sum ^ sum >> 16);
}

}  // namespace barefxt
