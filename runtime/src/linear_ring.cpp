// Reserving and writing in a ring that is one run of memory, see linear.h.

#include <barefxt/config.h>

#if !BAREFXT_DISABLED

#include <barefxt/barefxt.h>
#include <barefxt/event.h>
#include <barefxt/fxt/scheduling.h>

#include "linear.h"
#include "switch_bits.h"

#if BAREFXT_LINEAR

namespace barefxt {

BAREFXT_ALIGNED_RINGS_ Ring rings[1];

namespace {

using linear::Place;

// A record that finds no room ends recording for good, so that all losses are one gap, at the end.
// A record that cannot be expressed does not end it.
[[gnu::noinline, gnu::cold]] void lose(uint32_t bytes, PositionWord closes, Ring& ring) {
  const PositionWord last = ring.position.fetch_or(closes);
  if (Place::is_stopped(last)) return;
  ring.records_lost.add(1);
  ring.bytes_lost.add(bytes);
}

// The offset of a record between these positions. Clang keeps the mask of a second offset in a
// literal, and GCC the first offset on the stack.
inline uint32_t begin_of(PositionWord position, PositionWord next, uint32_t bytes) {
#ifdef __clang__
  (void)position;
  return Place::offset(next) - bytes;
#else
  (void)next;
  (void)bytes;
  return Place::offset(position);
#endif
}

struct Room {
  fxt::Word* words;
  uint64_t ticks;
  uintptr_t reference;  // the result of `thread_of_record`
};

// Reserves on the undisturbed path and off it. `thread_of_record(ring)` returns the record's bits
// of its thread, 0 if that has no entry in the table. False: the record is lost, and counted unless
// the ring is stopped. It goes round only if another record was reserved in between; the memory has
// room for a bounded number. Whole swaps: between the two halves of one some CPUs allow no store.
template <typename ThreadOfRecord>
[[gnu::always_inline]] inline bool reserve(Ring& ring, uint32_t bytes, Room& room,
                                           ThreadOfRecord thread_of_record) {
  while (true) {
    const PositionWord position = ring.position.load_acquire();
    room.reference = thread_of_record(ring);
    const PositionWord next = position + (bytes + Place::kOneRecord);
    if (room.reference == 0 || Place::offset(next) > ring.memory_bytes) {
      lose(bytes, room.reference != 0 ? Place::kFull : 0, ring);
      return false;
    }
    room.words = reinterpret_cast<fxt::Word*>(ring.memory + begin_of(position, next, bytes));
    room.ticks = clock_now();
    if (!ring.position.compare_exchange_weak(position, next)) continue;
    RecordHeaderWord::place(room.words, bytes);
    return true;
  }
}

// A switch's upper half has the index of the thread that comes in, which is never 0.
constexpr bool is_switch(fxt::Word header) {
  return fxt::RecordHeader::type(header) == fxt::RecordType::kScheduling;
}
static_assert(fxt::LegacyContextSwitch::IncomingThread::kFirst >= 32);

}  // namespace

void count_finished() { rings[0].finished.fetch_add_release(1); }

// A switch's word is the thread that comes in, by its address.
void write_short(fxt::Word header, fxt::Word word) {
  const auto bytes =
      static_cast<uint32_t>(fxt::RecordHeader::SizeWords::in(header)*fxt::kWordBytes);
  Ring& ring = linear::the_ring();
  Room room;
  const bool has_room = reserve(ring, bytes, room, [header](const Ring& where) -> uintptr_t {
    return is_switch(header) ? static_cast<uint32_t>(header >> 32) : linear::thread_of(where);
  });
  const auto* const incoming =
      reinterpret_cast<const barefxt_thread*>(static_cast<uintptr_t>(word));
  if (!has_room) {
    if (is_switch(header)) ring.set_current(*incoming);
    return;
  }
  if (is_switch(header))
    ring.set_current(*incoming);
  else
    header |= room.reference;
  room.words[1] = room.ticks;
  if (bytes > 2 * fxt::kWordBytes) room.words[2] = word;
  RecordHeaderWord::store_committed(room.words, header);
  ring.finished.fetch_add_release(1);
}

bool reserve_slowly(Owner owner, uint32_t bytes, Reservation& reservation, uint32_t) {
  // Functions without a probe check no category. Before the start no thread is known.
  if (Place::is_stopped(rings[0].position.load_acquire())) return false;
  if (bytes > kMaxRecordBytes) {
    lose(bytes, 0, rings[0]);
    return false;
  }
  Room room;
  const auto thread_of_record = [owner](const Ring& ring) -> uintptr_t {
    if (owner == Owner::kNobody) return 1;
    return owner == Owner::kCurrent ? linear::thread_of(ring) : linear::kCpuThreadReference;
  };
  if (!reserve(rings[0], bytes, room, thread_of_record)) return false;
  reservation.words = room.words;
  reservation.ticks = room.ticks;
  reservation.ring = rings;
  reservation.owner_reference = room.reference;
  reservation.bytes = bytes;
  return true;
}

}  // namespace barefxt

using namespace barefxt;

extern "C" void barefxt_context_switch(const barefxt_thread* outgoing, barefxt_thread_state state,
                                       const barefxt_thread* incoming) {
  if (!BAREFXT_ENABLED(sched)) return;
  const uint32_t out = BAREFXT_LOAD_PAIRED_(outgoing->switch_bits);
  const uint32_t in = BAREFXT_LOAD_PAIRED_(incoming->switch_bits);
  fxt::Word header = switch_bits::sum(out, state, in);
  // Without an upper half if one of them has no entry.
  static_assert(switch_bits::kHasIndex == uint32_t{1} << 31);
  const auto both_have = static_cast<uint32_t>(static_cast<int32_t>(out & in) >> 31);
  header &= fxt::Word{both_have} << 32 | 0xffffffff;
  write_short(header, reinterpret_cast<uintptr_t>(incoming));
}

#endif

#endif
