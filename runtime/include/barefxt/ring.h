// One ring per CPU, and how a record is reserved in it and committed.
//
// A ring is a pool of segments and one word, `position`, that is compared and swapped. The word
// holds a sequence number and the byte offset of the next record in the ring's memory (slot and
// offset in one, since segments are a power of two in size). Reserving is:
//
//     load position -> load the current thread -> read the counter -> compare and swap position
//
// A single CPU without compare-and-swap does the same at one go, with interrupts masked. Several
// swap with interrupts masked (RingPosition in position.h).
//
// - The swap succeeds only if no other reservation came in between. So the counter values of a
//   ring's records never decrease (if each CPU has a counter, see is_counter_of). The thread is the
//   one that ran when the time was taken: every switch of threads reserves a record itself, and its
//   first step after that is to store the running thread. Only an NMI within the two or three
//   instructions between can still be taken for the outgoing thread's.
// - A writer that is interrupted anywhere in this sequence loses the swap, if the interrupt wrote a
//   record, and tries again. No writer waits for another.
// - An offset that no record can have, a segment's last word, means that the ring is closed:
//   stopped, or full. So one load answers both where to write and whether writing is allowed.
//
// Then come the placeholder header with the true size, the payload, and the true header with
// release semantics: that store is the commit, and there is no other. Between swap and placeholder
// the words are zero. A walker therefore always knows which records are finished.
//
// A record that does not fit the open segment makes its writer cross: it claims a free segment for
// itself alone, prepares it, and publishes it by the same swap that reserves its record there. It
// gives the segment back if the swap fails. A drain or a snapshot that wants a segment closed
// before it is full does the same with a record of no bytes.
//
// With BAREFXT_LINEAR a ring has no segments and its position another layout (linear.h). The rules
// of the swap and of the commit hold for both.
#pragma once

#include <barefxt/call_base.h>
#include <barefxt/category.h>
#include <barefxt/features.h>
#include <barefxt/position.h>
#include <barefxt/segment.h>
#include <barefxt/types.h>
#include <barefxt/wire/frame.h>
#include <barefxt_port.h>

namespace barefxt {

// Largest ring that a position can address.
inline constexpr uint64_t kMaxRingBytes = Position::kMaxOffset + 1;

// Otherwise each record that a full ring drops, while a writer claims its last segment, costs a
// search of all segments: that is less flash.
inline constexpr bool kNotesClaims = !BAREFXT_SMALL;

struct Ring;
// Writes a ring's totals of losses back to memory, if the session writes back (write_back.h).
void write_back_totals(const Ring& ring);

// No two share a cache line, nor two lines that are fetched together.
struct alignas(BAREFXT_MAX_CPUS > 1 ? 128 : 8) Ring {
  RingPosition position;  // zero: never started
  uint8_t* memory = nullptr;
  // The constant part of this CPU's context switch headers, see switch_bits.h.
  uintptr_t switch_header = 0;
  // The thread that runs on this CPU, or `cpu_thread` if that is not known; and its reference at
  // the time it came in, 0 if it had none.
  Atomic<const barefxt_thread*> current;
  Atomic<uintptr_t> current_reference;
  uint32_t segments = 0;
  uint32_t cpu = 0;
  CallBase call_base;
  Total records_lost;
  Total bytes_lost;
  barefxt_thread cpu_thread = {};  // the pseudo-thread cpu-N
#if BAREFXT_LINEAR
  uint32_t memory_bytes = 0;  // that records may take
  Atomic<uint32_t> finished;  // records
  // Combined with an event's thread: 0, or the bits that turn any of them into the pseudo-thread.
  // See linear::thread_of.
  Atomic<uint32_t> hides_threads;
  uint64_t start_ticks = 0;
  // When it was stopped, in halves; not known while the lower one is 0. See linear::stop_ticks.
  uint32_t stop_ticks_high = 0;
  Atomic<uint32_t> stop_ticks_low;
#else
  // Decides which records a full ring loses. Circular: it overwrites its oldest segment rather than
  // drop the newest record. Streaming: the drain opens it again.
  Relaxed<uint8_t> mode_number;
  // The next boot trusts only the marked part of each segment (write_back.h).
  Relaxed<bool> is_marked;
  // Recording ends, on all CPUs, before the segment with this sequence number is opened; 0: never.
  Atomic<uint32_t> stop_at;
  // Writers that are opening a segment here. Not one count for all rings: CPUs share nothing.
  Atomic<uint32_t> crossers;
  // How often a claimed segment was published or became free (see nothing_free_since).
  Atomic<uint32_t> claims_ended;
  // Totals that only the drain has taken out of the ring.
  Total records_drained;
  Total bytes_drained;

