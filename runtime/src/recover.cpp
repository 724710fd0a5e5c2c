// At boot: looks for a trace in the retained memory, copies its control words aside and clears
// them. So this boot may register threads and record at once, in memory other than the old trace's
// segments.
//
// Checksums show if memory kept its content. The descriptor's covers only fields that never change;
// each segment's header and each thread's entry have their own. Records have none: the host, which
// checks every word, finds damaged ones.

#include <barefxt/config.h>

#if !BAREFXT_DISABLED

#include "recover.h"

#if BAREFXT_RETAINED

#include <barefxt/barefxt.h>

#include "descriptor.h"
#include "dump.h"
#include "held_segments.h"
#include "record_time.h"
#include "retained.h"
#include "string_table.h"
#include "thread_table.h"
#include "write_back.h"

#if !BAREFXT_LINEAR

// Defined by linker/barefxt_retained.ld: an image that fails to link for want of it lacks that.
extern "C" const char barefxt_retained_start[];

namespace barefxt {
namespace {

struct Recovered {
  Ring rings[BAREFXT_MAX_CPUS];
  Descriptor descriptor = {};
  StoredClockOffset clock_offsets[kClocks] = {};
  ThreadEntry threads[kThreadEntries];
  uint64_t last_ticks = 0;
  barefxt_recovery outcome = BAREFXT_RECOVERED_NOTHING;
  bool was_looked_for = false;
  bool is_held = false;
  bool names_are_this_images = false;
};
Recovered recovered;

// Never cleared.
BAREFXT_RETAINED_ uint32_t boots;

// False: it was done already since boot.
bool look_once() {
  if (recovered.was_looked_for) return false;
  recovered.was_looked_for = true;
  ++boots;
  if constexpr (kCleanCaches) barefxt_port_clean_cache(&boots, sizeof boots);
  return true;
}

template <typename T>
void copy_bytes(const T& from, T& to) {
  const auto* source = reinterpret_cast<const uint8_t*>(&from);
  auto* target = reinterpret_cast<uint8_t*>(&to);
  for (size_t i = 0; i < sizeof from; ++i) target[i] = source[i];
}
template <typename T>
void clear_bytes(T& what) {
  auto* target = reinterpret_cast<uint8_t*>(&what);
  for (size_t i = 0; i < sizeof what; ++i) target[i] = 0;
}

template <typename T>
void clear_in_memory(T& what) {
  clear_bytes(what);
  if constexpr (kCleanCaches) barefxt_port_clean_cache(&what, sizeof what);
}

// The descriptor first: a reset in the middle leaves no trace that lacks its tables.
void clear_retained() {
  clear_in_memory(barefxt_descriptor);
  clear_in_memory(rings);
  clear_in_memory(thread_table);
  if constexpr (kCounterIsPerCpu) clear_in_memory(stored_clock_offsets);
}

// Returns true if the descriptor is sound, and has this build's addresses and sizes.
bool is_ours(const Descriptor& trace) {
  return is_sound(trace) && trace.rings == reinterpret_cast<uintptr_t>(rings) &&
         trace.ring_bytes == sizeof(Ring) && trace.max_cpus == BAREFXT_MAX_CPUS &&
         trace.cpus <= BAREFXT_MAX_CPUS && trace.segment_bytes == kSegmentBytes &&
         trace.segment_header_bytes == kSegmentHeaderBytes &&
         trace.threads == reinterpret_cast<uintptr_t>(thread_table) &&
         trace.thread_entries == kThreadEntries &&
         trace.thread_entry_bytes == sizeof(ThreadEntry) &&
         trace.clock_offsets ==
             (kCounterIsPerCpu ? reinterpret_cast<uintptr_t>(stored_clock_offsets) : 0);
}

// The result of a look at the retained memory.
struct Finding {
  uint32_t sound_segments = 0;
  bool is_whole = true;
};

// Makes an unfinished record of what may be torn.
void cover(SegmentHeader& segment, uint32_t begin, uint32_t end) {
  fxt::Word* const word = reinterpret_cast<fxt::Word*>(&segment) + begin / fxt::kWordBytes;
  *word = 0;
  RecordHeaderWord::place(word, end - begin);
}

// Leaves in a segment what is in memory, since other records may be torn.
void cut_to_saved(SegmentHeader& segment, const Ring& ring, Finding& finding) {
  const uint32_t mark = written_back_until(segment);
  if (mark != 0 && mark == segment.end.load_relaxed()) return;
  finding.is_whole = false;
  const uint64_t saved = saved_part(ring, segment);
  uint32_t until = mark > kSegmentHeaderBytes && mark <= kSegmentBytes ? mark : 0;
  uint32_t end = Saved::until(saved);
  if (end <= until) {
    end = until;
  } else {
    for (uint64_t holes = Saved::holes(saved); holes != 0; holes >>= 2 * Saved::kBits) {
      const uint32_t hole_end = Saved::until(holes);
      const uint32_t begin = Saved::until(holes >> Saved::kBits);
      // Ahead of the mark it was finished since.
      if (hole_end > until) cover(segment, begin > until ? begin : until, hole_end);
    }
  }
  segment.end.store_relaxed(end);
  // Two may have been prepared to be the same one: the one that was not published has no record.
  if (end != 0 && look_through(segment).finished.records != 0) return;
  clear_words(segment, kSegmentHeaderBytes, kSegmentBytes);
  segment.end.store_relaxed(0);
}

void look_at_segment(SegmentHeader& segment, Ring& ring, Finding& finding) {
  const SegmentState state = state_of(segment);
  if (state > SegmentState::kHeldLeaving) {
    finding.is_whole = false;
    segment.state.store_relaxed(static_cast<uint32_t>(SegmentState::kRetired));
    return;
  }
  if (!holds_records(state) || !is_of(segment, recovered.descriptor.capture)) return;
  if (segment.checksum != header_checksum(segment) || segment.end.load_relaxed() > kSegmentBytes) {
    finding.is_whole = false;
    segment.state.store_relaxed(static_cast<uint32_t>(SegmentState::kRetired));
    return;
  }
  if (kCleanCaches && ring.is_marked) cut_to_saved(segment, ring, finding);
  ++finding.sound_segments;
  segment.state.store_relaxed(static_cast<uint32_t>(SegmentState::kLive));
  // The ring's totals have no checksum: they cannot be less than a segment's counts.
  if (ring.records_lost.value() < segment.records_lost) {
    finding.is_whole = false;
    ring.records_lost.set(segment.records_lost);
    ring.bytes_lost.set(segment.bytes_lost);
  }
  SegmentWalker walker(segment);
  SegmentWalker::Record record;
  const uint64_t offset = kCounterIsPerCpu ? recovered.clock_offsets[ring.cpu].ticks : 0;
  while (walker.next(record)) {
    const uint64_t* time = record.finished ? time_of(record) : nullptr;
    if (time == nullptr) continue;
    const uint64_t ticks = capture_ticks(offset, walker.clock(), *time);
    if (ticks > recovered.last_ticks) recovered.last_ticks = ticks;
  }
}

void look_at_rings(Finding& finding) {
  const Descriptor& trace = recovered.descriptor;
  auto* memory = reinterpret_cast<uint8_t*>(static_cast<uintptr_t>(trace.memory));
  for (uint32_t cpu = 0; cpu < BAREFXT_MAX_CPUS; ++cpu) {
    Ring& ring = recovered.rings[cpu];
    copy_bytes(rings[cpu], ring);
    ring.cpu = cpu;
    ring.segments = cpu < trace.cpus ? trace.segments_per_cpu : 0;
    ring.memory = memory + static_cast<size_t>(cpu) * trace.segments_per_cpu * kSegmentBytes;
    for (uint32_t slot = 0; slot < ring.segments; ++slot)
      look_at_segment(ring.segment(slot), ring, finding);
  }
}

void look_at_threads(Finding& finding) {
  for (uint32_t i = 0; i < kThreadEntries; ++i) {
    ThreadEntry& entry = recovered.threads[i];
    copy_bytes(thread_table[i], entry);
    if (!is_named(entry) || entry.checksum == entry_checksum(entry)) continue;
    // The reset came in the middle of a rename: the entry is sent without a name.
    if (is_renamed(state_in(entry.state.load_relaxed()))) continue;
    finding.is_whole = false;
    entry.state.store_relaxed(static_cast<uint32_t>(EntryState::kFree));
  }
}

barefxt_recovery look() {
  if (!is_ours(barefxt_descriptor)) return BAREFXT_RECOVERED_NOTHING;
  copy_bytes(barefxt_descriptor, recovered.descriptor);
  if constexpr (kCounterIsPerCpu) copy_bytes(stored_clock_offsets, recovered.clock_offsets);
  Finding finding;
  look_at_rings(finding);
  if (finding.sound_segments == 0) return BAREFXT_RECOVERED_NOTHING;
  look_at_threads(finding);
  recovered.names_are_this_images = strings_checksum() == recovered.descriptor.strings_checksum &&
                                    string_count() == recovered.descriptor.string_count;
  return finding.is_whole && recovered.names_are_this_images ? BAREFXT_RECOVERED_WHOLE
                                                             : BAREFXT_RECOVERED_PARTLY;
}

}  // namespace

void prepare_retained() {
  if (look_once()) clear_retained();
}

uint32_t boots_since_power_on() { return boots; }

bool holds_recovered_trace(const void* memory, size_t bytes) {
  if (!recovered.is_held) return false;
  const Descriptor& trace = recovered.descriptor;
  const uint64_t begin = reinterpret_cast<uintptr_t>(memory);
  const uint64_t end = trace.memory + static_cast<uint64_t>(trace.cpus) * trace.segments_per_cpu *
                                          trace.segment_bytes;
  return begin < end && trace.memory < begin + bytes;
}

}  // namespace barefxt

