// Interrupts by number. Each CPU remembers which are entered, so that an exit closes its own
// interrupt, and one without an entry is ignored.
//
// Interrupts of one CPU come inside each other, and in the middle of these functions. Invariant: a
// context that comes in between leaves the depth as it found it, unless it never leaves. A place is
// taken before it is filled in, so no context fills in another's.

#include <barefxt/config.h>

#if !BAREFXT_DISABLED

#include <barefxt/barefxt.h>
#include <barefxt/event.h>
#include <barefxt/fxt/event.h>
#include <barefxt/fxt/scheduling.h>
#include <barefxt/kernel_hooks.h>
#include <barefxt/ring.h>

namespace barefxt {
namespace {

constexpr uint32_t kDepth = 8;

struct Entered {
  Atomic<uint32_t> number;
  Atomic<const char*> name_bytes;
  Atomic<uint32_t> name_reference;
};
struct alignas(kOneCpu ? alignof(void*) : 64) Interrupts {
  Atomic<uint32_t> depth;
  Atomic<uint32_t> session;
  Entered entered[kDepth];
};
Interrupts interrupts_of[BAREFXT_MAX_CPUS];

// Returns this CPU's interrupts. Those entered before this session began are not in its records,
// and are forgotten.
Interrupts& interrupts() {
  Interrupts& interrupts = interrupts_of[barefxt_port_cpu() & (BAREFXT_MAX_CPUS - 1)];
  const uint32_t session = barefxt_session_number();
  if (interrupts.session.load_relaxed() != session) {
    interrupts.session.store_relaxed(session);
    interrupts.depth.store_relaxed(0);
  }
  return interrupts;
}

// A name that the image has no index for.
[[gnu::noinline, gnu::cold]] void write_of_text(bool is_begin, barefxt_text name, uint32_t number) {
  const barefxt_argument argument = barefxt_arg_u32(BAREFXT_TEXT("irq"), number);
  barefxt_event(is_begin ? BAREFXT_EVENT_DURATION_BEGIN : BAREFXT_EVENT_DURATION_END,
                BAREFXT_THIS_CPU, BAREFXT_TEXT("irq"), name, 0, &argument, is_begin);
}

[[gnu::always_inline]] inline void write_begin(uint32_t number, barefxt_text name) {
  if (name.bytes != nullptr) return write_of_text(true, name, number);
  write_event<Owner::kCpu, Now::kFirst>(
      header_with_name<fxt::EventType::kDurationBegin, 1, 1>(BAREFXT_STRING("irq"), name),
      barefxt_arg_u32(BAREFXT_TEXT("irq"), number).header);
}

[[gnu::always_inline]] inline void write_end(barefxt_text name) {
  if (name.bytes != nullptr) return write_of_text(false, name, 0);
  write_event<Owner::kCpu, Now::kFirst>(
      header_with_name<fxt::EventType::kDurationEnd, 0, 0>(BAREFXT_STRING("irq"), name));
}

// Closes the innermost interrupt.
[[gnu::always_inline]] inline void leave_one(Interrupts& interrupts, uint32_t depth) {
  const Entered& entered = interrupts.entered[depth - 1];
  write_end({entered.name_bytes.load_relaxed(), entered.name_reference.load_relaxed()});
  interrupts.depth.store_relaxed(depth - 1);
}

// Closes the interrupt and those inside it.
[[gnu::noinline]] void leave(Interrupts& interrupts, uint32_t number) {
  uint32_t depth = interrupts.depth.load_relaxed();
  uint32_t place = depth;
  while (place != 0 && interrupts.entered[place - 1].number.load_relaxed() != number) --place;
  if (place == 0) return;
  for (; depth >= place; --depth) leave_one(interrupts, depth);
}

bool has_entered(uint32_t number) {
  const Interrupts& interrupts = barefxt::interrupts();
  for (uint32_t depth = interrupts.depth.load_relaxed(); depth != 0; --depth)
    if (interrupts.entered[depth - 1].number.load_relaxed() == number) return true;
  return false;
}

// A wakeup with one argument, of one word.
void write_wakeup(const barefxt_thread& thread, uint32_t number) {
  constexpr uint32_t kWords = fxt::ThreadWakeup::kFixedWords + 1;
  Reservation reservation;
  if (!reserve_slowly(Owner::kNobody, kWords * fxt::kWordBytes, reservation)) return;
  reservation.words[1] = reservation.ticks;
  reservation.words[2] = BAREFXT_LOAD_PAIRED_(thread.koid);
  reservation.words[3] = barefxt_arg_u32(BAREFXT_TEXT("irq"), number).header;
  reservation.commit(fxt::ThreadWakeup::make(kWords, 1, 0) +
                     (fxt::Word{reservation.ring->cpu} << fxt::ThreadWakeup::Cpu::kFirst));
}

}  // namespace
}  // namespace barefxt

using namespace barefxt;

extern "C" {

void barefxt_interrupt_enter(uint32_t number, barefxt_text name) {
  if (!BAREFXT_ENABLED(irq)) return;
  Interrupts& entered_here = interrupts();
  uint32_t depth = entered_here.depth.load_relaxed();
  if (depth != 0) {
    leave(entered_here, number);
    depth = entered_here.depth.load_relaxed();
    if (depth == kDepth) return;
  }
  entered_here.depth.store_relaxed(depth + 1);
  compiler_barrier();
  Entered& entered = entered_here.entered[depth];
  entered.number.store_relaxed(number);
  entered.name_bytes.store_relaxed(name.bytes);
  entered.name_reference.store_relaxed(name.reference);
  write_begin(number, name);
}

void barefxt_interrupt_exit(uint32_t number) {
  if (!BAREFXT_ENABLED(irq)) return;
  Interrupts& entered_here = interrupts();
  const uint32_t depth = entered_here.depth.load_relaxed();
  // Mostly it is the innermost.
  if (kFastPaths && depth != 0 && entered_here.entered[depth - 1].number.load_relaxed() == number)
    return leave_one(entered_here, depth);
  leave(entered_here, number);
}

void barefxt_thread_wakeup_in_interrupt(const barefxt_thread* thread, uint32_t number) {
  if (!BAREFXT_ENABLED(sched)) return;
  if (number == 0 || has_entered(number)) return barefxt_thread_wakeup(thread);
  write_wakeup(*thread, number);
}

}  // extern "C"

#endif
