#include "sweep/place.h"

#include "kernel/categories.h"
#include "kernel/panic.h"
#include "sweep/paths.h"
#include "workload/trace_memory.h"

namespace kernel::sweep {
namespace {

using barefxt::Amount;
using barefxt::kSegmentBytes;
using barefxt::Owner;
using barefxt::Position;
using barefxt::PositionWord;
using barefxt::RecordHeaderWord;
using barefxt::Reservation;
using barefxt::Ring;
using barefxt::fxt::RingRecord;
using barefxt::fxt::RingRecordType;
using barefxt::fxt::Word;

constexpr Word kMark = 0x46494c4c46494c4c;
constexpr uint32_t kMaxUnfinished = 4;

Amount attempted;
Reservation unfinished[kMaxUnfinished];
uint32_t unfinished_count;
Amount lost_by_go_to;
bool holds_snapshot;
uint32_t capture_started;

Ring& ring() { return barefxt::rings[0]; }

uint32_t room() {
  const auto offset =
      static_cast<uint32_t>(ring().position.load_relaxed() & Position::kSegmentMask);
  return kSegmentBytes - static_cast<uint32_t>(sizeof(Word)) - offset;
}

bool reserve(uint32_t bytes, Reservation& reservation) {
  attempted.records += 1;
  attempted.bytes += bytes;
  return barefxt::reserve_slowly(Owner::kNobody, bytes, reservation);
}

void commit(const Reservation& reservation) {
  reservation.words[1] = reservation.ticks;
  reservation.words[2] = kMark;
  RecordHeaderWord::commit(reservation.words, RingRecord::make(RingRecordType::kTimed,
                                                               reservation.bytes / sizeof(Word)));
}

void leave_room(uint32_t bytes) {
  while (room() > bytes) {
    uint32_t filler = room() - bytes;
    constexpr uint32_t kLargest = kSegmentBytes / 2;
    if (filler > kLargest) filler = kLargest - kMinFillerBytes;
    write_filler(filler);
  }
  KERNEL_ASSERT(room() == bytes);
}

void leave_unfinished() {
  Reservation& reservation = unfinished[unfinished_count++];
  KERNEL_ASSERT(reserve(kMinFillerBytes, reservation));
}

}  // namespace

bool is_filler(const Word* words) {
  return RingRecord::is(words[0], RingRecordType::kTimed) && words[2] == kMark;
}

void write_filler(uint32_t bytes) {
  Reservation reservation;
  if (reserve(bytes, reservation)) commit(reservation);
}

void write_filler_at(PositionWord position, uint64_t ticks) {
  attempted.records += 1;
  attempted.bytes += kMinFillerBytes;
  Reservation reservation;
  reservation.words = reinterpret_cast<Word*>(ring().memory + (position & Position::kOffsetMask));
  reservation.ticks = ticks;
  reservation.bytes = kMinFillerBytes;
  RecordHeaderWord::place(reservation.words, reservation.bytes);
  commit(reservation);
}

const Amount& fillers_attempted() { return attempted; }
uint32_t unfinished_by_place() { return unfinished_count; }
const Amount& lost_before() { return lost_by_go_to; }

uint32_t capture() { return capture_started; }

bool cleans_caches = true;

void start_again(const Mode& mode, const Place& place, Runs runs) {
  barefxt_config config = {};
  config.memory = workload::trace_memory;
  config.bytes = size_t{place.segments} * kSegmentBytes;
  config.cpus = 1;
  config.mode = mode.mode;
  config.categories = KERNEL_CATEGORIES;
  config.clean_caches = cleans_caches && mode.mode != BAREFXT_MODE_ONE_SHOT;
  KERNEL_ASSERT(barefxt_start(&config) == BAREFXT_OK);
  attempted = {};
  lost_by_go_to = {};
  unfinished_count = 0;
  switch (runs) {
    case Runs::kIndexed:
      ring().set_current(indexed.running);
      break;
    case Runs::kInline:
      ring().set_current(inlined.running);
      break;
    case Runs::kUnknown:
      ring().current.store_relaxed(nullptr);
      ring().current_reference.store_relaxed(0);
      break;
  }
  const PositionWord position = ring().position.load_relaxed();
  const PositionWord slot = (position & Position::kOffsetMask) / kSegmentBytes;
  capture_started = Position::is_closed(position)
                        ? 0U
                        : ring().segment(static_cast<uint32_t>(slot)).capture.load_relaxed();
}

// The next addition carries, on CPUs with words of 32 bits.
static void let_nearly_carry(barefxt::Total& total) {
  total.add(0x7fffffff);
  total.add(0x7fffffff);
  total.add(1);
}

void go_to(const Mode& mode, const Place& place, Runs runs, uint32_t path_bytes) {
  start_again(mode, place, runs);
  if (place.loses) {
    let_nearly_carry(ring().records_lost);
    let_nearly_carry(ring().bytes_lost);
  }

  if (place.stops) barefxt_trigger(place.full);
  for (uint32_t segment = 0; segment < place.full; ++segment) {
    if (segment < place.unfinished) leave_unfinished();
    // Their writers have not stored the placeholder yet.
    if (segment == 0 && place.unfinished != 0) {
      *unfinished[0].words = 0;
      write_filler(kMinFillerBytes);
      leave_unfinished();
      *unfinished[1].words = 0;
    }
    leave_room(sizeof(Word));
    write_filler(kMinFillerBytes);  // opens the next
  }
  if (place.held) {
    // In a ring of four it holds the segment before the one that was open, so the fourth from here.
    holds_snapshot = barefxt_snapshot() == BAREFXT_OK;
    KERNEL_ASSERT(holds_snapshot);
    for (unsigned segment = 0; segment < 2; ++segment) {
      leave_room(sizeof(Word));
      write_filler(kMinFillerBytes);
    }
  }
  if (place.room == Room::kExact) leave_room(path_bytes);
  if (place.room == Room::kNothing) leave_room(sizeof(Word));
  if (place.closed) {
    const Amount before = attempted;
    write_filler(kMinFillerBytes);
    attempted = before;
  }
  lost_by_go_to = {ring().records_lost.value(), ring().bytes_lost.value()};
}

void finish_place() {
  if (holds_snapshot) barefxt_snapshot_release();
  holds_snapshot = false;
  while (unfinished_count != 0) commit(unfinished[--unfinished_count]);
}

}  // namespace kernel::sweep
