#include "session.h"

#include <barefxt/barefxt.h>
#include <barefxt/ring.h>
#include <barefxt/wire/crc32c.h>

#include "cut_text.h"
#include "switch_bits.h"
#include "thread_table.h"

namespace barefxt {

Session session;

namespace {

void clear(SegmentHeader& segment) {
  auto* words = reinterpret_cast<fxt::Word*>(&segment);
  for (uint32_t i = 0; i < kSegmentBytes / fxt::kWordBytes; ++i) words[i] = 0;
}

// A counter that stands still (a clock that is not switched on, a debug counter without a debugger)
// is found here rather than in a trace full of zeros.
bool counter_ticks() {
  constexpr uint32_t kReads = 1000000;
  const uint64_t first = barefxt_port_counter();
  for (uint32_t i = 0; i < kReads; ++i)
    if (barefxt_port_counter() != first) return true;
  return false;
}

uint32_t make_capture_id(uint64_t ticks, uint32_t starts) {
  wire::Crc32c crc;
  for (unsigned shift = 0; shift < 64; shift += 8) crc.add(static_cast<uint8_t>(ticks >> shift));
  for (unsigned shift = 0; shift < 32; shift += 8) crc.add(static_cast<uint8_t>(starts >> shift));
  return crc.value();
}

// Clears the ring's segments and opens the first; with `same_memory`, segments that an interrupted
// writer of the session before may still store into are left alone.
void open_ring(Ring& ring, uint32_t cpu, uint8_t* memory, uint32_t segments, bool same_memory) {
  ring.memory = memory;
  ring.segments = segments;
  ring.cpu = cpu;
  ring.circular = session.mode == wire::Mode::kCircular;
  ring.records_lost.clear();
  ring.bytes_lost.clear();
  register_cpu_thread(ring.cpu_thread, cpu);
  ring.set_current(ring.cpu_thread);
  ring.switch_header = fxt::LegacyContextSwitch::make(fxt::LegacyContextSwitch::kFixedWords, cpu,
                                                      fxt::ThreadState::kNew, {}, {}, 0, 0) -
                       switch_bits::kFlags;

  uint32_t first = segments;
  for (uint32_t slot = 0; slot < segments; ++slot) {
    SegmentHeader& segment = ring.segment(slot);
    const auto state = static_cast<SegmentState>(segment.state.load_relaxed());
    // Owned by a writer that was interrupted: it gives the segment back, clean, when it goes on.
    if (same_memory && (state == SegmentState::kClaimed || state == SegmentState::kLeaving))
      continue;
    const bool in_use = same_memory && (state == SegmentState::kRetired || holds_records(state));
    // A writer may still be storing into it, or one that crosses from it or to it is not done.
    if (in_use && !look_through(segment).is_whole) {
      segment.state.store_relaxed(static_cast<uint32_t>(SegmentState::kRetired));
      continue;
    }
    clear(segment);
    if (first == segments) first = slot;
  }

  const PositionWord before = ring.position.load_relaxed();
  if (first == segments) {
    ring.position.store_release(Position::closed(before, Position::kFull));
    return;
  }
  SegmentHeader& open = ring.segment(first);
  open.capture = session.capture;
  open.cpu = cpu;
  open.state.store_relaxed(static_cast<uint32_t>(SegmentState::kLive));
  ring.position.store_release(Position::closed(before, 0) |
                              (first * PositionWord{kSegmentBytes} + kSegmentHeaderBytes));
}

// A CPU that the caller did not count in has no memory: what it would record is counted as lost.
void close_ring(Ring& ring, uint32_t cpu) {
  ring.segments = 0;
  ring.cpu = cpu;
  ring.records_lost.clear();
  ring.bytes_lost.clear();
  ring.set_current(ring.cpu_thread);
  ring.position.store_release(Position::closed(ring.position.load_relaxed(), Position::kFull));
}

uint32_t count_unfinished() {
  uint32_t unfinished = 0;
  for (uint32_t cpu = 0; cpu < session.cpus; ++cpu) {
    const Ring& ring = rings[cpu];
    for (uint32_t slot = 0; slot < ring.segments; ++slot) {
      const SegmentHeader& segment = ring.segment(slot);
      if (!holds_records(static_cast<SegmentState>(segment.state.load_acquire()))) continue;
      SegmentWalker walker(segment);
      SegmentWalker::Record record;
      while (walker.next(record))
        if (!record.finished) ++unfinished;
      if (walker.saw_bare_reservation()) ++unfinished;
    }
  }
  return unfinished;
}

uint64_t count_finished(const Ring& ring) {
  uint64_t finished = 0;
  for (uint32_t slot = 0; slot < ring.segments; ++slot) {
    const SegmentHeader& segment = ring.segment(slot);
    if (holds_records(static_cast<SegmentState>(segment.state.load_acquire())))
      finished += look_through(segment).finished.records;
  }
  return finished;
}

}  // namespace

}  // namespace barefxt

