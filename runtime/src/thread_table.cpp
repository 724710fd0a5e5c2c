#include <barefxt/config.h>

#if !BAREFXT_DISABLED

#include <barefxt/argument.h>
#include <barefxt/barefxt.h>
#include <barefxt/features.h>
#include <barefxt/fxt/event.h>
#include <barefxt/fxt/object.h>
#include <barefxt/kernel_hooks.h>
#include <barefxt/records.h>
#include <barefxt/ring.h>

#include "call_limits.h"
#include "cut_text.h"
#include "former_entries.h"
#include "open_records.h"
#include "retained.h"
#include "session.h"
#include "switch_bits.h"
#include "thread_table.h"
#include "write_back.h"

#if !BAREFXT_LINEAR

namespace barefxt {

BAREFXT_RETAINED_ ThreadEntry thread_table[kThreadEntries];
Atomic<uint32_t> thread_changes;

namespace {

bool claim(ThreadEntry& entry) {
  const uint32_t free = entry.state.load_relaxed();
  return state_in(free) == EntryState::kFree &&
         entry.state.compare_exchange(free, with_state(free, EntryState::kClaimed));
}

// Threads take entries from the front, which have the indices, all others from the back.
ThreadEntry* claim_entry(wire::ThreadsEntryKind kind) {
  for (uint32_t i = 0; i < kThreadEntries; ++i) {
    const uint32_t at = wire::is_thread(kind) ? i : kThreadEntries - 1 - i;
    if (!claim(thread_table[at])) continue;
    store_since(thread_table[at], 0);
    return &thread_table[at];
  }
  return kReusesEntries ? claim_gone_entry() : nullptr;
}

// The caller has claimed the entry, or renames it: a dump may look at it.
void store_name(ThreadEntry& entry, const char* name) {
  const uint32_t bytes = cut_text(name, text_bytes(name), ThreadEntry::kNameBytes);
  BAREFXT_STORE_RELAXED_(entry.name_bytes, static_cast<uint8_t>(bytes));
  for (uint32_t i = 0; i < bytes; ++i) BAREFXT_STORE_RELAXED_(entry.name[i], name[i]);
  BAREFXT_STORE_RELAXED_(entry.checksum, entry_checksum(entry));
}

void count_change() {
  if constexpr (has_mode(wire::Mode::kStreaming)) thread_changes.fetch_add_release(1);
}

void publish(ThreadEntry& entry, wire::ThreadsEntryKind kind, uint32_t process, uint32_t koid,
             const char* name) {
  // A dump may look at an entry that has changed hands.
  BAREFXT_STORE_RELAXED_(entry.koid, koid);
  BAREFXT_STORE_RELAXED_(entry.process, process);
  BAREFXT_STORE_RELAXED_(reinterpret_cast<uint8_t&>(entry.kind), static_cast<uint8_t>(kind));
  store_name(entry, name);
  write_back(entry);
  entry.state.store_release(with_owner(entry.state.load_relaxed()));
  write_back(entry);
  count_change();
}

[[maybe_unused]] barefxt_text text_of_name(const char* name) {
  return barefxt_text_inline(name, text_bytes(name));
}

bool is_named_so(const ThreadEntry& entry, const char* name) {
  const uint32_t bytes = BAREFXT_LOAD_RELAXED_(entry.name_bytes);
  uint32_t at = 0;
  while (at < bytes && BAREFXT_LOAD_RELAXED_(entry.name[at]) == name[at]) ++at;
  // A longer name is the same as far as the entry goes.
  return at == bytes && (name[at] == 0 || at == ThreadEntry::kNameBytes);
}

// Returns whether a thread or an object has the entry, even if a rename is under way.
bool is_there(const ThreadEntry& entry) {
  const EntryState state = state_in(entry.state.load_acquire());
  return state == EntryState::kLive || state == EntryState::kRenaming;
}

EntryState state_when_over() {
  return session.holds_records ? EntryState::kGone : EntryState::kFree;
}

// Each of the swaps below fails at most so often: another context has to change the entry each
// time.
constexpr unsigned kMaxSwapsOfState = 64;

// False: another is at it, or the owner with this koid is gone. The entry may be another's by now.
bool begin_change(ThreadEntry& entry, uint32_t koid, uint32_t& live) {
  live = entry.state.load_acquire();
  if (state_in(live) != EntryState::kLive || BAREFXT_LOAD_RELAXED_(entry.koid) != koid ||
      !entry.state.compare_exchange(live, with_state(live, EntryState::kRenaming)))
    return false;
  write_back(entry);
  return true;
}
void end_change(ThreadEntry& entry) {
  write_back(entry);
  for (unsigned left = kMaxSwapsOfState; left != 0; --left) {
    const uint32_t word = entry.state.load_relaxed();
    const EntryState next =
        state_in(word) == EntryState::kEnding ? state_when_over() : EntryState::kLive;
    if (entry.state.compare_exchange(word, with_state(word, next))) break;
  }
  write_back(entry);
}

// One at a time: a rename beside another is left out, and counts as a lost record. A thread that
// ends meanwhile stays gone. `thread` owns the entry; null: not a thread's.
void rename(ThreadEntry& entry, uint32_t koid, const barefxt_thread* thread, const char* name) {
  if (is_named_so(entry, name)) return;
  uint32_t live = 0;
  if (!begin_change(entry, koid, live)) {
    if (is_there(entry) && BAREFXT_LOAD_RELAXED_(entry.koid) == koid && BAREFXT_ENABLED(sched))
      this_ring().count_lost(0);
    return;
  }
  if constexpr (kReusesEntries)
    write_rename(thread, entry.koid, barefxt_text_inline(entry.name, entry.name_bytes),
                 barefxt_text_inline(name, cut_utf8(name, text_bytes(name), entry.kNameBytes)));
  store_name(entry, name);
  end_change(entry);
  count_change();
}

// Not written back: the next boot names the gone as well. No other gets the entry while its name is
// being changed: otherwise the change would reach the other's name.
void release(ThreadEntry& entry) {
  for (unsigned left = kMaxSwapsOfState; left != 0; --left) {
    const uint32_t word = entry.state.load_relaxed();
    const EntryState next = is_renamed(state_in(word)) ? EntryState::kEnding : state_when_over();
    if (entry.state.compare_exchange(word, with_state(word, next))) return;
  }
}

// Puts a name into the ring that the table has no room for.
void write_in_ring(wire::ThreadsEntryKind kind, uint32_t process, uint32_t koid, const char* name) {
  if constexpr (kInlineThreads) write_object(kind, process, koid, text_of_name(name));
}

// Leaves one that is being renamed: a time before the start does no harm.
[[maybe_unused]] void own_from_start(ThreadEntry& entry) {
  uint32_t live = 0;
  if (!begin_change(entry, entry.koid, live)) return;
  store_since(entry, 0);
  BAREFXT_STORE_RELAXED_(entry.checksum, entry_checksum(entry));
  end_change(entry);
}

// Index 0: none. On another CPU the thread may be switched meanwhile, and on this one an interrupt
// may ask for it: each of the words is stored whole.
void set_words(barefxt_thread& thread, uint32_t index, uint8_t priority) {
  store_swapped(thread.switch_bits, switch_bits::make(index, priority));
  BAREFXT_STORE_RELAXED_(thread.reference, static_cast<uint32_t>(fxt::Event::Thread::of(index)));
}

uint32_t index_of(uint32_t entry) { return entry < fxt::kMaxThreadIndex ? entry + 1 : 0; }

wire::ThreadsEntryKind kind_of(ThreadEntry& entry) {
  return static_cast<wire::ThreadsEntryKind>(
      BAREFXT_LOAD_RELAXED_(reinterpret_cast<uint8_t&>(entry.kind)));
}

// Threads are also of that process.
bool is_of(ThreadEntry& entry, wire::ThreadsEntryKind kind, uint32_t process, uint32_t koid) {
  return BAREFXT_LOAD_RELAXED_(entry.koid) == koid && kind_of(entry) == kind &&
         (!wire::is_thread(kind) || BAREFXT_LOAD_RELAXED_(entry.process) == process);
}

// Returns the entry with that koid; null if there is none. It stays so: only its owner ends it.
ThreadEntry* find(wire::ThreadsEntryKind kind, uint32_t process, uint32_t koid) {
  for (ThreadEntry& entry : thread_table)
    if (is_there(entry) && is_of(entry, kind, process, koid)) return &entry;
  return nullptr;
}

// Gives an entry back to its gone owner, which comes back: one koid, one object. That works even if
// another is about to take it, which then fails. Null: there is none.
ThreadEntry* revive(wire::ThreadsEntryKind kind, uint32_t process, uint32_t koid) {
  for (ThreadEntry& entry : thread_table) {
    const uint32_t word = entry.state.load_acquire();
    const EntryState state = state_in(word);
    // Whoever changes the name of one that is ending leaves it to the same owner.
    const uint32_t next =
        state == EntryState::kEnding ? with_state(word, EntryState::kRenaming) : with_owner(word);
    if (state >= EntryState::kGone && state != EntryState::kRenaming &&
        is_of(entry, kind, process, koid) && entry.state.compare_exchange(word, next))
      return &entry;
  }
  return nullptr;
}

// A new entry. Null: there is none.
ThreadEntry* take(wire::ThreadsEntryKind kind, uint32_t process, uint32_t koid, const char* name) {
  ThreadEntry* const entry = claim_entry(kind);
  if (entry != nullptr) publish(*entry, kind, process, koid, name);
  return entry;
}

// The entry of what has that koid, with the name: its own, or a new one. Null: there is none.
ThreadEntry* enter(wire::ThreadsEntryKind kind, uint32_t process, uint32_t koid, const char* name,
                   const barefxt_thread* thread = nullptr) {
  ThreadEntry* known = find(kind, process, koid);
  if (kReusesEntries && known == nullptr) known = revive(kind, process, koid);
  if (known == nullptr) return take(kind, process, koid, name);
  rename(*known, koid, thread, name);
  return known;
}

// Gives a thread, whose koids are set, an entry and the index. False: there is no entry.
bool enter(barefxt_thread& thread, wire::ThreadsEntryKind kind, const char* name,
           uint8_t priority) {
  ThreadEntry* const entry = kReusesEntries
                                 ? enter(kind, thread.process, thread.koid, name, &thread)
                                 : take(kind, thread.process, thread.koid, name);
  if (entry == nullptr) return false;
  const uint32_t index = index_of(static_cast<uint32_t>(entry - thread_table));
  if constexpr (kCallLimits && kReusesEntries) forget_open_calls_of(index);
  set_words(thread, index, priority);
  return true;
}

// Returns the entry of a registered thread, or null if it has none.
ThreadEntry* find_entry(const barefxt_thread& thread) {
  const uint32_t index = switch_bits::index(BAREFXT_LOAD_RELAXED_(thread.switch_bits));
  if (index != 0) {
    ThreadEntry& entry = thread_table[index - 1];
    return entry.koid == thread.koid ? &entry : nullptr;
  }
  for (uint32_t i = static_cast<uint32_t>(fxt::kMaxThreadIndex); i < kThreadEntries; ++i) {
    ThreadEntry& entry = thread_table[i];
    if (is_there(entry) && entry.koid == thread.koid) return &entry;
  }
  return nullptr;
}

void unregister(wire::ThreadsEntryKind kind, uint32_t koid) {
  if (ThreadEntry* const entry = find(kind, 0, koid)) release(*entry);
}

// To a process or an object.
void give_name(wire::ThreadsEntryKind kind, uint32_t process, uint32_t koid, const char* name) {
  prepare_retained();
  if (enter(kind, process, koid, name) == nullptr) write_in_ring(kind, process, koid, name);
}

}  // namespace

void name_cpu(char (&name)[kCpuNameBytes], uint32_t cpu) {
  size_t at = 0;
  for (const char* c = "cpu-"; *c != 0; ++c) name[at++] = *c;
  if (BAREFXT_MAX_CPUS > 100 && cpu >= 100) name[at++] = static_cast<char>('0' + cpu / 100);
  if (BAREFXT_MAX_CPUS > 10 && cpu >= 10) name[at++] = static_cast<char>('0' + cpu / 10 % 10);
  name[at++] = static_cast<char>('0' + (BAREFXT_MAX_CPUS > 10 ? cpu % 10 : cpu));
  name[at] = 0;
}

void register_cpu_thread(barefxt_thread& thread, uint32_t cpu) {
  if (thread.koid != 0) return;
  thread.koid = kCpuThreadKoid + cpu;
  thread.process = kCpuProcessKoid;
  char name[kCpuNameBytes];
  name_cpu(name, cpu);
  // Without an entry: dumps name these koids themselves.
  enter(thread, wire::ThreadsEntryKind::kCpu, name, 0);
}

uint32_t gone_index_of(uint32_t koid) {
  for (uint32_t i = 0; i < kThreadEntries; ++i) {
    ThreadEntry& entry = thread_table[i];
    const EntryState state = state_in(entry.state.load_acquire());
    if ((state == EntryState::kGone || state == EntryState::kEnding) &&
        BAREFXT_LOAD_RELAXED_(entry.koid) == koid && wire::is_thread(kind_of(entry)))
      return index_of(i);
  }
  return 0;
}

void free_gone_entries() {
  for (ThreadEntry& entry : thread_table) {
    const uint32_t word = entry.state.load_relaxed();
    if (state_in(word) == EntryState::kGone) {
      entry.state.store_release(with_state(word, EntryState::kFree));
    } else if (since_of(entry) != 0) {
      own_from_start(entry);
    }
  }
}

namespace {

// Takes an ending thread from the CPUs that run it, by Ring::current.
//
// While switches are recorded it stays there until the switch away from it. Otherwise no record
// follows, and the thread's memory may be another's then. The call that stopped recording, or
// turned the category off, has cleared all CPUs. So what is found here is of a switch that had its
// swap ahead of that call and stored its thread afterwards; its reference alone, if the call came
// between the two. The caller sees that store, since no switch that names the thread is under way.
void forget_running(const barefxt_thread& thread, uint32_t reference) {
  for (Ring& ring : rings) {
    const bool is_named = ring.current.load_relaxed() == &thread;
    if (!BAREFXT_ENABLED(sched)) {
      if (is_named || ring.current_reference.load_relaxed() == reference)
        ring.set_current(ring.cpu_thread);
      continue;
    }
    if (!is_named) continue;
    if constexpr (kReusesEntries) {
      // Another may have come in since: then its events have its koids inline.
      ring.current_reference.store_relaxed(0);
      // Swaps from a position that was loaded before fail.
      ring.position.fetch_add_release(Position::kSequenceUnit);
    }
  }
}

}  // namespace

}  // namespace barefxt