using namespace barefxt;

extern "C" {

barefxt_recovery barefxt_recover(void) {
  if (!look_once()) return recovered.outcome;
  // Keeps the reference to the linker script's fragment.
  __asm__ volatile("" : : "r"(barefxt_retained_start));
  recovered.outcome = look();
  recovered.is_held = recovered.outcome != BAREFXT_RECOVERED_NOTHING;
  clear_retained();
  return recovered.outcome;
}

barefxt_error barefxt_recovered_dump(const barefxt_writer* writer, barefxt_dump_form form) {
  if (!recovered.is_held) return BAREFXT_ERROR_NEVER_STARTED;
  if (!has_form(form)) return BAREFXT_ERROR_LEFT_OUT;
  const Trace trace = {recovered.descriptor,
                       recovered.rings,
                       recovered.threads,
                       recovered.clock_offsets,
                       recovered.outcome == BAREFXT_RECOVERED_WHOLE
                           ? wire::TraceKind::kRecovered
                           : wire::TraceKind::kRecoveredInPart,
                       recovered.names_are_this_images,
                       recovered.last_ticks};
  send_dump(trace, *writer, form);
  return BAREFXT_OK;
}

void barefxt_recovered_release(void) { recovered.is_held = false; }

}  // extern "C"

#endif

#endif

#endif