  void note_end_of_claim() {
    if constexpr (kNotesClaims) claims_ended.fetch_add_release(1);
  }
  wire::Mode mode() const {
    return kHasOneMode ? kMinMode : static_cast<wire::Mode>(uint8_t{mode_number});
  }
#endif

  SegmentHeader& segment(uint32_t slot) const {
    return *reinterpret_cast<SegmentHeader*>(memory + static_cast<size_t>(slot) * kSegmentBytes);
  }
  void set_current(const barefxt_thread& thread, uintptr_t reference) {
    current.store_paired(&thread);
    current_reference.store_paired(reference);
  }
  void set_current(const barefxt_thread& thread) {
    if constexpr (kLinear)
      current.store_relaxed(&thread);
    else
      set_current(thread, BAREFXT_LOAD_PAIRED_(thread.reference));
  }
  // The segment that an open position lies in.
  SegmentHeader& open_segment(PositionWord open) const {
    return segment(static_cast<uint32_t>(open & Position::kOffsetMask) / kSegmentBytes);
  }
  [[gnu::noinline, gnu::cold]] void count_lost(uint32_t bytes) {
    records_lost.add(1);
    bytes_lost.add(bytes);
    if constexpr (kCleanCaches) write_back_totals(*this);
  }
};
static_assert(sizeof(Ring) <= 128, "what docs promise a CPU costs");

static_assert((BAREFXT_MAX_CPUS & (BAREFXT_MAX_CPUS - 1)) == 0, "BAREFXT_MAX_CPUS: a power of two");

// Returns true if the open segment, at this position, has no record yet.
inline bool has_no_record(const Ring& ring, PositionWord open) {
  const auto offset = static_cast<uint32_t>(open & Position::kSegmentMask);
  if (offset == kSegmentHeaderBytes) return true;
  return kClockMayChange && offset == kSegmentHeaderBytes + kClockRecordBytes &&
         fxt::RingRecord::is(RecordHeaderWord::load(ring.open_segment(open).first_word()),
                             fxt::RingRecordType::kClock);
}

// Makes the next record start a new segment, unless the open one holds nothing yet. False: there is
// no segment to go on in. Context: any.
bool close_open_segment(Ring& ring);

// Opens a full ring again, in a segment that is free. False: it is not full, or has none. Context:
// any.
bool reopen(Ring& ring);

// Ends recording when the ring would open the segment with this distance from the open one. The
// first call counts. Context: any.
void stop_after(Ring& ring, uint32_t segments);

// Returns the records and bytes that the capture has overwritten in a ring. Exact for each moment,
// also while writers go on.
Amount overwritten(const Ring& ring, uint32_t capture);

// Hidden visibility saves a detour to its address. On AArch64 aligned to the size of all: one
// instruction puts a CPU's number into the address (also in sleds/aarch64.S).
#ifdef __aarch64__
#define BAREFXT_ALIGNED_RINGS_ alignas(BAREFXT_MAX_CPUS * sizeof(barefxt::Ring))
#else
#define BAREFXT_ALIGNED_RINGS_
#endif
BAREFXT_ALIGNED_RINGS_ [[gnu::visibility("hidden")]] extern Ring rings[BAREFXT_MAX_CPUS];

template <typename Number>
[[gnu::always_inline]] inline Ring& ring_of_cpu(Number number) {
#if defined(__aarch64__) && BAREFXT_MAX_CPUS > 1
  static_assert((sizeof(Ring) & (sizeof(Ring) - 1)) == 0);
  constexpr uintptr_t kNumberMask = (BAREFXT_MAX_CPUS - 1) * sizeof(Ring);
  auto address = reinterpret_cast<uintptr_t>(rings);
  // Otherwise compilers see that nothing need be masked, and add.
  __asm__("" : "+r"(address));
  return *reinterpret_cast<Ring*>((address & ~kNumberMask) |
                                  (static_cast<uintptr_t>(number) * sizeof(Ring) & kNumberMask));
#else
  return rings[number & (BAREFXT_MAX_CPUS - 1)];
#endif
}
#if BAREFXT_PORT_LOCKS_
inline bool RingPosition::is_own() const {
  return this == &ring_of_cpu(barefxt_port_cpu()).position;
}
#endif

// The port reads the address of this CPU's ring from memory that a register of the CPU points to.
#if defined(BAREFXT_PORT_RING) && BAREFXT_MAX_CPUS > 1
#define BAREFXT_READS_RING_ 1
inline Ring& this_ring() { return *static_cast<Ring*>(barefxt_port_ring(barefxt_port_own())); }
#else
#define BAREFXT_READS_RING_ 0
inline Ring& this_ring() { return ring_of_cpu(barefxt_port_cpu()); }
#endif

// Returns true if the caller runs on the CPU with this number, which barefxt_port_cpu returned, or
// barefxt_port_own if the port reads the ring's address.
// always_inline: otherwise GCC lays out the caller as if the check remained.
template <typename Number>
[[gnu::always_inline]] inline bool is_on_cpu(Number number) {
#if BAREFXT_READS_RING_
  return barefxt_port_is_own(number);
#elif defined(BAREFXT_PORT_IS_CPU)
  return barefxt_port_is_cpu(number);
#else
  return barefxt_port_cpu() == number;
#endif
}

// A switch of threads at this position of the ring was not recorded. Context: any.
#if BAREFXT_END_RECORDS
void doubt_owners(Ring& ring, PositionWord position);
#else
inline void doubt_owners(Ring&, PositionWord) {}
#endif

// Call it if a thread came in, Ring::current names it, and no record does: later calls of functions
// then name it themselves. Context: any.
inline void forget_thread(Ring& ring) {
  if constexpr (kFunctions || kEndsRecords)
    ring.position.fetch_add_release(Position::kSequenceUnit);
}

// Call it behind any store of an incoming thread that is off the undisturbed path: if the category
// of switches was turned off meanwhile, nothing will record when the thread leaves. Context: any.
inline void forget_late_thread(Ring& ring) {
  if (BAREFXT_ENABLED(sched)) return;
  ring.set_current(ring.cpu_thread);
  forget_thread(ring);
}

// Call it when a thread leaves this CPU and no record is made of that, as the category is off. The
// call that turned it off may have interrupted the switch to that thread right behind its swap, or
// between the two stores. Then the switch has stored the thread since, and until here it ran.
// Context: any.
void leave_unrecorded();

// Returns true if a counter that was read just now is the one of the ring's CPU. If each CPU has
// its own, the caller asks between the read and the swap. A writer that migrated before it read
// starts over, in the ring of its CPU. One that migrates after this may go on: the time it read is
// the ring's CPU's, and its swap succeeds only if nothing was recorded there since, so the order
// holds. A writer that migrates away and back between the two looks is not seen here. But then a
// switch of threads was recorded in this ring (unless that category is off), and the swap fails.
inline bool is_counter_of(const Ring& ring) { return !kCounterIsPerCpu || &this_ring() == &ring; }

// The number of the ring's CPU, for a clock of its own. `cpu` is as for is_on_cpu.
template <typename Number>
[[gnu::always_inline]] inline auto number_of([[maybe_unused]] const Ring& ring,
                                             [[maybe_unused]] Number cpu) {
#if BAREFXT_READS_RING_
  return ring.cpu;
#else
  return cpu;
#endif
}

enum class Owner : uint8_t {
  kNobody,   // the record names no thread, or names them itself
  kCurrent,  // the thread that runs on this CPU
  kCpu,      // the pseudo-thread of this CPU
  // As kNobody, for a switch of threads: its writer stays on its CPU. Equal to kNobody if the
  // difference is not needed.
  kSwitch = kEndsRecords ? 3 : kNobody,
};

constexpr bool names_thread(Owner owner) {
  return owner != Owner::kNobody && owner != Owner::kSwitch;
}
// True: the swap succeeds only on the ring's CPU. That identifies the owner of an unfinished record
// (open_records.h).
constexpr bool reserves_on_own_cpu(Owner owner) {
  return owner == Owner::kCurrent ||
         (kEndsRecords && BAREFXT_MAX_CPUS > 1 && owner != Owner::kSwitch);
}

// The result of a reservation; if that fails, members mean nothing. They have no initializers: the
// compiler could clear them by a call of memset, which an image need not have. Whoever reserves has
// to commit on every way out, or the record stays unfinished for ever: BAREFXT_CHECKS watches that.
struct Reservation {
#if BAREFXT_CHECKS > 1
  fxt::Word* words = nullptr;  // as below, while the record is neither committed nor refused
  ~Reservation() {
    if (words != nullptr) __builtin_trap();
  }
#else
  fxt::Word* words;  // where the record goes; the placeholder stands in the first
#endif
  uint64_t ticks;  // the record's time
  Ring* ring;
  uintptr_t owner_reference;  // of the thread that the record names, in an event's place; 0: inline
  uintptr_t switch_header;    // of the ring, from try_reserve
  uint32_t bytes;             // of the whole record, inline koids included
  uint32_t owner_koid;        // this and the next only where it is inline
  uint32_t owner_process;
  PositionWord segment;  // CallBase::segment_of, from reserve_slowly where calls are recorded

