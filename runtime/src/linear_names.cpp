// Names other than those of threads, if recording is one run of memory, see linear.h.

#include <barefxt/config.h>

#if !BAREFXT_DISABLED

#include <barefxt/barefxt.h>
#include <barefxt/kernel_hooks.h>

#include "linear_entry.h"
#include "switch_bits.h"

#if BAREFXT_LINEAR

namespace barefxt {
namespace {

using linear::threads;

// One at a time: a context that comes while another is renaming leaves the name to that, and counts
// a lost record.
void rename(linear::Entry& entry, const char* name) {
  const uint32_t kind = entry.kind.load_acquire();
  if (kind == 0 || !entry.kind.compare_exchange(kind, 0)) {
    if (barefxt_running()) linear::the_ring().records_lost.add(1);
    return;
  }
  linear::publish(entry, static_cast<wire::ThreadsEntryKind>(kind), name);
}

// Also one that is being named: no two have one koid.
linear::Entry* find(uint32_t koid, wire::ThreadsEntryKind of) {
  for (linear::Entry& entry : threads.entries) {
    const uint32_t kind = entry.kind.load_acquire();
    if (entry.koid == koid && (kind == 0 || kind == static_cast<uint32_t>(of))) return &entry;
  }
  return nullptr;
}

}  // namespace
}  // namespace barefxt

using namespace barefxt;

extern "C" {

void barefxt_thread_rename(barefxt_thread* thread, const char* name) {
  const uint32_t index = switch_bits::index(thread->switch_bits);
  if (index != 0) rename(threads.entries[index - 1], name);
}

void barefxt_process_register(uint32_t koid, const char* name) {
  if (linear::Entry* known = find(koid, wire::ThreadsEntryKind::kProcess))
    rename(*known, name);
  else
    linear::enter(wire::ThreadsEntryKind::kProcess, koid, koid, name);
}

void barefxt_process_rename(uint32_t koid, const char* name) {
  barefxt_process_register(koid, name);
}

// Its entry stays.
void barefxt_process_unregister(uint32_t) {}

void barefxt_object_register(uint32_t koid, barefxt_object_type type, const char* name) {
  if (linear::Entry* known = find(koid, wire::ThreadsEntryKind::kObject))
    rename(*known, name);
  else
    linear::enter(wire::ThreadsEntryKind::kObject, type, koid, name);
}

// So does its entry.
void barefxt_object_unregister(uint32_t) {}

}  // extern "C"

#endif

#endif
