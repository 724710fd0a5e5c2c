// Names beyond those of threads where recording is one run of memory, see linear.h.

#include <barefxt/barefxt.h>
#include <barefxt/kernel_hooks.h>

#include "linear_entry.h"
#include "switch_bits.h"

#if BAREFXT_LINEAR

namespace barefxt {
namespace {

using linear::threads;

void rename(linear::Entry& entry, const char* name) {
  const auto kind = static_cast<wire::ThreadsEntryKind>(entry.kind.load_relaxed());
  entry.kind.store_relaxed(0);
  compiler_barrier();
  linear::publish(entry, kind, name);
}

linear::Entry* find_object(uint32_t koid) {
  for (linear::Entry& entry : threads.entries)
    if (entry.koid == koid &&
        entry.kind.load_acquire() == static_cast<uint32_t>(wire::ThreadsEntryKind::kObject))
      return &entry;
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
  linear::enter(wire::ThreadsEntryKind::kProcess, koid, koid, name);
}

void barefxt_object_register(uint32_t koid, barefxt_object_type type, const char* name) {
  if (linear::Entry* known = find_object(koid))
    rename(*known, name);
  else
    linear::enter(wire::ThreadsEntryKind::kObject, type, koid, name);
}

// So does its entry.
void barefxt_object_unregister(uint32_t) {}

}  // extern "C"

#endif