  void commit(fxt::Word header) {
    RecordHeaderWord::commit(words, header);
    if (BAREFXT_CHECKS > 1) words = nullptr;
  }
};

// Reserves off the undisturbed path: contention, crossing, closed rings, threads without an index,
// for whose koids it reserves `inline_words` more. False: the record was dropped, and counted
// unless the ring is stopped.
[[gnu::cold]] bool reserve_slowly(Owner owner, uint32_t bytes, Reservation& reservation,
                                  uint32_t inline_words = 2);

// Puts the clock in force where readers of this ring find it: into the open segment, or first into
// the next one. Does nothing if it never changed. Context: any.
void record_clock(Ring& ring);

// A load and a swap of the position. If the port has a pair of instructions for that, the swap
// fails also if anything came in between, and not only if the position is another now.
#ifdef BAREFXT_PORT_EXCLUSIVES
inline constexpr bool kSwapsExclusively = true;
inline PositionWord begin_swap(const Atomic<PositionWord>& position) {
  return barefxt_port_load_exclusive(position.address());
}
inline bool end_swap(Atomic<PositionWord>& position, PositionWord, PositionWord next) {
  return !barefxt_store_fails(position.address()) &&
         barefxt_port_store_exclusive(position.address(), next);
}
#else
inline constexpr bool kSwapsExclusively = false;
// Loads of the ring behind the swap, such as that of its memory's address, are not taken ahead of
// this load. Between them lies the read of the counter. Ports order it behind loads by an
// instruction that orders later loads behind it, too (isb behind a branch, fence r, ir, lfence).
template <typename Word>
inline PositionWord begin_swap(const Word& position) {
  return position.load_consume();
}
template <typename Word>
inline bool end_swap(Word& position, PositionWord before, PositionWord next) {
#ifdef BAREFXT_PORT_SWAP
  return !barefxt_store_fails(position.address()) &&
         barefxt_port_swap(position.address(), before, next);
#else
  return position.compare_exchange_weak(before, next);
#endif
}
#endif

// The first thing that happens in what was reserved.
inline void begin_record(Ring& ring, PositionWord position, uint32_t bytes,
                         Reservation& reservation) {
  reservation.words = reinterpret_cast<fxt::Word*>(ring.memory + Position::offset(position));
  // For a switch on a machine that loads it and the memory's address by one instruction.
  reservation.switch_header = ring.switch_header;
  reservation.bytes = bytes;
  reservation.ring = &ring;
  RecordHeaderWord::place(reservation.words, bytes);
}

// Without compare-and-swap a swap masks interrupts. If the counter is read by a single load, thread
// and time can be read with interrupts masked, too. Then nothing has to be compared, if no other
// CPU closes the ring meanwhile.
#if !BAREFXT_PORT_LOCKS_
inline constexpr bool kReservesMasked = BAREFXT_MASKS_INTERRUPTS_ && kCounterIsShort;

// try_reserve on such a CPU.
template <Owner owner, uint32_t bytes>
[[gnu::always_inline]] inline bool try_reserve_masked(Reservation& reservation) {
  Ring& ring = rings[0];
  // Ahead of the window, to keep that short: a context that is interrupted here goes on as the same
  // thread.
  if constexpr (names_thread(owner)) {
    reservation.owner_reference = owner == Owner::kCurrent ? ring.current_reference.load_relaxed()
                                                           : ring.cpu_thread.reference;
    if (reservation.owner_reference == 0) return false;
  }
  const uintptr_t interrupts = barefxt_port_interrupt_save();
  const PositionWord position = ring.position.load_relaxed();
  const PositionWord next = position + bytes;
  if (!Position::fits<bytes>(next)) {
    barefxt_port_interrupt_restore(interrupts);
    return false;
  }
  // Stored ahead of the look at the clock, which leaves a register free: these CPUs have few.
  ring.position.store_relaxed(next);
  const uint32_t epoch = clock_epochs[0].load_relaxed();
  const uint32_t counter = ShortCounter::read();
  barefxt_port_interrupt_restore(interrupts);
  reservation.ticks = ShortCounter::extend(epoch, counter);
  begin_record(ring, position, bytes, reservation);
  return true;
}
#endif

// The undisturbed path: reserves `bytes` (whole words) in this CPU's ring, a constant if that is
// given as a template argument. False: nothing has happened yet, and the caller must call
// reserve_slowly. It does so in a tail call, or in a function that is called in one, so that this
// path needs no stack frame. Context: any.
template <Owner owner, uint32_t constant = 0>
[[gnu::always_inline]] inline bool try_reserve(Reservation& reservation,
                                               uint32_t bytes = constant) {
#if !BAREFXT_PORT_LOCKS_
  if constexpr (kReservesMasked && constant != 0)
    return try_reserve_masked<owner, constant>(reservation);
#endif
#if BAREFXT_READS_RING_
  const uintptr_t cpu = barefxt_port_own();
  auto* ring_address = static_cast<Ring*>(barefxt_port_ring(cpu));
#elif defined(BAREFXT_PORT_SCALED_CPU) && BAREFXT_MAX_CPUS > 1
  uint32_t distance;
  BAREFXT_PORT_SCALED_CPU(distance, sizeof(Ring));
  distance &= (BAREFXT_MAX_CPUS - 1) * sizeof(Ring);
  Ring* ring_address = reinterpret_cast<Ring*>(reinterpret_cast<uintptr_t>(rings) + distance);
#elif defined(BAREFXT_PORT_MASKED_CPU) && BAREFXT_MAX_CPUS > 1
  uintptr_t cpu;
  BAREFXT_PORT_MASKED_CPU(cpu, BAREFXT_MAX_CPUS - 1);
  Ring* ring_address = rings + cpu;
#else
  const auto cpu = barefxt_port_cpu();  // as wide as the port's registers
  Ring* ring_address = &ring_of_cpu(cpu);
#endif
  // A pointer from here on: from an array and an index GCC computes each member's address anew.
  __asm__("" : "+r"(ring_address));
  Ring& ring = *ring_address;
#if defined(BAREFXT_PORT_SCALED_CPU) && BAREFXT_MAX_CPUS > 1 && !BAREFXT_READS_RING_
  const uint32_t cpu = ring.cpu;
#endif
  const PositionWord position = begin_swap(ring.position);
  if constexpr (names_thread(owner)) {
    reservation.owner_reference = owner == Owner::kCurrent ? ring.current_reference.load_relaxed()
                                                           : ring.cpu_thread.reference;
    if (reservation.owner_reference == 0) return false;
  }
  // The thread is this CPU's only if the caller still runs here, and so is a counter that each has.
  // If the swap fails where anything came in between, the caller cannot have left since.
  if ((reserves_on_own_cpu(owner) || (kCounterIsPerCpu && kSwapsExclusively)) && !is_on_cpu(cpu))
    return false;
  const PositionWord next = position + bytes;
  if (constant != 0 ? !Position::fits<constant>(next) : !Position::fits(next, bytes)) return false;
  reservation.ticks =
      kSwapsExclusively ? clock_now_unless_interrupted(number_of(ring, cpu)) : clock_now();
  if (!kSwapsExclusively && !is_counter_of(ring)) return false;
  if (!end_swap(ring.position, position, next)) return false;
  begin_record(ring, position, bytes, reservation);
  return true;
}

}  // namespace barefxt
