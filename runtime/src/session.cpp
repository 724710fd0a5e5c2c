#include "session.h"

#include <barefxt/barefxt.h>
#include <barefxt/ring.h>

#include "call_limits.h"
#include "cut_text.h"
#include "descriptor.h"
#include "functions.h"
#include "held_segments.h"
#include "recover.h"
#include "retained.h"
#include "switch_bits.h"
#include "thread_table.h"

#if !BAREFXT_LINEAR

namespace barefxt {

Session session;

namespace {

bool is_starting() { return session.phase.load_acquire() == SessionPhase::kStarting; }

bool stop_if_running() {
  const SessionGuard guard;
  return is_running() && stop_recording();
}

// All but its state, which says that it is the caller's.
void clear(SegmentHeader& segment) {
  segment.capture.store_relaxed(0);
  clear_words(segment, fxt::kWordBytes, kSegmentBytes);
}

// Makes a segment of the session before the caller's, by swaps, since writers of that session may
// still be at work on it: on another CPU, or below the caller. False: it is left as it is. One that
// was interrupted owns it, and gives it back, clean, when it goes on; or may still store into it.
bool take_over(SegmentHeader& segment) {
  while (true) {
    const SegmentState state = state_of(segment);
    if (state == SegmentState::kClaimed || state == SegmentState::kLeaving) return false;
    if (!swap_state(segment, state, SegmentState::kClaimed)) continue;
    // One that crosses from it or to it may not be done, either.
    if (state == SegmentState::kFree || look_through(segment).is_whole) return true;
    // By a swap as well: whoever prepared it and lost the race to open it gives it back without
    // asking, and then it is free.
    swap_state(segment, SegmentState::kClaimed, SegmentState::kRetired);
    return false;
  }
}

// For what a writer of the session before may be reading, who does not mind the value that was
// there already; but a race detector does.
template <typename T>
void set(T& variable, T value) {
  if (!BAREFXT_THREAD_SANITIZER_ || variable != value) variable = value;
}

// Clears the ring's segments and opens the first; with `same_memory`, segments that an interrupted
// writer of the session before may still store into are left alone.
void open_ring(Ring& ring, uint32_t cpu, wire::Mode mode, uint8_t* memory, uint32_t segments,
               bool same_memory) {
  set(ring.memory, memory);
  set(ring.segments, segments);
  set(ring.cpu, cpu);
  ring.mode_number = static_cast<uint8_t>(mode);
  if constexpr (kTriggers) ring.stop_at.store_relaxed(0);
  if constexpr (has_mode(wire::Mode::kStreaming)) {
    ring.records_drained.clear();
    ring.bytes_drained.clear();
  }
  ring.records_lost.clear();
  ring.bytes_lost.clear();
  register_cpu_thread(ring.cpu_thread, cpu);
  ring.set_current(ring.cpu_thread);
  set(ring.switch_header, switch_bits::header_of_cpu(cpu));

  uint32_t first = segments;
  for (uint32_t slot = 0; slot < segments; ++slot) {
    SegmentHeader& segment = ring.segment(slot);
    if (same_memory && !take_over(segment)) continue;
    clear(segment);
    if (first == segments)
      first = slot;
    else
      segment.state.store_release(static_cast<uint32_t>(SegmentState::kFree));
  }

  const PositionWord before = ring.position.load_relaxed();
  if (first == segments) {
    ring.position.store_release(Position::closed(before, Position::kFull));
    return;
  }
  SegmentHeader& open = ring.segment(first);
  open.capture.store_relaxed(barefxt_descriptor.capture);
  open.cpu = cpu;
  open.checksum = header_checksum(open);
  open.state.store_release(static_cast<uint32_t>(SegmentState::kLive));
  if constexpr (kFunctions) ring.call_base.clear();
  ring.position.store_release((Position::closed(before, 0) & ~Position::kOffsetMask) |
                              (first * PositionWord{kSegmentBytes} + kSegmentHeaderBytes));
}

// Part by part: a copy of the whole would be a call of memcpy.
template <typename Part>
void copy_parts(const barefxt_config& from, barefxt_config& to) {
  using Alias [[gnu::may_alias]] = Part;
  static_assert(sizeof from % sizeof(Part) == 0 && alignof(barefxt_config) >= alignof(Part));
  const auto* source = reinterpret_cast<const Alias*>(&from);
  auto* target = reinterpret_cast<Alias*>(&to);
  for (size_t i = 0; i < sizeof from / sizeof(Part); ++i) target[i] = source[i];
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

// What a slot has held of this session, in records.
struct SlotCount {
  uint32_t finished;
  uint32_t unfinished;
  uint64_t overwritten;
};

// All of it of one moment: a writer that recording was ended under may be overwriting the segment
// yet, and then it is looked at once more. Bounded for the sake of rings that are still written.
SlotCount count_slot(const SegmentHeader& segment) {
  SlotCount count = {0, 0, 0};
  constexpr unsigned kLooks = kOverwrites ? 4 : 1;
  for (unsigned look = 0; look < kLooks; ++look) {
    const SegmentState state = state_of(segment);
    count = {0, 0, 0};
    if (!is_of(segment, barefxt_descriptor.capture)) return count;
    if (holds_records(state)) {
      const SegmentContent content = look_through(segment);
      count.finished = content.finished.records;
      count.unfinished = content.unfinished.records;
    }
    if constexpr (kOverwrites) count.overwritten = overwritten_in(segment, state).records;
    if constexpr (kLooks == 1) break;
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    if (state_of(segment) == state) break;
  }
  return count;
}

SlotCount count_slots(const Ring& ring) {
  SlotCount sum = {0, 0, 0};
  for (uint32_t slot = 0; slot < ring.segments; ++slot) {
    const SlotCount count = count_slot(ring.segment(slot));
    sum.finished += count.finished;
    sum.unfinished += count.unfinished;
    sum.overwritten += count.overwritten;
  }
  return sum;
}

uint32_t count_crossers() {
  uint32_t crossers = 0;
  for (const Ring& ring : rings) crossers += ring.crossers.load_acquire();
  return crossers;
}

uint32_t count_unfinished() {
  const SessionGuard guard;
  if (is_starting()) return 0;
  uint32_t unfinished = count_crossers();
  for (uint32_t cpu = 0; cpu < session.config.cpus; ++cpu)
    unfinished += count_slots(rings[cpu]).unfinished;
  return unfinished;
}

void disable_all() {
  BAREFXT_STORE_RELAXED_(barefxt_enabled_categories, 0);
  if constexpr (kFunctions) rings_of_calls.store_relaxed(nullptr);
}

void enable(uint32_t categories) {
  store_release(barefxt_enabled_categories, categories);
  if constexpr (kFunctions) follow_categories();
}

// While the session is starting.
barefxt_error start_session(const barefxt_config* config) {
  if (config->cpus == 0 || config->cpus > BAREFXT_MAX_CPUS) return BAREFXT_ERROR_CPU_COUNT;
  if (reinterpret_cast<uintptr_t>(config->memory) % fxt::kWordBytes != 0)
    return BAREFXT_ERROR_MISALIGNED;
  const uint32_t cpus = BAREFXT_MAX_CPUS == 1 ? 1 : config->cpus;
  size_t ring_bytes = config->bytes / cpus;
  if (ring_bytes > kMaxRingBytes) ring_bytes = static_cast<size_t>(kMaxRingBytes);
  const auto segments = static_cast<uint32_t>(ring_bytes / kSegmentBytes);
  if (!has_mode(wire_mode(config->mode)) || config->resend_segments > BAREFXT_RESEND_SEGMENTS)
    return BAREFXT_ERROR_LEFT_OUT;
  uint32_t fewest = config->mode == BAREFXT_MODE_ONE_SHOT ? 2 : 3;
  if (config->mode == BAREFXT_MODE_STREAMING) fewest += config->resend_segments;
  if (segments < fewest) return BAREFXT_ERROR_MEMORY_TOO_SMALL;
  if (barefxt_port_counter_frequency() == 0) return BAREFXT_ERROR_COUNTER_RATE;
  if (!counter_ticks()) return BAREFXT_ERROR_COUNTER_STOPPED;
  prepare_retained();
  if (holds_recovered_trace(config->memory, config->bytes)) return BAREFXT_ERROR_HOLDS_OLD_TRACE;

  const barefxt_config& last = session.config;
  const bool same_memory = session.holds_records && last.memory == config->memory &&
                           last.bytes == config->bytes &&
                           (BAREFXT_MAX_CPUS == 1 || last.cpus == config->cpus);
  // One that goes on would take the memory for what it was. (Those that have reserved are the
  // caller's to wait for: the old memory, which tells of them, may be gone by now.)
  if (!same_memory && count_crossers() != 0) return BAREFXT_ERROR_RUNNING;
  if constexpr (kSnapshots) barefxt_snapshot_release();
  if constexpr (has_mode(wire::Mode::kStreaming)) segment_in_dump.store_relaxed(nullptr);
  forget_clock_changes();
  const uint64_t start_ticks = capture_ticks_now();
  describe_session(*config, segments, make_capture_id(start_ticks, ++session.starts), start_ticks);
  if constexpr (kCounterIsPerCpu) store_clock_offsets();
  copy_config(*config, session.config);
  session.holds_records = true;
  free_gone_entries();
  if constexpr (kCallLimits) forget_open_calls();
  auto* memory = static_cast<uint8_t*>(config->memory);
  for (uint32_t cpu = 0; cpu < cpus; ++cpu)
    open_ring(rings[cpu], cpu, wire_mode(config->mode),
              memory + static_cast<size_t>(cpu) * segments * kSegmentBytes, segments, same_memory);
  for (uint32_t cpu = cpus; cpu < BAREFXT_MAX_CPUS; ++cpu) close_ring(rings[cpu], cpu);
  // First: once it runs, who sets categories has the last word, and so has a stop.
  enable(config->categories);
  session.phase.store_release(SessionPhase::kRunning);
  return BAREFXT_OK;
}

}  // namespace

// On m68k no type is aligned to more than two bytes.
void copy_config(const barefxt_config& from, barefxt_config& to) {
  if constexpr (sizeof from % sizeof(uint32_t) == 0)
    copy_parts<uint32_t>(from, to);
  else
    copy_parts<uint16_t>(from, to);
}

uint32_t make_capture_id(uint64_t ticks, uint32_t count) {
  return add_to_checksum(add_to_checksum(kChecksumBasis, &ticks, sizeof ticks), &count,
                         sizeof count);
}

void change_visibly(Atomic<uint32_t>& count, uint32_t by) {
  count.fetch_add_release(by);
  full_fence();
}

bool stop_recording() {
  // Ahead of the rings: else a writer that moves between CPUs would find one ring closed, where
  // nothing is counted any more, and then another that is not.
  disable_all();
  for (Ring& ring : rings) {
    // Closed in the very word that reservations swap: none succeeds from here on.
    const PositionWord last = ring.position.fetch_or(Position::kStopped);
    if (Position::is_closed(last)) continue;
    const auto offset = static_cast<uint32_t>(last & Position::kOffsetMask);
    ring.segment(offset / kSegmentBytes).end.store_release(offset & Position::kSegmentMask);
  }
  const bool is_first =
      session.phase.compare_exchange(SessionPhase::kRunning, SessionPhase::kStopping);
  // Who enables something yet, having seen it run, looks again, and sees now that it does not.
  full_fence();
  disable_all();
  if (!is_first) return false;
  session.stop_ticks = capture_ticks_now();
  session.phase.store_release(SessionPhase::kOver);
  return true;
}

uint64_t stop_ticks() {
  if (session.phase.load_acquire() == SessionPhase::kOver) return session.stop_ticks;
  return capture_ticks_now();
}

}  // namespace barefxt

using namespace barefxt;

extern "C" {

uint32_t barefxt_enabled_categories;
const barefxt_thread barefxt_this_cpu = {0, 0, 0, 0};

barefxt_error barefxt_start(const barefxt_config* config) {
  // Who interrupts this, or comes on another CPU, finds a session that is none yet.
  if (!session.phase.compare_exchange(SessionPhase::kOver, SessionPhase::kStarting))
    return BAREFXT_ERROR_RUNNING;
  const barefxt_error error = is_guarded() ? BAREFXT_ERROR_RUNNING : start_session(config);
  if (error != BAREFXT_OK) session.phase.store_release(SessionPhase::kOver);
  return error;
}

barefxt_error barefxt_rewind(void) {
  if (!session.holds_records) return BAREFXT_ERROR_NEVER_STARTED;
  // A session that somebody else stopped meanwhile does not go on.
  const bool was_running = stop_if_running();
  const barefxt_error error = barefxt_start(&session.config);
  if (error == BAREFXT_OK && !was_running) stop_if_running();
  return error;
}

barefxt_stop_report barefxt_stop(void) {
  const SessionGuard guard;
  const uint32_t phase = session.phase.load_acquire();
  if (phase == SessionPhase::kRunning) stop_recording();
  uint64_t unfinished = 0;
  uint64_t recorded = 0;
  uint64_t lost = 0;
  uint64_t overwritten = 0;
  for (const Ring& ring : rings) {
    // Retained rings may hold anything before the first start; others nothing.
    if (BAREFXT_RETAINED && !session.holds_records) break;
    if (phase == SessionPhase::kStarting) break;
    // First: what a drain takes out meanwhile is missing, rather than there twice.
    if constexpr (has_mode(wire::Mode::kStreaming)) {
      recorded += ring.records_drained.value();
      full_fence();
    }
    const SlotCount count = count_slots(ring);
    unfinished += count.unfinished;
    recorded += count.finished;
    lost += ring.records_lost.value();
    overwritten += count.overwritten;
  }
  // Member by member: to clear the whole first would be a call of memset.
  barefxt_stop_report report;
  report.unfinished_records = static_cast<uint32_t>(unfinished);
  report.recorded_records = recorded;
  report.lost_records = lost;
  report.overwritten_records = overwritten;
  report.cut_texts = texts_cut.load_relaxed();
  return report;
}

void barefxt_crash(void) {
  const SessionGuard guard;
  if (is_running()) stop_recording();
  if (!session.holds_records || is_starting()) return;
  barefxt_port_clean_cache(session.config.memory, session.config.bytes);
  barefxt_port_clean_cache(rings, sizeof rings);
  barefxt_port_clean_cache(thread_table, sizeof thread_table);
  barefxt_port_clean_cache(&barefxt_descriptor, sizeof barefxt_descriptor);
}

bool barefxt_running(void) { return is_running(); }

uint32_t barefxt_unfinished(void) { return count_unfinished(); }

uint32_t barefxt_wait_unfinished(uint64_t ticks) {
  const uint64_t begin = capture_ticks_now();
  uint32_t left = count_unfinished();
  while (left != 0 && capture_ticks_now() - begin < ticks) left = count_unfinished();
  return left;
}

#if BAREFXT_TRIGGERS
void barefxt_trigger(uint32_t segments) {
  const SessionGuard guard;
  if (!is_running()) return;
  if (segments == 0) {
    stop_recording();
    return;
  }
  for (uint32_t cpu = 0; cpu < session.config.cpus; ++cpu) stop_after(rings[cpu], segments);
}
#endif

uint32_t barefxt_session_number(void) { return BAREFXT_LOAD_RELAXED_(session.starts); }

void barefxt_set_categories(uint32_t categories) {
  const SessionGuard guard;
  if (!is_running()) return;
  BAREFXT_STORE_RELAXED_(session.config.categories, categories);
  enable(categories);
  // A stop may have come in between. Either it is seen here, or it disables all behind the line
  // above.
  full_fence();
  if (!is_running()) disable_all();
  // Without switches nobody knows which thread runs: better no thread than the wrong one.
  if ((categories & BAREFXT_CATEGORY_BIT(sched)) == 0)
    for (uint32_t cpu = 0; cpu < session.config.cpus; ++cpu) {
      rings[cpu].set_current(rings[cpu].cpu_thread);
      forget_thread(rings[cpu]);
    }
}

}  // extern "C"

#endif
