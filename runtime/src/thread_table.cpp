#include "thread_table.h"

#include <barefxt/argument.h>
#include <barefxt/barefxt.h>
#include <barefxt/features.h>
#include <barefxt/fxt/event.h>
#include <barefxt/fxt/object.h>
#include <barefxt/kernel_hooks.h>
#include <barefxt/records.h>
#include <barefxt/ring.h>

#include "cut_text.h"
#include "retained.h"
#include "session.h"
#include "switch_bits.h"

#if !BAREFXT_LINEAR

namespace barefxt {

BAREFXT_RETAINED_ ThreadEntry thread_table[kThreadEntries];
Atomic<uint32_t> thread_changes;

namespace {

bool claim(ThreadEntry& entry) {
  const auto free = static_cast<uint32_t>(EntryState::kFree);
  return entry.state.load_relaxed() == free &&
         entry.state.compare_exchange(free, static_cast<uint32_t>(EntryState::kClaimed));
}

// Threads take entries from the front, where the indices are, all else from the back.
ThreadEntry* claim_entry(wire::ThreadsEntryKind kind) {
  for (uint32_t i = 0; i < kThreadEntries; ++i) {
    const uint32_t at = wire::is_thread(kind) ? i : kThreadEntries - 1 - i;
    if (claim(thread_table[at])) return &thread_table[at];
  }
  return nullptr;
}

// Of an entry that the caller has claimed, or renames: a dump may look at it.
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
  entry.koid = koid;
  entry.process = process;
  entry.kind = kind;
  store_name(entry, name);
  entry.state.store_release(static_cast<uint32_t>(EntryState::kLive));
  count_change();
}

bool is_named_so(const ThreadEntry& entry, const char* name) {
  const uint32_t bytes = BAREFXT_LOAD_RELAXED_(entry.name_bytes);
  uint32_t at = 0;
  while (at < bytes && BAREFXT_LOAD_RELAXED_(entry.name[at]) == name[at]) ++at;
  // A longer name is the same as far as the entry goes.
  return at == bytes && (name[at] == 0 || at == ThreadEntry::kNameBytes);
}

// One at a time: who comes while another is at it leaves the name to that. A thread that ends
// meanwhile stays gone.
void rename(ThreadEntry& entry, const char* name) {
  constexpr auto kLive = static_cast<uint32_t>(EntryState::kLive);
  constexpr auto kRenaming = static_cast<uint32_t>(EntryState::kRenaming);
  if (is_named_so(entry, name)) return;
  if (!entry.state.compare_exchange(kLive, kRenaming)) return;
  store_name(entry, name);
  entry.state.compare_exchange(kRenaming, kLive);
  count_change();
}

// Of a thread or an object, which may be about to have another name.
bool is_there(const ThreadEntry& entry) {
  const auto state = static_cast<EntryState>(entry.state.load_acquire());
  return state == EntryState::kLive || state == EntryState::kRenaming;
}

void release(ThreadEntry& entry) {
  const EntryState state = session.holds_records ? EntryState::kGone : EntryState::kFree;
  entry.state.store_release(static_cast<uint32_t>(state));
}

// A name that the table has no room for: a kernel object record in the ring.
[[maybe_unused]] void write_kernel_object(fxt::KernelObjectType type, uint32_t process,
                                          uint32_t koid, const char* name) {
  const barefxt_argument owner = argument::koid(BAREFXT_STRING("process"), process);
  barefxt_kernel_object(koid, static_cast<uint8_t>(type),
                        barefxt_text_inline(name, text_bytes(name)), &owner,
                        type == fxt::KernelObjectType::kThread ? 1 : 0);
}

// Index 0: none. On another CPU the thread may be switched meanwhile, and on this one an interrupt
// may ask for it: each of the words is stored whole.
void set_words(barefxt_thread& thread, uint32_t index, uint8_t priority) {
  BAREFXT_STORE_RELAXED_(thread.switch_bits, switch_bits::make(index, priority));
  BAREFXT_STORE_RELAXED_(thread.reference, static_cast<uint32_t>(fxt::Event::Thread::of(index)));
}

uint32_t index_of(uint32_t entry) { return entry < fxt::kMaxThreadIndex ? entry + 1 : 0; }

// Gives a thread, whose koids are set, an entry and the index. False: there is no entry.
bool enter(barefxt_thread& thread, wire::ThreadsEntryKind kind, const char* name,
           uint8_t priority) {
  ThreadEntry* entry = claim_entry(kind);
  if (entry == nullptr) return false;
  publish(*entry, kind, thread.process, thread.koid, name);
  set_words(thread, index_of(static_cast<uint32_t>(entry - thread_table)), priority);
  return true;
}

// The entry of a registered thread, or null where it has none.
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

ThreadEntry* find_object(uint32_t koid) {
  for (ThreadEntry& entry : thread_table)
    if (is_there(entry) && entry.kind == wire::ThreadsEntryKind::kObject && entry.koid == koid)
      return &entry;
  return nullptr;
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

void free_gone_entries() {
  for (ThreadEntry& entry : thread_table) {
    if (static_cast<EntryState>(entry.state.load_relaxed()) == EntryState::kGone)
      entry.state.store_release(static_cast<uint32_t>(EntryState::kFree));
  }
}

}  // namespace barefxt

using namespace barefxt;

extern "C" {

void barefxt_process_register(uint32_t koid, const char* name) {
  prepare_retained();
  if (ThreadEntry* entry = claim_entry(wire::ThreadsEntryKind::kProcess))
    publish(*entry, wire::ThreadsEntryKind::kProcess, koid, koid, name);
  else if constexpr (kInlineThreads)
    write_kernel_object(fxt::KernelObjectType::kProcess, koid, koid, name);
}

void barefxt_thread_register(barefxt_thread* thread, uint32_t process, uint32_t koid,
                             const char* name, uint8_t priority) {
  prepare_retained();
  // It may be switched meanwhile.
  BAREFXT_STORE_RELAXED_(thread->koid, koid);
  BAREFXT_STORE_RELAXED_(thread->process, process);
  set_words(*thread, 0, priority);
  const bool has_entry = enter(*thread, wire::ThreadsEntryKind::kThread, name, priority);
  if (kInlineThreads && !has_entry)
    write_kernel_object(fxt::KernelObjectType::kThread, process, koid, name);
}

// By a swap, of this word alone: a thread that is registered or ends meanwhile, on another CPU or
// in an interrupt, keeps the index that it has got, or has not any more.
void barefxt_thread_set_priority(barefxt_thread* thread, uint8_t priority) {
  for (unsigned left = 64; left != 0; --left) {
    const uint32_t bits = BAREFXT_LOAD_RELAXED_(thread->switch_bits);
    if (compare_exchange_relaxed(thread->switch_bits, bits,
                                 switch_bits::make(switch_bits::index(bits), priority)))
      return;
  }
}

void barefxt_thread_unregister(barefxt_thread* thread) {
  ThreadEntry* entry = find_entry(*thread);
  // The index may be another thread's soon: records that still come name this one inline.
  set_words(*thread, 0, switch_bits::priority(BAREFXT_LOAD_RELAXED_(thread->switch_bits)));
  if (entry == nullptr) return;
  release(*entry);
}

void barefxt_thread_rename(barefxt_thread* thread, const char* name) {
  if (ThreadEntry* entry = find_entry(*thread)) rename(*entry, name);
}

void barefxt_object_register(uint32_t koid, barefxt_object_type type, const char* name) {
  prepare_retained();
  if (ThreadEntry* known = find_object(koid))
    rename(*known, name);
  else if (ThreadEntry* entry = claim_entry(wire::ThreadsEntryKind::kObject))
    publish(*entry, wire::ThreadsEntryKind::kObject, type, koid, name);
  else if constexpr (kInlineThreads)
    barefxt_kernel_object(koid, static_cast<uint8_t>(type),
                          barefxt_text_inline(name, text_bytes(name)), nullptr, 0);
}

void barefxt_object_unregister(uint32_t koid) {
  if (ThreadEntry* entry = find_object(koid)) release(*entry);
}

}  // extern "C"

#endif
