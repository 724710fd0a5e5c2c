#include <barefxt/config.h>

#if !BAREFXT_DISABLED

#include <barefxt/barefxt.h>
#include <barefxt/ring.h>

#include "call_limits.h"
#include "cut_text.h"
#include "descriptor.h"
#include "functions.h"
#include "held_segments.h"
#include "open_records.h"
#include "recover.h"
#include "retained.h"
#include "self_test.h"
#include "session.h"
#include "string_table.h"
#include "switch_bits.h"
#include "thread_table.h"
#include "write_back.h"

#if !BAREFXT_LINEAR

namespace barefxt {

Session session;

namespace {

bool is_starting() { return session.phase.load_acquire() == SessionPhase::kStarting; }

bool stop_if_running() {
  const SessionGuard guard;
  return is_running() && stop_recording();
}

// All but its state, which marks it as the caller's.
void clear(SegmentHeader& segment) {
  segment.capture.store_relaxed(0);
  clear_words(segment, fxt::kWordBytes, kSegmentBytes);
}

// Makes a segment of the session before the caller's, by swaps, since writers of that session may
// still be at work on it: on another CPU, or below the caller. False: it is left as it is. One that
// was interrupted owns it, and gives it back, clean, when it goes on; or may still store into it.
bool take_over(SegmentHeader& segment) {
  constexpr unsigned kMaxLooks = 64;
  for (unsigned i = 0; BAREFXT_SMALL || i < kMaxLooks; ++i) {
    const SegmentState state = state_of(segment);
    if (state == SegmentState::kClaimed || state == SegmentState::kLeaving) return false;
    if (!swap_state(segment, state, SegmentState::kClaimed)) continue;
    // One that crosses from it or to it may not be done, either.
    if (state == SegmentState::kFree || look_through(segment).is_whole) return true;
    // By a swap as well: a writer that prepared it and lost the race to open it gives it back
    // without asking, and then it is free.
    swap_state(segment, SegmentState::kClaimed, SegmentState::kRetired);
    return false;
  }
  return false;
}

// Sets a variable that a writer of the session before may be reading. A store of the same value
// does not matter to that writer; but a race detector reports it.
template <typename T>
void set(T& variable, T value) {
  if (!BAREFXT_THREAD_SANITIZER_ || variable != value) variable = value;
}

// Clears the ring's segments and opens the first; with `leaves_to_writers`, segments that an
// interrupted writer of the session before may still store into are left alone.
void open_ring(Ring& ring, uint32_t cpu, wire::Mode mode, uint8_t* memory, uint32_t segments,
               bool leaves_to_writers) {
  set(ring.memory, memory);
  set(ring.segments, segments);
  set(ring.cpu, cpu);
  ring.mode_number = static_cast<uint8_t>(mode);
  if constexpr (kCleanCaches) ring.is_marked = session.cleans_caches;
  if constexpr (kTriggers) ring.stop_at.store_relaxed(0);
  if constexpr (has_mode(wire::Mode::kStreaming)) {
    ring.records_drained.clear();
    ring.bytes_drained.clear();
  }
  ring.records_lost.clear();
  ring.bytes_lost.clear();
  register_cpu_thread(ring.cpu_thread, cpu);
  ring.set_current(ring.cpu_thread);
  set(ring.switch_header, uintptr_t{switch_bits::header_of_cpu(cpu)});

  uint32_t first = segments;
  for (uint32_t slot = 0; slot < segments; ++slot) {
    SegmentHeader& segment = ring.segment(slot);
    if (leaves_to_writers && !take_over(segment)) continue;
    clear(segment);
    if (first == segments)
      first = slot;
    else
      segment.state.store_release(static_cast<uint32_t>(SegmentState::kFree));
  }
  ring.note_end_of_claim();

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
#if BAREFXT_END_RECORDS
  forget_open_records(ring);
#endif
  ring.position.store_release((Position::closed(before, 0) & ~Position::kOffsetMask) |
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

// Records that a slot has held in this session.
struct SlotCount {
  // Member by member: to clear the whole would be a call of memset.
  SlotCount() : finished(0), unfinished(0), open(0), overwritten(0) {}

  uint64_t finished;
  uint32_t unfinished;
  uint32_t open;  // unfinished ones of any session: a writer may still store into them
  uint64_t overwritten;
};

// Counts a slot as of one moment. A writer that recording was ended under may still be overwriting
// the segment; then the slot is looked at once more, a bounded number of times for rings that are
// still written. In a ring that `is_closed` the last reservations are known only once a writer has
// stored their end; until then one is counted as open.
SlotCount count_slot(const SegmentHeader& segment, bool is_closed) {
  SlotCount count;
  constexpr unsigned kLooks = kOverwrites ? 4 : 1;
  for (unsigned look = 0; look < kLooks; ++look) {
    // Loaded before the state: it identifies the segment among those with this slot and state.
    uint32_t sequence = 0;
    if constexpr (kOverwrites) {
      sequence = segment.sequence;
      __atomic_thread_fence(__ATOMIC_ACQUIRE);
    }
    const SegmentState state = state_of(segment);
    count.finished = 0;
    count.unfinished = 0;
    count.open = 0;
    count.overwritten = 0;
    const bool is_ours = is_of(segment, barefxt_descriptor.capture);
    // A claimed one is empty, and its owner is a crosser, or the drain.
    if (holds_records(state) || state == SegmentState::kRetired) {
      const SegmentContent content = look_through(segment);
      count.open = content.unfinished.records;
      if (is_closed && !content.is_whole && count.open == 0) count.open = 1;
      if (is_ours && state != SegmentState::kRetired) {
        count.finished = content.finished.records;
        count.unfinished = content.unfinished.records;
      }
    }
    if constexpr (kOverwrites)
      if (is_ours) count.overwritten = overwritten_in(segment, state).records;
    if constexpr (kLooks == 1) break;
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    if (state_of(segment) == state && segment.sequence == sequence) break;
  }
  return count;
}

// Adds up what the rings hold. Returns the writers that may still store into them: what is open,
// and crossers. In this order: a crosser that is done by now has left what it reserved.
[[gnu::noinline]] uint32_t count_rings(SlotCount& sum) {
  uint32_t writers = 0;
  for (const Ring& ring : rings) writers += crossers_of(ring);
  for (const Ring& ring : rings) {
    const bool is_closed = Position::is_closed(ring.position.load_acquire());
    for (uint32_t slot = 0; slot < ring.segments; ++slot) {
      const SlotCount count = count_slot(ring.segment(slot), is_closed);
      sum.finished += count.finished;
      sum.unfinished += count.unfinished;
      sum.overwritten += count.overwritten;
      writers += count.open;
    }
  }
  return writers;
}

bool is_stopping() { return session.phase.load_acquire() == SessionPhase::kStopping; }

// The same after the session. A look that began when it was over, and found no writer, is the last:
// there never will be one. With a SessionGuard, or by the start.
uint32_t count_writers(SlotCount& sum) {
  const bool was_over = !is_running() && !is_stopping();
  const uint32_t writers = count_rings(sum);
  if (was_over) session.writers = writers;
  return writers;
}

uint32_t count_unfinished() {
  const SessionGuard guard;
  if (!session.holds_records || session.writers_are_gone) return 0;
  // While the rings change it is what the start found ahead of that.
  if (is_starting()) return session.writers;
  SlotCount sum;
  return count_writers(sum);
}

void disable_all() {
  BAREFXT_STORE_RELAXED_(barefxt_enabled_categories, 0);
  if constexpr (kFunctions) lead_calls(false);
}

void enable(uint32_t categories) {
  store_release(barefxt_enabled_categories, categories);
  if constexpr (kFunctions) follow_categories();
}

// Without switches the running thread is unknown: better no thread than the wrong one. A switch
// under way on another CPU stores its thread within moments; the looks wait that long. A switch
// that this call interrupted stores its thread later, unless it loses its swap: between the two lie
// 6 instructions on AArch64, 8 on Cortex-M3 and 9 on RV64. The next switch of that CPU looks once
// more (leave_unrecorded), and so does a writer that opens a segment, for kernels that report no
// switch meanwhile. To look behind the store itself would take each switch 2 instructions more on
// AArch64, and 3 on Cortex-M3 and RV64.
void forget_all_threads() {
  for (Ring& ring : rings) {
    // Swaps from a position that was loaded before fail.
    ring.position.fetch_add_release(Position::kSequenceUnit);
    ring.set_current(ring.cpu_thread);
  }
  if constexpr (kOneCpu) return;
  constexpr unsigned kLooks = 256;
  for (unsigned look = 0; look < kLooks; ++look)
    for (Ring& ring : rings) forget_late_thread(ring);
}

// A chip may start to record at the same tick in each boot. The memory's first bytes differ if they
// were not initialised, or hold records of an earlier boot.
uint32_t what_boots_differ_in(const barefxt_config& config) {
  constexpr size_t kBytes = 512;
  static_assert(kBytes <= kSegmentBytes);
  uint32_t number = boots_since_power_on();
#ifdef BAREFXT_PORT_ENTROPY
  number += barefxt_port_entropy();
#endif
  return add_to_checksum(number, config.memory, kBytes);
}

// Switches are not recorded while the category is off: the owners of records are unknown.
[[maybe_unused]] void doubt_all_owners() {
  for (Ring& ring : rings) doubt_owners(ring, ring.position.load_acquire());
}

// Nor were they before, and something may have been reserved since the ring was opened.
[[maybe_unused]] void doubt_first_owners(uint32_t categories) {
  for (Ring& ring : rings) {
    const PositionWord position = ring.position.load_acquire();
    if (Position::is_closed(position)) continue;
    if ((categories & BAREFXT_CATEGORY_BIT(sched)) == 0 || !has_no_record(ring, position))
      doubt_owners(ring, position);
  }
}

// While the session is starting. A rewind keeps the names that the start before copied.
barefxt_error start_session(const barefxt_config* config, bool keeps_names) {
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
  if (const barefxt_error error = test_counter(*config)) return error;
  prepare_retained();
  if (holds_recovered_trace(config->memory, config->bytes)) return BAREFXT_ERROR_HOLDS_OLD_TRACE;
  if (const barefxt_error error = test_memory(*config)) return error;

  const barefxt_config& last = session.config;
  const bool same_memory = session.holds_records && last.memory == config->memory &&
                           last.bytes == config->bytes &&
                           (BAREFXT_MAX_CPUS == 1 || last.cpus == config->cpus);
  // A writer that goes on stores into the memory that it found. If no writer is left, the search is
  // skipped: the memory may be somebody else's by now.
  if (session.holds_records && session.writers != 0) {
    SlotCount sum;
    count_writers(sum);
  }
  if (!same_memory && session.writers != 0) return BAREFXT_ERROR_RUNNING;
  const bool leaves_to_writers = same_memory && !session.writers_are_gone;
  session.writers_are_gone = false;
  if constexpr (kSnapshots) barefxt_snapshot_release();
  if constexpr (has_mode(wire::Mode::kStreaming)) segment_in_dump.store_relaxed(nullptr);
  forget_clock_changes();
  const uint64_t start_ticks = capture_ticks_now();
  const uint32_t before =
      session.holds_records ? barefxt_descriptor.capture : what_boots_differ_in(*config);
  ++session.starts;
  describe_session(
      *config, segments,
      make_capture_id(before + static_cast<uint32_t>(config->wall_clock_ns), start_ticks),
      start_ticks, keeps_names);
  if constexpr (kCounterIsPerCpu) store_clock_offsets();
  copy_config(*config, session.config);
  if constexpr (kCleanCaches) session.cleans_caches = config->clean_caches;
  // Copied, and the caller's no more.
  session.config.target = nullptr;
  session.config.build_id = nullptr;
  session.holds_records = true;
  free_gone_entries();
  if constexpr (kCallLimits) forget_open_calls();
  auto* memory = static_cast<uint8_t*>(config->memory);
  for (uint32_t cpu = 0; cpu < cpus; ++cpu)
    open_ring(rings[cpu], cpu, wire_mode(config->mode),
              memory + static_cast<size_t>(cpu) * segments * kSegmentBytes, segments,
              leaves_to_writers);
  for (uint32_t cpu = cpus; cpu < BAREFXT_MAX_CPUS; ++cpu) close_ring(rings[cpu], cpu);
  if constexpr (kCleanCaches) {
    if (writes_back()) write_back_all();
    publish_description();
    write_back(barefxt_descriptor);
  }
  // First: once it runs, a context that sets categories has the last word, and so has a stop.
  enable(config->categories);
  if constexpr (kEndsRecords) doubt_first_owners(config->categories);
  session.phase.store_release(SessionPhase::kRunning);
  return BAREFXT_OK;
}

// Continues the wall clock of the last start; 0 if that was unknown.
uint64_t wall_clock_now() {
  const Descriptor& trace = barefxt_descriptor;
  if (trace.wall_clock_ns == 0) return 0;
  return trace.wall_clock_ns +
         scale(capture_ticks_now() - trace.start_ticks, 1000000000, trace.ticks_per_second);
}

barefxt_error start_session_afresh(const barefxt_config* config) {
  if (lacks_build_id(*config)) return BAREFXT_ERROR_NO_BUILD_ID;
  return start_session(config, false);
}
// As before, by the categories of now.
barefxt_error start_session_again(const barefxt_config*) {
  barefxt_config config;
  copy_config(session.config, config);
  config.wall_clock_ns = wall_clock_now();
  return start_session(&config, true);
}

// By one of these two, so that an image without rewinds has nothing of theirs.
using Begin = barefxt_error (*)(const barefxt_config* config);
barefxt_error start(Begin begin, const barefxt_config* config) {
  // Contexts that interrupt this, or that come on another CPU, find no session yet.
  if (!session.phase.compare_exchange(SessionPhase::kOver, SessionPhase::kStarting))
    return BAREFXT_ERROR_RUNNING;
  const barefxt_error error = is_guarded() ? BAREFXT_ERROR_RUNNING : begin(config);
  if constexpr (kReportsRefusals) session.refused = error;
  if (error != BAREFXT_OK) session.phase.store_release(SessionPhase::kOver);
  return error;
}

}  // namespace

// Part by part: copying the whole would call memcpy. By halfwords, since m68k aligns no type to
// more. The type is no template's parameter: GCC ignores may_alias there, and takes the copy for
// uninitialized.
void copy_config(const barefxt_config& from, barefxt_config& to) {
  using Part [[gnu::may_alias]] = uint16_t;
  static_assert(sizeof from % sizeof(Part) == 0 && alignof(barefxt_config) >= alignof(Part));
  const auto* source = reinterpret_cast<const Part*>(&from);
  auto* target = reinterpret_cast<Part*>(&to);
  for (size_t i = 0; i < sizeof from / sizeof(Part); ++i) target[i] = source[i];
}

uint32_t make_capture_id(uint32_t before, uint64_t ticks) {
  return add_to_checksum(before, &ticks, sizeof ticks);
}

void change_visibly(Atomic<uint32_t>& count, uint32_t by) {
  count.fetch_add_release(by);
  full_fence();
}

bool stop_recording() {
  // Ahead of the rings: otherwise a writer that moves between CPUs would find one ring closed, in
  // which nothing is counted any more, and then another that is not.
  disable_all();
  for (Ring& each : rings) {
    // By a pointer from here on, as in try_reserve.
    Ring* address = &each;
    __asm__("" : "+r"(address));
    Ring& ring = *address;
    // Closed in the very word that reservations swap: none succeeds from here on.
    const PositionWord last = ring.position.fetch_or(Position::kStopped);
    // No switch is recorded any more, and the thread's memory may be another's soon. A switch below
    // this call, or on another CPU, may store its thread later: see forget_running.
    ring.current.store_relaxed(&ring.cpu_thread);
    // Closed before. Not 0: a session runs.
    if ((last & Position::kReasonMask) != 0) continue;
    const auto offset = static_cast<uint32_t>(last & Position::kOffsetMask);
    SegmentHeader& open = ring.segment(offset / kSegmentBytes);
    open.end.store_release(offset & Position::kSegmentMask);
    // All else may be in memory already, by barefxt_clean_for_reader.
    write_back(&open, kSegmentHeaderBytes);
  }
  const bool is_first =
      session.phase.compare_exchange(SessionPhase::kRunning, SessionPhase::kStopping);
  // A context that still enables something, having seen a running session, looks again, and now
  // sees that it is over.
  full_fence();
  disable_all();
  if (!is_first) return false;
  session.stop_ticks = capture_ticks_now();
  session.writers = Session::kNotCounted;
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
  // Ahead of the first swap, which would find a running session if no store succeeds.
  if (kSelfTest && session.phase.load_acquire() == SessionPhase::kOver)
    if (const barefxt_error error = test_cpu(*config)) {
      if constexpr (kReportsRefusals) session.refused = error;
      return error;
    }
  return start(&start_session_afresh, config);
}

barefxt_error barefxt_rewind(void) {
  if (!session.holds_records) return BAREFXT_ERROR_NEVER_STARTED;
  // A session that another context stopped meanwhile does not go on.
  const bool was_running = stop_if_running();
  const barefxt_error error = start(&start_session_again, nullptr);
  if (error == BAREFXT_OK && !was_running) stop_if_running();
  return error;
}

barefxt_stop_report barefxt_stop(void) {
  const SessionGuard guard;
  const uint32_t phase = session.phase.load_acquire();
  if (phase == SessionPhase::kRunning) stop_recording();
  if (session.holds_records && phase != SessionPhase::kStarting) write_back_rings();
  uint64_t drained = 0;
  uint64_t lost = 0;
  SlotCount sum;
  // Retained rings may hold anything before the first start; others nothing.
  if (session.holds_records && phase != SessionPhase::kStarting) {
    for (const Ring& ring : rings) {
      // First: what a drain takes out meanwhile is missing, rather than there twice.
      if constexpr (has_mode(wire::Mode::kStreaming)) drained += ring.records_drained.value();
      lost += ring.records_lost.value();
    }
    if constexpr (has_mode(wire::Mode::kStreaming)) full_fence();
    count_writers(sum);
    if constexpr (kComparesCounters)
      if (session.config.cpus > 1 && !is_stopping()) compare_with_stop();
  }
  // Member by member: to clear the whole first would be a call of memset.
  barefxt_stop_report report;
  report.unfinished_records = sum.unfinished;
  report.recorded_records = sum.finished + drained;
  report.lost_records = lost;
  report.overwritten_records = sum.overwritten;
  report.cut_texts = texts_cut.load_relaxed();
  return report;
}

void barefxt_close(void) { stop_if_running(); }

void barefxt_crash(void) {
  const SessionGuard guard;
  if (is_running()) stop_recording();
  if (!session.holds_records || is_starting()) return;
  write_back_rings(true);
  write_back_all();
}

bool barefxt_running(void) { return is_running(); }

uint32_t barefxt_unfinished(void) { return count_unfinished(); }

barefxt_error barefxt_forget_unfinished(void) {
  if (!session.holds_records) return BAREFXT_OK;
  // The context that stopped it may be among the dead.
  if (session.phase.compare_exchange(SessionPhase::kStopping, SessionPhase::kStarting))
    session.stop_ticks = capture_ticks_now();
  else if (!session.phase.compare_exchange(SessionPhase::kOver, SessionPhase::kStarting))
    return BAREFXT_ERROR_RUNNING;
  session.guards.store_relaxed(0);
  for (Ring& ring : rings) ring.crossers.store_relaxed(0);
#if BAREFXT_END_RECORDS
  forget_crossings();
#endif
  session.writers = 0;
  session.writers_are_gone = true;
  session.phase.store_release(SessionPhase::kOver);
  return BAREFXT_OK;
}

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
    write_back_rings();
    return;
  }
  for (uint32_t cpu = 0; cpu < session.config.cpus; ++cpu) stop_after(rings[cpu], segments);
}
#endif

uint32_t barefxt_session_number(void) { return BAREFXT_LOAD_RELAXED_(session.starts); }

void barefxt_set_categories(uint32_t categories) {
  const SessionGuard guard;
  if (!is_running()) return;
  const uint32_t before = BAREFXT_LOAD_RELAXED_(session.config.categories);
  if ((before & BAREFXT_CATEGORY_BIT(sched)) == 0) forget_all_threads();
  if constexpr (kEndsRecords)
    if ((before & categories & BAREFXT_CATEGORY_BIT(sched)) == 0) doubt_all_owners();
  BAREFXT_STORE_RELAXED_(session.config.categories, categories);
  enable(categories);
  if constexpr (kEndsRecords)
    if ((before & categories & BAREFXT_CATEGORY_BIT(sched)) == 0) doubt_all_owners();
  // A stop may have come in between. Either it is seen here, or it disables all behind the line
  // above.
  full_fence();
  if (!is_running()) disable_all();
  if ((categories & BAREFXT_CATEGORY_BIT(sched)) == 0) forget_all_threads();
}

}  // extern "C"

#endif

#endif
