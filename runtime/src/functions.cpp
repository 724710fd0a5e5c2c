// The hooks that compilers call at a function's begin and end, with -finstrument-functions: each
// records a call (fxt/ring_record.h) of the running thread.
//
// Recursion is impossible by construction: nothing that a hook calls is instrumented, so no guard
// is needed. The runtime's sources are compiled without the flag, and the code of its headers in
// instrumented files is excluded (barefxt.h, docs/how-to/functions.md).
//
// A call stores less than an event. It has one word if the segment holds the data that the word
// refers to (call_base.h); otherwise the long form, by the careful way of reserving. There is
// nothing in between: with one word the header is all of the record, so it is the first store after
// the reservation as well as the commit. Until then the word is zero, which walkers take for an
// unfinished record.

#include <barefxt/config.h>

#if !BAREFXT_DISABLED

#include <barefxt/category.h>
#include <barefxt/fxt/event.h>
#include <barefxt/ring.h>

#include "call_limits.h"
#include "functions.h"
#include "session.h"

#if !BAREFXT_LINEAR

#if BAREFXT_FUNCTIONS

extern "C" {
// NOLINTNEXTLINE(bugprone-reserved-identifier)
void __cyg_profile_func_exit(void* function, void* caller);
}

namespace barefxt {

Atomic<Ring*> rings_of_calls;

void lead_calls(bool are_recorded) {
  rings_of_calls.store_relaxed(are_recorded ? rings : nullptr);
  if (sleds::kHaveTargets && sleds::set_targets != nullptr) sleds::set_targets(are_recorded);
}

void follow_categories() {
  uint32_t categories = BAREFXT_LOAD_RELAXED_(barefxt_enabled_categories);
  while (true) {
    lead_calls((categories & BAREFXT_CATEGORY_BIT(function)) != 0);
    // Two contexts may change them at once: the last one to look sees the final value.
    full_fence();
    const uint32_t now = BAREFXT_LOAD_RELAXED_(barefxt_enabled_categories);
    if (now == categories) return;
    categories = now;
  }
}

namespace {

using fxt::CallAction;
using fxt::CallRecord;

constexpr uint32_t kBytes = CallRecord::kWords * fxt::kWordBytes;

// `header` is that of the short form, without the counter. With `argument`, unless that is null.
[[gnu::always_inline]] inline void write_long_call(fxt::Word header, const uint64_t* argument) {
  const auto words = static_cast<uint32_t>(CallRecord::kLongWords + (argument != nullptr ? 1 : 0));
  Reservation call;
  if (!reserve_slowly(Owner::kCurrent, words * fxt::kWordBytes, call)) return;
  call.words[1] = call.ticks;
  if (kInlineThreads && call.owner_reference == 0) {
    call.words[2] = call.owner_process;
    call.words[3] = call.owner_koid;
  }
  if (argument != nullptr) call.words[call.bytes / fxt::kWordBytes - 1] = *argument;
  header += CallRecord::SizeWords::of(call.bytes / fxt::kWordBytes - CallRecord::kWords) |
            CallRecord::Thread::of(fxt::Event::Thread::in(call.owner_reference));
  call.commit(header);
  if (!kCallLimits || !are_calls_limited()) call.ring->call_base.set(call.segment, call.ticks);
}
[[maybe_unused, gnu::noinline, gnu::cold]] void record_limited_call(fxt::Word header) {
  if (!take_limited_call(header)) write_long_call(header, nullptr);
}
[[gnu::noinline, gnu::cold]] void record_long_call(fxt::Word header) {
  write_long_call(header, nullptr);
}
// A function of its own, so that neither path needs a stack frame for the other's sake.
[[gnu::noinline, gnu::cold]] void record_disturbed_call(fxt::Word header) {
  if (kCallLimits && are_calls_limited()) return record_limited_call(header);
  record_long_call(header);
}

void commit(fxt::Word* word, fxt::Word header) {
  if constexpr (sizeof(uintptr_t) == sizeof header) {
    store_relaxed(*word, header);
  } else {
    // In halves, and an upper one alone would be no record.
    RecordHeaderWord::place(word, kBytes);
    RecordHeaderWord::commit(word, header);
  }
}

// `header` is that of the short form, without the counter. Context: any.
[[gnu::always_inline]] inline void record_call([[maybe_unused]] Ring* all_rings, fxt::Word header) {
  // As try_reserve, but for what the segment has to hold.
#if BAREFXT_READS_RING_
  const uintptr_t cpu = barefxt_port_own();
  auto* ring_address = static_cast<Ring*>(barefxt_port_ring(cpu));
#else
  const auto cpu = barefxt_port_cpu();
  Ring* ring_address = &all_rings[cpu & (BAREFXT_MAX_CPUS - 1)];
#endif
  __asm__("" : "+r"(ring_address));
  Ring& ring = *ring_address;
  const PositionWord position = begin_swap(ring.position);
  const PositionWord next = position + kBytes;
  if (!kFastPaths || !ring.call_base.serves_segment(next)) return record_disturbed_call(header);
  const uint64_t ticks =
      kSwapsExclusively ? clock_now_unless_interrupted(number_of(ring, cpu)) : clock_now();
  if (!ring.call_base.serves_time(ticks)) return record_disturbed_call(header);
  // The thread that runs on the ring's CPU is the caller's, and so is the counter, only if the
  // caller still runs there.
  if (BAREFXT_MAX_CPUS > 1 && !is_on_cpu(cpu)) return record_disturbed_call(header);
  if (!end_swap(ring.position, position, next)) return record_disturbed_call(header);
  commit(reinterpret_cast<fxt::Word*>(ring.memory + Position::offset(position)),
         header | CallRecord::Counter::low(ticks));
}

// Clang for Thumb saves registers ahead of everything else, unless the code that needs them is
// called. It also makes the return conditional, which takes an instruction of its own, unless it
// cannot.
#if defined(__clang__) && defined(__thumb__)
#define BAREFXT_OF_ITS_OWN_ [[gnu::noinline]]
#define BAREFXT_UNCONDITIONALLY_ __asm__ volatile("")
#else
#define BAREFXT_OF_ITS_OWN_ [[gnu::always_inline]] inline
#define BAREFXT_UNCONDITIONALLY_
#endif
template <CallAction action>
BAREFXT_OF_ITS_OWN_ void record_call(const void* function, Ring* all_rings) {
  record_call(all_rings, short_call(action, function));
}

// Context: any.
template <CallAction action>
[[gnu::always_inline]] inline void record_call(const void* function) {
  Ring* const all_rings = rings_of_calls.load_consume();
  if (__builtin_expect(all_rings == nullptr, 1)) {
    BAREFXT_UNCONDITIONALLY_;
    return;
  }
  record_call<action>(function, all_rings);
}

}  // namespace
}  // namespace barefxt

extern "C" {

// Its address is the anchor: records have the distance of a function from it.
void __cyg_profile_func_enter(void* function, void* /*caller*/) {
  barefxt::record_call<barefxt::fxt::CallAction::kEntry>(function);
}

void __cyg_profile_func_exit(void* function, void* /*caller*/) {
  barefxt::record_call<barefxt::fxt::CallAction::kExit>(function);
}
// NOLINTEND(bugprone-reserved-identifier)

void barefxt_record_sled(uint64_t header) {
  barefxt::Ring* const all_rings = barefxt::rings_of_calls.load_consume();
  if (all_rings != nullptr) barefxt::record_call(all_rings, header);
}

void barefxt_record_sled_argument(uint64_t header, uint64_t argument) {
  if (barefxt::rings_of_calls.load_relaxed() == nullptr) return;
  if (barefxt::kCallLimits && barefxt::are_calls_limited() && barefxt::take_limited_call(header))
    return;
  barefxt::write_long_call(header, &argument);
}

}  // extern "C"

#endif

#endif

#endif
