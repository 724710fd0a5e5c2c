#include <barefxt/config.h>

#if !BAREFXT_DISABLED

#include <barefxt/barefxt.h>
#include <barefxt/features.h>
#include <barefxt/fxt/event.h>
#include <barefxt/fxt/object.h>

#include "former_entries.h"
#include "record_writer.h"
#include "session.h"
#include "trace.h"
#include "write_back.h"

#if !BAREFXT_LINEAR

namespace barefxt {
namespace {

constexpr fxt::KernelObjectType object_type(wire::ThreadsEntryKind kind, uint32_t process) {
  switch (kind) {
    case wire::ThreadsEntryKind::kProcess:
      return fxt::KernelObjectType::kProcess;
    case wire::ThreadsEntryKind::kObject:
      return static_cast<fxt::KernelObjectType>(process);
    default:
      return fxt::KernelObjectType::kThread;
  }
}

}  // namespace

bool write_object(wire::ThreadsEntryKind kind, uint32_t process, uint32_t koid, barefxt_text name,
                  const Former* former) {
  barefxt_argument arguments[3];
  uint32_t count = 0;
  if (wire::is_thread(kind))
    arguments[count++] = argument::koid(BAREFXT_STRING("process"), process);
  if (kReusesEntries && former != nullptr) {
    arguments[count++] = argument::uint64(BAREFXT_STRING("since"), former->since);
    if (former->index != 0)
      arguments[count++] = argument::uint32(BAREFXT_STRING("thread_index"), former->index);
  }
  const uint32_t fixed_bytes = words_to_bytes(2) + text_record_bytes(name);
  const ArgumentList list(arguments, count, fixed_bytes);
  RecordWriter record;
  if (!record.reserve_timed(fixed_bytes + list.bytes())) return false;
  if (kReusesEntries && former != nullptr) {
    full_fence();
    if (former->entry.state.load_acquire() != former->leaving) {
      record.give_up();
      return false;
    }
  }
  record.word(koid);
  record.text(name);
  record.arguments(list);
  record.commit(fxt::KernelObject::make(record.words(), object_type(kind, process),
                                        string_ref(name), list.count()));
  return true;
}

#if BAREFXT_REUSE_ENTRIES

namespace {

// The search for an entry of the gone begins here. So an index rests as long as it can, and times
// of CPUs whose counters differ a little stay on their side of the change.
Relaxed<uint32_t> next_search;

bool is_running_anywhere(uintptr_t reference) {
  for (const Ring& ring : rings)
    if (ring.current_reference.load_relaxed() == reference) return true;
  return false;
}

// From a copy of the entry: the owner may come back under another name meanwhile.
bool write_former(const ThreadEntry& entry, uint32_t leaving, uint32_t index) {
  EntryCopy copy;
  if (!copy_entry(entry, copy)) return false;
  const Former former{entry, leaving, index, since_of(copy.entry)};
  return write_object(copy.entry.kind, copy.entry.process, copy.entry.koid,
                      barefxt_text_inline(copy.entry.name, copy.entry.name_bytes), &former);
}

bool take_over(ThreadEntry& entry, uint32_t index) {
  const uint32_t gone = entry.state.load_acquire();
  if (state_in(gone) != EntryState::kGone || !may_forget_owners()) return false;
  // A dump still finds its content.
  const uint32_t leaving = with_state(gone, EntryState::kLeaving);
  if (!entry.state.compare_exchange(gone, leaving)) return false;
  if (!write_former(entry, leaving, index) || !may_forget_owners()) {
    entry.state.compare_exchange(leaving, gone);
    return false;
  }
  // Unless the owner has come back. Then the record has the content that the entry keeps.
  if (!entry.state.compare_exchange(leaving, with_state(gone, EntryState::kClaimed))) return false;
  full_fence();
  write_back(entry);
  store_since(entry, capture_ticks_now());
  return true;
}

}  // namespace

ThreadEntry* claim_gone_entry() {
  uint32_t at = next_search;
  for (uint32_t i = 0; i < kThreadEntries; ++i, ++at) {
    if (at >= kThreadEntries) at = 0;
    ThreadEntry& entry = thread_table[at];
    if (state_in(entry.state.load_relaxed()) != EntryState::kGone) continue;
    const uint32_t index = wire::is_thread(entry.kind) && at < fxt::kMaxThreadIndex ? at + 1 : 0;
    if (index != 0 && is_running_anywhere(fxt::Event::Thread::of(index))) continue;
    if (!take_over(entry, index)) continue;
    next_search = at + 1;
    return &entry;
  }
  return nullptr;
}

void write_rename(const barefxt_thread* thread, uint32_t koid, barefxt_text from, barefxt_text to) {
  if (!BAREFXT_ENABLED(sched)) return;
  const barefxt_argument arguments[] = {
      argument::koid(BAREFXT_STRING("koid"), koid),
      barefxt_arg_text(BAREFXT_TEXT("old"), from),
      barefxt_arg_text(BAREFXT_TEXT("new"), to),
  };
  barefxt_event(BAREFXT_EVENT_INSTANT, thread, BAREFXT_TEXT("sched"), BAREFXT_TEXT("renamed"), 0,
                arguments, 3);
}

#endif

}  // namespace barefxt

#endif

#endif
