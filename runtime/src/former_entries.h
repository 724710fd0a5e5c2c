// Gives entries of the gone to others while a session runs (BAREFXT_REUSE_ENTRIES).
//
// The rings may hold records that name the gone thread by its index. So before an entry changes
// hands, its content goes into the ring: a kernel object record with koid and name, and for a
// thread with the index and the time since which that was its own. The record's own time is the end
// of this period, and ThreadEntry::since of the new owner lies behind it.
//
// Invariants:
// - An index means, in a record of time T, the entry's owner if `since` <= T, else the thread of
//   the kernel object record whose period T lies in. If that record is lost, the thread is unknown.
//   It is never the wrong one.
// - A thread that comes back, with the koid of an entry's gone owner, has that entry again, even
//   from a caller that is about to take it. The caller's record may stand in the ring by then. It
//   has the `since` that the entry keeps; of two periods with one begin, the later record or the
//   entry counts. So it is critically important that the record's time is one at which the owner
//   was still gone: the caller looks once more behind the reservation, and gives the record up if
//   the owner has come back. Otherwise a late record would outlast the owner's next end.
// - No entry changes hands unless its record was written: in a full or stopped ring the newcomer
//   gets no entry. The modes differ only in this.
// - The owner of an index is gone for good: barefxt_thread_unregister takes it from every CPU that
//   still runs the thread, and makes the swaps of writers fail that had loaded it.
// - A snapshot never misses an owner: its copy of the table has the former one, or its rings have
//   the record. See may_forget_owners().
// - The caller owns the entry from a swap on. So two callers never get the same, and none waits.
#pragma once

#include <barefxt/argument_c.h>

#include "thread_table.h"

namespace barefxt {

// Claims an entry of a thread or object that is gone, its `since` stored; null: there is none, or
// no room in the ring. Context: any but NMI.
ThreadEntry* claim_gone_entry();

// Records a rename: the instant "renamed" on the thread, null for the one that runs here.
void write_rename(const barefxt_thread* thread, uint32_t koid, barefxt_text from, barefxt_text to);

// The entry that is lost with the record that names its owner.
struct Former {
  const ThreadEntry& entry;
  uint32_t leaving;  // its state as long as its owner has not come back
  uint32_t index;    // of the thread; 0: none
  uint64_t since;
};

// Names an owner without an entry, by a kernel object record. False: there was no room, which is
// counted; or nothing is being recorded; or the owner has come back. `former`: null if there was
// no entry.
bool write_object(wire::ThreadsEntryKind kind, uint32_t process, uint32_t koid, barefxt_text name,
                  const Former* former = nullptr);

// Returns whether no snapshot is copying the table. Call it after the record that names the owner:
// then a snapshot that begins later has this record. (snapshot.cpp)
bool may_forget_owners();

}  // namespace barefxt
