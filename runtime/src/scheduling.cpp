// Context switches and wakeups, "Context switch record" and the newer thread wakeup (record type
// 8).

#include <barefxt/barefxt.h>
#include <barefxt/fxt/scheduling.h>
#include <barefxt/ring.h>

namespace barefxt {
namespace {

using Switch = fxt::LegacyContextSwitch;

// A thread's word holds what the record says of the outgoing thread, in its place; what it says of
// the incoming one lies 8 bits higher. So a switch of two threads with indices is a sum of words.
// Of each word bit 0, the flag of an index, is too much: Ring::switch_header has that taken off
// already.
constexpr unsigned kIncomingShift = 8;
static_assert(Switch::IncomingThread::kFirst == Switch::OutgoingThread::kFirst + kIncomingShift);
static_assert(Switch::IncomingPriority::kFirst ==
              Switch::OutgoingPriority::kFirst + kIncomingShift);
constexpr uint32_t kSwitchBytes = Switch::kFixedWords * fxt::kWordBytes;

// A thread without an index, whose koids go into the record, or a disturbed reservation.
[[gnu::noinline, gnu::cold]] void write_switch_slowly(const barefxt_thread& outgoing,
                                                      barefxt_thread_state state,
                                                      const barefxt_thread& incoming) {
  // Read once: a thread may be registered in between, and size and content must agree.
  const uint64_t out = __atomic_load_n(&outgoing.word, __ATOMIC_RELAXED);
  const uint64_t in = __atomic_load_n(&incoming.word, __ATOMIC_RELAXED);
  const bool inline_outgoing = (out & kThreadIndexed) == 0;
  const bool inline_incoming = (in & kThreadIndexed) == 0;
  const uint32_t bytes = kSwitchBytes + (inline_outgoing ? 2 * fxt::kWordBytes : 0) +
                         (inline_incoming ? 2 * fxt::kWordBytes : 0);
  Reservation reservation;
  if (!reserve_slowly(Owner::kNobody, bytes, reservation)) {
    this_ring().current.store_relaxed(&incoming);
    return;
  }
  reservation.ring->current.store_relaxed(&incoming);
  fxt::Word* at = reservation.words + 1;
  *at++ = reservation.ticks;
  if (inline_outgoing) {
    *at++ = outgoing.process;
    *at++ = outgoing.koid;
  }
  if (inline_incoming) {
    *at++ = incoming.process;
    *at++ = incoming.koid;
  }
  const auto index = [](uint64_t word) {
    return fxt::ThreadRef::index(static_cast<unsigned>(Switch::OutgoingThread::in(word)));
  };
  const auto priority = [](uint64_t word) {
    return static_cast<uint8_t>(Switch::OutgoingPriority::in(word));
  };
  RecordHeaderWord::commit(reservation.words,
                           Switch::make(bytes / fxt::kWordBytes, reservation.ring->cpu,
                                        static_cast<fxt::ThreadState>(state), index(out), index(in),
                                        priority(out), priority(in)));
}

constexpr uint32_t kWakeupBytes = fxt::ThreadWakeup::kFixedWords * fxt::kWordBytes;

void commit_wakeup(const Reservation& reservation, const barefxt_thread& thread) {
  reservation.words[1] = reservation.ticks;
  reservation.words[2] = thread.koid;
  RecordHeaderWord::commit(
      reservation.words,
      fxt::ThreadWakeup::make(fxt::ThreadWakeup::kFixedWords, 0, reservation.ring->cpu));
}

[[gnu::noinline, gnu::cold]] void write_wakeup_slowly(const barefxt_thread& thread) {
  Reservation reservation;
  if (reserve_slowly(Owner::kNobody, kWakeupBytes, reservation)) commit_wakeup(reservation, thread);
}

}  // namespace
}  // namespace barefxt

using namespace barefxt;

extern "C" {

void barefxt_context_switch(const barefxt_thread* outgoing, barefxt_thread_state state,
                            const barefxt_thread* incoming) {
  if (!BAREFXT_ENABLED(sched)) return;
  const uint64_t out = outgoing->word;
  const uint64_t in = incoming->word;
  Reservation reservation;
  if ((out & in & kThreadIndexed) == 0 || !try_reserve<Owner::kNobody>(kSwitchBytes, reservation))
    return write_switch_slowly(*outgoing, state, *incoming);
  reservation.ring->current.store_relaxed(incoming);
  reservation.words[1] = reservation.ticks;
  RecordHeaderWord::commit(reservation.words,
                           reservation.ring->switch_header + out + (in << kIncomingShift) +
                               Switch::OutgoingState::of(static_cast<uint64_t>(state)));
}

void barefxt_thread_wakeup(const barefxt_thread* thread) {
  if (!BAREFXT_ENABLED(sched)) return;
  Reservation reservation;
  if (!try_reserve<Owner::kNobody>(kWakeupBytes, reservation)) return write_wakeup_slowly(*thread);
  commit_wakeup(reservation, *thread);
}

}  // extern "C"
