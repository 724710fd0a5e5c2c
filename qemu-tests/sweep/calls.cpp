#include "sweep/calls.h"

#include <barefxt/ring.h>

#include "kernel/board.h"
#include "kernel/categories.h"
#include "kernel/console.h"
#include "kernel/interrupt.h"
#include "kernel/panic.h"
#include "sweep/addresses.h"
#include "sweep/called.h"
#include "sweep/calls_look.h"
#include "sweep/place.h"

// Only where the runtime records calls.
extern "C" {
[[gnu::weak]] barefxt_error barefxt_limit_calls(const barefxt_call_limits* limits);
[[gnu::weak]] barefxt_left_out_calls barefxt_calls_left_out(void);
[[gnu::weak]] barefxt_error barefxt_functions_patch(uint32_t first, uint32_t last,
                                                    const barefxt_code_access* access);
}

namespace kernel::sweep {
namespace {

struct Limits {
  const char* name;
  uint32_t deepest;  // 0: none
  uint64_t least_ticks;
};
constexpr Limits kNoLimits = {"none", 0, 0};
// All that is recorded as a whole; what is deeper than the first is left out; all are too short.
constexpr Limits kLimits[] = {{"whole", 8, 0}, {"deep", 1, 0}, {"short", 8, UINT64_MAX}};
constexpr uint32_t kDeepest = 8;
constexpr uint32_t kLimitedThreads = 32;
alignas(8) uint8_t open_calls[BAREFXT_CALL_LIMITS_BYTES(kLimitedThreads, kDeepest)];

void limit_calls(const Limits& chosen) {
  barefxt_call_limits limits = {};
  limits.deepest = chosen.deepest;
  limits.least_ticks = chosen.least_ticks;
  limits.memory = open_calls;
  limits.bytes = BAREFXT_CALL_LIMITS_BYTES(kLimitedThreads, chosen.deepest);
  KERNEL_ASSERT(barefxt_limit_calls(chosen.deepest == 0 ? nullptr : &limits) == BAREFXT_OK);
}

// The parts of one experiment.
struct Calls {
  const Way* way;
  const Mode* mode;
  const Place* place;
  const Limits* limits;
  bool is_inline;    // the thread has no index
  bool is_warm;      // a call of the same segment came before
  uint32_t room;     // bytes that are left in it, with Room::kExact
  bool is_switched;  // the handler runs another thread meanwhile
};

const Threads& threads_of(const Calls& calls) { return calls.is_inline ? inlined : indexed; }

// ---- Interrupts

const Calls* running_calls;
Addresses struck_addresses;
uintptr_t struck_at;
uint32_t strikes;

void interrupt_call(const board::Interrupt& interrupt) {
  const uintptr_t address = board::interrupted_address();
  if (interrupt.kind == board::InterruptKind::kNone) return;
  board::timer_stop();
  board::interrupt_end(interrupt);
  struck_at = address;
  struck_addresses.add(address);
  ++strikes;
  const Way& way = *running_calls->way;
  call(way, kCalledByHandler);
  if (running_calls->is_switched) {
    const Threads& threads = threads_of(*running_calls);
    const barefxt_thread& other = threads.of_writer[kInterrupting];
    barefxt_context_switch(&threads.running, BAREFXT_STATE_RUNNABLE, &other);
    call(way, kCalledByOther);
    barefxt_context_switch(&other, BAREFXT_STATE_RUNNABLE, &threads.running);
  }
  call(way, kCalledByHandler);
}

// ---- Experiments

// All calls made, counted by experiments without limits: each function of the kernel that an
// interrupt goes through has its calls, too.
struct Made {
  uint64_t without_interrupt;
  uint64_t with_interrupt;
};

struct CallsOutcome {
  const char* wrong = nullptr;  // null: all is as it should be
  bool is_struck = false;       // else the interrupt came too late
  uint64_t calls = 0;           // that the ring holds
};

bool has_all(const Calls& calls, const CallsLook& look) {
  const uint32_t events = calls.way->events;
  const bool is_within = calls.way->within != Within::kNothing;
  const uint32_t before = (calls.is_warm ? 1U : 0U) + (is_within ? 1U : 0U);
  return look.entries[kCalledBefore][0] == before && look.entries[kCalledInterrupted][0] == 1 &&
         look.entries[kCalledByHandler][0] == 2 * strikes &&
         look.entries[kCalledByOther][1] == (calls.is_switched ? strikes : 0U) &&
         look.events[0] == events && look.events[1] == events;
}

// `made`: null without limits.
CallsOutcome attempt(const Calls& calls, uint64_t k, const Made* made) {
  barefxt_clock_tick();
  running_calls = &calls;
  strikes = 0;
  go_to(*calls.mode, *calls.place, calls.is_inline ? Runs::kInline : Runs::kIndexed, calls.room);
  barefxt_set_categories(KERNEL_CATEGORIES | BAREFXT_CATEGORY_BIT(function));
  if (calls.is_warm) call(*calls.way, kCalledBefore);
  board::interrupts_enable();
  board::timer_fire_after(k);
  call(*calls.way, kCalledInterrupted);
  board::timer_stop();
  board::interrupts_save_and_disable();
  CallsOutcome outcome;
  outcome.is_struck = strikes != 0;
  finish_place();
  const barefxt_stop_report report = barefxt_stop();
  const CallsLook look(threads_of(calls), *calls.way);
  outcome.calls = look.calls;
  outcome.wrong = look.wrong;
  if (outcome.wrong == nullptr && report.unfinished_records != 0) outcome.wrong = "unfinished";
  if (outcome.wrong == nullptr && report.lost_records != 0) outcome.wrong = "lost_without_need";
  const bool all = made == nullptr || calls.is_inline || calls.limits == &kLimits[0];
  if (outcome.wrong == nullptr && all && !has_all(calls, look)) outcome.wrong = "missing";
  if (outcome.wrong != nullptr || made == nullptr) return outcome;
  const barefxt_left_out_calls left = barefxt_calls_left_out();
  if (look.calls + left.too_short + left.too_deep + left.without_end + left.open !=
      (outcome.is_struck ? made->with_interrupt : made->without_interrupt))
    outcome.wrong = "not_accounted_for";
  const uint32_t unended = calls.way->within == Within::kUnended ? 1 : 0;
  if (left.open != 0 || left.without_end != unended) outcome.wrong = "no_end";
  return outcome;
}

Made calls_made(Calls calls) {
  limit_calls(kNoLimits);
  constexpr uint64_t kTooLate = uint64_t{1} << 30;
  Made made = {};
  made.without_interrupt = attempt(calls, kTooLate, nullptr).calls;
  const CallsOutcome struck = attempt(calls, 1, nullptr);
  KERNEL_ASSERT(struck.is_struck);
  made.with_interrupt = struck.calls;
  limit_calls(*calls.limits);
  return made;
}

bool sweep(const Calls& calls, uint32_t every) {
  static uint32_t sweeps;
  const bool is_limited = calls.limits != &kNoLimits;
  Made made = {};
  if (is_limited) made = calls_made(calls);
  const char* wrong = nullptr;
  uint64_t recorded = 0;
  uint64_t interrupts = 0;
  // The first differs from call to call, as in experiment.h.
  uint64_t k = 1 + sweeps++ % every;
  for (; wrong == nullptr; k += every) {
    const CallsOutcome outcome = attempt(calls, k, is_limited ? &made : nullptr);
    wrong = outcome.wrong;
    recorded += outcome.calls;
    if (!outcome.is_struck) break;
    ++interrupts;
  }
  print("CALLS way=", calls.way->name, " mode=", calls.mode->name, " place=", calls.place->name);
  print(" limits=", calls.limits->name, " room=", calls.room, " inline=", calls.is_inline ? 1U : 0U,
        " warm=", calls.is_warm ? 1U : 0U, " switched=", calls.is_switched ? 1U : 0U);
  print(" interrupts=", interrupts, " calls=", recorded);
  if (wrong == nullptr)
    print(" result=ok\n");
  else
    print(" result=", wrong, " k=", k - every, " address=", Hex{struck_at}, "\n");
  return wrong == nullptr;
}

bool in_places(Calls calls, uint32_t every) {
  bool sound = true;
  for (const Place& place : kPlaces) {
    if (!exists_in(place, *calls.mode) || place.unfinished != 0 || place.closed || place.loses ||
        place.stops || place.held)
      continue;
    calls.place = &place;
    // For less than a call, one in a word, and one in the long form or two words.
    for (uint32_t room = 8; room <= 24; room += 8) {
      calls.room = room;
      sound = sweep(calls, every) && sound;
      if (place.room != Room::kExact) break;
    }
  }
  return sound;
}

// Returns true if these limits may hold in such a call.
bool goes_with(const Way& way, unsigned way_number, const Limits& limits) {
  if (way.within == Within::kNothing)
    return way_number == 0 || &limits == &kNoLimits || &limits == &kLimits[0];
  if (&limits == &kNoLimits) return false;
  // A call that is left out for its depth is not found when one around it ends.
  return way.within == Within::kCall || &limits == &kLimits[0];
}

// Every way, in every mode; all but the first, and what has limits, in the one that has all places.
bool sweep_ways(const Limits* limits, unsigned count, uint32_t every) {
  if (!records_calls()) return true;
  interrupt_instead = &interrupt_call;
  bool sound = true;
  struck_addresses.clear();
  const Ways all = ways();
  const bool by_sleds = all.way[0].call != nullptr;
  if (by_sleds) KERNEL_ASSERT(barefxt_functions_patch(1, UINT32_MAX, nullptr) == BAREFXT_OK);
  Calls calls = {};
  for (unsigned limit = 0; limit < count; ++limit) {
    calls.limits = &limits[limit];
    for (unsigned way = 0; way < all.count; ++way) {
      calls.way = &all.way[way];
      if (!goes_with(*calls.way, way, *calls.limits)) continue;
      for (unsigned which = 0; which < 8; ++which) {
        calls.is_warm = (which & 1) != 0;
        calls.is_switched = (which & 2) != 0;
        calls.is_inline = (which & 4) != 0;
        // Calls of a thread without an index have no limits, and those with limits do not ask what
        // came before in the segment.
        if (calls.is_inline && (way != 0 || limit != 0)) continue;
        if (calls.is_warm && calls.limits != &kNoLimits) continue;
        for (const Mode& mode : kModes) {
          calls.mode = &mode;
          if (mode.mode == BAREFXT_MODE_CIRCULAR || (way == 0 && calls.limits == &kNoLimits))
            sound = in_places(calls, every) && sound;
        }
      }
    }
  }
  struck_addresses.print("calls");
  return sound;
}

}  // namespace

bool interrupt_calls(uint32_t every) { return sweep_ways(&kNoLimits, 1, every); }

bool interrupt_limited_calls(uint32_t every) {
  return sweep_ways(kLimits, sizeof kLimits / sizeof kLimits[0], every);
}

}  // namespace kernel::sweep
