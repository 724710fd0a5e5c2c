// Context switches, "Context switch record" (record type 8).

#include <barefxt/config.h>

#if !BAREFXT_DISABLED

#include <barefxt/barefxt.h>
#include <barefxt/fxt/scheduling.h>
#include <barefxt/ring.h>

#include "open_records.h"
#include "session.h"
#include "switch_bits.h"

#if !BAREFXT_LINEAR

namespace barefxt {
namespace {

using Switch = fxt::LegacyContextSwitch;

#if defined(__thumb__) && !defined(__thumb2__)
constexpr bool kLoadsPairs = false;
#else
constexpr bool kLoadsPairs = true;
#endif

#ifdef __aarch64__
constexpr bool kLoadsPairs64 = true;
#else
constexpr bool kLoadsPairs64 = false;
#endif

constexpr uint32_t kSwitchBytes = Switch::kFixedWords * fxt::kWordBytes;

[[gnu::always_inline]] inline void commit_switch(Reservation& reservation,
                                                 const barefxt_thread& incoming,
                                                 uintptr_t reference, fxt::Word header,
                                                 uintptr_t rest) {
  header = switch_bits::complete(header, rest);
  reservation.ring->set_current(incoming, reference);
  reservation.words[1] = reservation.ticks;
  reservation.commit(header);
}

// Notes the incoming thread of a switch that could not be recorded.
void come_in_unrecorded(Ring& ring, const barefxt_thread& incoming) {
  ring.set_current(incoming);
  forget_thread(ring);
  if constexpr (kEndsRecords) doubt_owners(ring, ring.position.load_acquire());
  forget_late_thread(ring);
}

// A disturbed reservation. It gets the header and not the threads: the fewer values outlive the
// undisturbed one, the fewer registers that has to save.
//
// The order of arguments is the one that takes no moves ahead of the call: on a CPU of 32 bits the
// header takes two registers, and the thread comes in the third.
#if UINTPTR_MAX > 0xffffffff
#define BAREFXT_SLOW_SWITCH_(header, incoming) incoming, header
#else
#define BAREFXT_SLOW_SWITCH_(header, incoming) header, incoming
#endif
BAREFXT_SLOW_PATH_ void write_switch_slowly(BAREFXT_SLOW_SWITCH_(fxt::Word header,
                                                                 const barefxt_thread& incoming)) {
  Reservation reservation;
  if (!reserve_slowly(Owner::kSwitch, kSwitchBytes, reservation))
    return come_in_unrecorded(this_ring(), incoming);
  commit_switch(reservation, incoming, BAREFXT_LOAD_PAIRED_(incoming.reference), header,
                reservation.ring->switch_header);
  forget_late_thread(*reservation.ring);
}

// A thread without an index cannot be recorded: counts the switch as lost.
[[maybe_unused, gnu::noinline, gnu::cold]] void lose_switch(const barefxt_thread& incoming) {
  Ring& ring = this_ring();
  if (!Position::is_stopped(ring.position.load_relaxed())) ring.count_lost(kSwitchBytes);
  come_in_unrecorded(ring, incoming);
}

// A thread without an index, whose koids go into the record.
[[maybe_unused, gnu::noinline, gnu::cold]] void write_switch_inline(
    const barefxt_thread& outgoing, barefxt_thread_state state, const barefxt_thread& incoming) {
  // Read once: a thread may be registered in between, and size and content must agree.
  const uint32_t out = BAREFXT_LOAD_RELAXED_(outgoing.switch_bits);
  const uint32_t in = BAREFXT_LOAD_RELAXED_(incoming.switch_bits);
  const bool inline_outgoing = (out & switch_bits::kHasIndex) == 0;
  const bool inline_incoming = (in & switch_bits::kHasIndex) == 0;
  const uint32_t bytes = kSwitchBytes + (inline_outgoing ? 2 * fxt::kWordBytes : 0) +
                         (inline_incoming ? 2 * fxt::kWordBytes : 0);
  Reservation reservation;
  if (!reserve_slowly(Owner::kSwitch, bytes, reservation)) {
    come_in_unrecorded(this_ring(), incoming);
    return;
  }
  reservation.ring->set_current(incoming);
  fxt::Word* at = reservation.words + 1;
  *at++ = reservation.ticks;
  if (inline_outgoing) {
    *at++ = BAREFXT_LOAD_PAIRED_(outgoing.process);
    *at++ = BAREFXT_LOAD_PAIRED_(outgoing.koid);
  }
  if (inline_incoming) {
    *at++ = BAREFXT_LOAD_PAIRED_(incoming.process);
    *at++ = BAREFXT_LOAD_PAIRED_(incoming.koid);
  }
  reservation.commit(Switch::make(
      bytes / fxt::kWordBytes, reservation.ring->cpu, static_cast<fxt::ThreadState>(state),
      fxt::ThreadRef::index(switch_bits::index(out)), fxt::ThreadRef::index(switch_bits::index(in)),
      switch_bits::priority(out), switch_bits::priority(in)));
#if BAREFXT_END_RECORDS
  if (switch_bits::is_gone(out)) end_records_of_gone(outgoing);
#endif
}

}  // namespace

[[gnu::noinline, gnu::cold]] void leave_unrecorded() {
  if (!is_running()) return;
  Ring& ring = this_ring();
  const bool names_none = ring.current.load_relaxed() == &ring.cpu_thread &&
                          ring.current_reference.load_relaxed() == ring.cpu_thread.reference;
  if (!names_none) forget_late_thread(ring);
}

}  // namespace barefxt

using namespace barefxt;

extern "C" {

void barefxt_context_switch(const barefxt_thread* outgoing, barefxt_thread_state state,
                            const barefxt_thread* incoming) {
  if (!BAREFXT_ENABLED(sched)) {
    // A branch: clang would put the call under a condition, past which each switch has to go.
    __asm__ volatile("");
    return kFastPaths ? leave_unrecorded() : void();
  }
  // GCC copies it otherwise.
  __asm__("" : "+r"(incoming));
  const uintptr_t reference = BAREFXT_LOAD_PAIRED_(incoming->reference);
  const uint32_t in = BAREFXT_LOAD_PAIRED_(incoming->switch_bits);
  const uint32_t out = BAREFXT_LOAD_PAIRED_(outgoing->switch_bits);
  if ((out & in & switch_bits::kHasIndex) == 0) {
    if constexpr (kInlineThreads)
      return write_switch_inline(*outgoing, state, *incoming);
    else
      return lose_switch(*incoming);
  }
  const fxt::Word header = switch_bits::sum(out, state, in);
  Reservation reservation;
  if (!kFastPaths || !try_reserve<Owner::kSwitch, kSwitchBytes>(reservation))
    return write_switch_slowly(BAREFXT_SLOW_SWITCH_(header, *incoming));
  commit_switch(reservation, *incoming,
                kLoadsPairs ? reference : BAREFXT_LOAD_PAIRED_(incoming->reference), header,
                kLoadsPairs64 ? reservation.switch_header : reservation.ring->switch_header);
}

}  // extern "C"

#endif

#endif