using namespace barefxt;

extern "C" {

uint32_t barefxt_enabled_categories;
const barefxt_thread barefxt_this_cpu = {0, 0, 0, 0};

barefxt_error barefxt_start(const barefxt_config* config) {
  if (session.running) return BAREFXT_ERROR_RUNNING;
  if (config->cpus == 0 || config->cpus > BAREFXT_MAX_CPUS) return BAREFXT_ERROR_CPU_COUNT;
  if (reinterpret_cast<uintptr_t>(config->memory) % fxt::kWordBytes != 0)
    return BAREFXT_ERROR_MISALIGNED;
  size_t ring_bytes = config->bytes / config->cpus;
  if (ring_bytes > kMaxRingBytes) ring_bytes = static_cast<size_t>(kMaxRingBytes);
  const auto segments = static_cast<uint32_t>(ring_bytes / kSegmentBytes);
  const bool circular = config->mode == BAREFXT_MODE_CIRCULAR;
  if (segments < (circular ? 3 : 2)) return BAREFXT_ERROR_MEMORY_TOO_SMALL;
  const uint64_t frequency = barefxt_port_counter_frequency();
  if (frequency == 0 || !counter_ticks()) return BAREFXT_ERROR_COUNTER_STOPPED;

  const bool same_memory = session.holds_records && session.config.memory == config->memory &&
                           session.config.bytes == config->bytes && session.cpus == config->cpus;
  // Member by member: a copy of the whole would be a call of memcpy.
  session.config.memory = config->memory;
  session.config.bytes = config->bytes;
  session.config.wall_clock_ns = config->wall_clock_ns;
  session.config.target = config->target;
  session.config.build_id = config->build_id;
  session.config.build_id_bytes = config->build_id_bytes;
  session.cpus = config->cpus;
  session.mode = circular ? wire::Mode::kCircular : wire::Mode::kOneShot;
  session.ticks_per_second = frequency;
  session.start_ticks = clock_now();
  session.capture = make_capture_id(session.start_ticks, ++session.starts);
  session.stop_ticks = 0;
  session.holds_records = true;
  free_gone_entries();
  auto* memory = static_cast<uint8_t*>(config->memory);
  for (uint32_t cpu = 0; cpu < config->cpus; ++cpu)
    open_ring(rings[cpu], cpu, memory + static_cast<size_t>(cpu) * segments * kSegmentBytes,
              segments, same_memory);
  for (uint32_t cpu = config->cpus; cpu < BAREFXT_MAX_CPUS; ++cpu) close_ring(rings[cpu], cpu);
  session.running = true;
  __atomic_store_n(&barefxt_enabled_categories, config->categories, __ATOMIC_RELEASE);
  return BAREFXT_OK;
}

barefxt_stop_report barefxt_stop(void) {
  barefxt_stop_report report = {0, 0, 0, 0, 0};
  if (!session.running) return report;
  __atomic_store_n(&barefxt_enabled_categories, 0, __ATOMIC_RELAXED);
  for (Ring& ring : rings) {
    // Closed in the very word that reservations swap: none succeeds from here on.
    // The second store only carries the sequence number on to the next start; nobody swaps a closed
    // position but the next start.
    const PositionWord last = ring.position.exchange(Position::kStopped);
    ring.position.store_relaxed(Position::closed(last, Position::kStopped));
    if (Position::is_closed(last)) continue;
    const auto offset = static_cast<uint32_t>(last & Position::kOffsetMask);
    ring.segment(offset / kSegmentBytes).end.store_release(offset & Position::kSegmentMask);
  }
  session.stop_ticks = clock_now();
  session.running = false;
  report.unfinished_records = count_unfinished();
  report.cut_texts = texts_cut.load_relaxed();
  for (const Ring& ring : rings) {
    report.recorded_records += count_finished(ring);
    report.lost_records += ring.records_lost.value();
    report.overwritten_records += overwritten(ring, session.capture).records;
  }
  return report;
}

uint32_t barefxt_unfinished(void) { return count_unfinished(); }

void barefxt_set_categories(uint32_t categories) {
  if (!session.running) return;
  __atomic_store_n(&barefxt_enabled_categories, categories, __ATOMIC_RELAXED);
  // Without switches nobody knows which thread runs: better no thread than the wrong one.
  if ((categories & BAREFXT_CATEGORY_BIT(sched)) == 0)
    for (uint32_t cpu = 0; cpu < session.cpus; ++cpu) rings[cpu].set_current(rings[cpu].cpu_thread);
}

}  // extern "C"