using namespace barefxt;

extern "C" {

void barefxt_process_register(uint32_t koid, const char* name) {
  give_name(wire::ThreadsEntryKind::kProcess, koid, koid, name);
}

void barefxt_process_rename(uint32_t koid, const char* name) {
  constexpr auto kProcess = wire::ThreadsEntryKind::kProcess;
  prepare_retained();
  if (find(kProcess, koid, koid) == nullptr) write_in_ring(kProcess, koid, koid, name);
  enter(kProcess, koid, koid, name);
}

void barefxt_process_unregister(uint32_t koid) {
  unregister(wire::ThreadsEntryKind::kProcess, koid);
}

void barefxt_thread_register(barefxt_thread* thread, uint32_t process, uint32_t koid,
                             const char* name, uint8_t priority) {
  prepare_retained();
  // It may be switched meanwhile.
  BAREFXT_STORE_RELAXED_(thread->koid, koid);
  BAREFXT_STORE_RELAXED_(thread->process, process);
  set_words(*thread, 0, priority);
  if (!enter(*thread, wire::ThreadsEntryKind::kThread, name, priority))
    write_in_ring(wire::ThreadsEntryKind::kThread, process, koid, name);
}

// By a swap, of this word alone: a thread that is registered or ends meanwhile, on another CPU or
// in an interrupt, keeps the index that it has got, or has not any more.
void barefxt_thread_set_priority(barefxt_thread* thread, uint8_t priority) {
  for (unsigned left = 64; left != 0; --left) {
    const uint32_t bits = BAREFXT_LOAD_RELAXED_(thread->switch_bits);
    if (compare_exchange_relaxed(thread->switch_bits, bits,
                                 switch_bits::with_priority(bits, priority)))
      return;
  }
}

void barefxt_thread_unregister(barefxt_thread* thread) {
  ThreadEntry* entry = find_entry(*thread);
  [[maybe_unused]] const uint32_t index =
      switch_bits::index(BAREFXT_LOAD_RELAXED_(thread->switch_bits));
  const uint32_t reference = BAREFXT_LOAD_RELAXED_(thread->reference);
  // The index may be another thread's soon: records that still come name this one inline.
  set_words(*thread, 0, switch_bits::priority(BAREFXT_LOAD_RELAXED_(thread->switch_bits)));
  if constexpr (kInlineThreads)
    store_swapped(thread->switch_bits,
                  BAREFXT_LOAD_RELAXED_(thread->switch_bits) | switch_bits::kGone);
  forget_running(*thread, reference);
#if BAREFXT_END_RECORDS
  // Before release(): until then no other thread can have the index.
  end_records(*thread, index);
#endif
  if (entry != nullptr) release(*entry);
}

void barefxt_thread_rename(barefxt_thread* thread, const char* name) {
  if (ThreadEntry* entry = find_entry(*thread)) return rename(*entry, thread->koid, thread, name);
  if constexpr (kInlineThreads) {
    const uint32_t bits = BAREFXT_LOAD_RELAXED_(thread->switch_bits);
    if (thread->koid == 0 || switch_bits::is_gone(bits)) return;
    write_in_ring(wire::ThreadsEntryKind::kThread, thread->process, thread->koid, name);
    // There may be an entry by now. The name is in the ring nevertheless, for its time.
    enter(*thread, wire::ThreadsEntryKind::kThread, name, switch_bits::priority(bits));
  }
}

void barefxt_object_register(uint32_t koid, barefxt_object_type type, const char* name) {
  give_name(wire::ThreadsEntryKind::kObject, type, koid, name);
}

void barefxt_object_unregister(uint32_t koid) { unregister(wire::ThreadsEntryKind::kObject, koid); }

}  // extern "C"

#endif

#endif
