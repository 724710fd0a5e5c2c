#include "killed/killing.h"

#include <barefxt/segment.h>

namespace barefxt::killed {
namespace {

BAREFXT_CATEGORY(work, 3);

uint32_t random_states[BAREFXT_MAX_CPUS];
uint32_t opening_ranges[BAREFXT_MAX_CPUS];
barefxt_thread main_threads[BAREFXT_MAX_CPUS];

}  // namespace

barefxt_thread& main_thread(unsigned cpu) { return main_threads[cpu]; }

void seed_random_numbers(uint32_t seed) { random_states[barefxt_port_cpu()] = seed; }
uint32_t random_number() {
  uint32_t& state = random_states[barefxt_port_cpu()];
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  return state;
}
uint32_t random_below(uint32_t limit) { return (random_number() >> 16) * limit >> 16; }

uint32_t& opening_instructions() {
  uint32_t& range = opening_ranges[barefxt_port_cpu()];
  if (range == 0) range = 1200;
  return range;
}

void write_record(uint32_t kind) {
  switch (kind % 7) {
    case 0:
      BAREFXT_INSTANT(work, "plain");
      break;
    case 1:
      BAREFXT_INSTANT(work, "one", BAREFXT_ARG_U32("n", kind));
      break;
    case 2:
      BAREFXT_INSTANT(work, "two", BAREFXT_ARG_U32("n", kind), BAREFXT_ARG_U64("m", 1));
      break;
    case 3:
      BAREFXT_INSTANT(work, "text", BAREFXT_ARG_STRING("s", "0123456789", kind % 11));
      break;
    case 4:
      barefxt_thread_wakeup(&main_thread());
      break;
    case 5:
      barefxt_log("0123456789", kind % 11);
      break;
    default:
      BAREFXT_IRQ_ENTER("interrupt");
  }
}

uint64_t count_all() {
  const Ring& ring = this_ring();
  uint64_t sum = ring.records_lost.value() + ring.records_drained.value();
  for (uint32_t slot = 0; slot < ring.segments; ++slot) {
    const SegmentHeader& segment = ring.segment(slot);
    const SegmentState state = state_of(segment);
    if (!is_of(segment, barefxt_descriptor.capture)) continue;
    sum += overwritten_in(segment, state).records;
    if (!holds_records(state)) continue;
    const SegmentContent content = look_through(segment);
    sum += content.finished.records + content.unfinished.records;
  }
  return sum;
}

uint32_t count_stuck() {
  const Ring& ring = this_ring();
  const SegmentHeader& open = ring.open_segment(ring.position.load_acquire());
  uint32_t count = 0;
  for (uint32_t slot = 0; slot < ring.segments; ++slot) {
    const SegmentHeader& segment = ring.segment(slot);
    const SegmentState state = state_of(segment);
    if (state == SegmentState::kFree || &segment == &open) continue;
    if (state != SegmentState::kLive || !look_through(segment).is_whole) ++count;
  }
  return count;
}

uint32_t count_unfinished_in_open() {
  const Ring& ring = this_ring();
  return look_through(ring.open_segment(ring.position.load_acquire())).unfinished.records;
}

bool is_nearly_full() {
  const PositionWord offset = this_ring().position.load_acquire() & Position::kSegmentMask;
  return !Position::fits(offset + 32, 16);
}

bool has_free_segment() {
  const Ring& ring = this_ring();
  if (Position::is_closed(ring.position.load_acquire())) return false;
  for (uint32_t slot = 0; slot < ring.segments; ++slot)
    if (state_of(ring.segment(slot)) == SegmentState::kFree) return true;
  return false;
}

}  // namespace barefxt::killed
