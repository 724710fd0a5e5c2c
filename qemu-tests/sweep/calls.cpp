#include "sweep/calls.h"

#include <barefxt/fxt/event.h>
#include <barefxt/fxt/ring_record.h>
#include <barefxt/fxt/scheduling.h>
#include <barefxt/ring.h>

#include "kernel/board.h"
#include "kernel/categories.h"
#include "kernel/console.h"
#include "kernel/interrupt.h"
#include "sweep/addresses.h"
#include "sweep/place.h"

extern "C" {
// NOLINTBEGIN(bugprone-reserved-identifier)
[[gnu::weak]] void __cyg_profile_func_enter(void* function, void* caller);
[[gnu::weak]] void __cyg_profile_func_exit(void* function, void* caller);
// NOLINTEND(bugprone-reserved-identifier)
}

namespace kernel::sweep {
namespace {

using barefxt::SegmentHeader;
using barefxt::SegmentWalker;
using barefxt::fxt::CallAction;
using barefxt::fxt::CallRecord;
using barefxt::fxt::Word;
using Switch = barefxt::fxt::LegacyContextSwitch;

// Functions that are called, by their distance from the first hook: no other begins in there.
enum Called : uint32_t { kBefore = 1, kInterrupted, kInHandler, kInOtherThread, kCalled };

void call(uint32_t function) {
  auto* const address = reinterpret_cast<uint8_t*>(&__cyg_profile_func_enter) +
                        (uintptr_t{function} << CallRecord::kUnit);
  __cyg_profile_func_enter(address, nullptr);
  __cyg_profile_func_exit(address, nullptr);
}

// What one experiment is done with.
struct Calls {
  const Mode* mode;
  const Place* place;
  bool is_inline;    // the thread has no index
  bool is_warm;      // a call of the same segment came before
  uint32_t room;     // bytes that are left in it, with Room::kExact
  bool is_switched;  // the handler runs another thread meanwhile
};

const Threads& threads_of(const Calls& calls) { return calls.is_inline ? inlined : indexed; }

// ---- What the ring holds

class Look {
 public:
  explicit Look(const Calls& experiment) : threads_(threads_of(experiment)) {
    uint32_t sequence = 0;
    while (const SegmentHeader* segment = next_from(sequence)) {
      has_base_ = false;
      SegmentWalker walker(*segment);
      SegmentWalker::Record record;
      while (walker.next(record)) look_at(record);
      if (walker.bare_reservations() != 0) fail("unfinished");
      sequence = segment->sequence + 1;
    }
    for (const Stack& stack : stacks_)
      if (stack.depth != 0) fail("no_exit");
  }

  const char* wrong = nullptr;
  uint64_t calls = 0;
  uint32_t entries[kCalled][2] = {};  // of each function, in each thread

 private:
  static constexpr uint32_t kDepth = 32;
  struct Stack {
    uint64_t function[kDepth];
    uint32_t depth;
  };

  void fail(const char* what) {
    if (wrong == nullptr) wrong = what;
  }

  static const SegmentHeader* next_from(uint32_t sequence) {
    const SegmentHeader* next = nullptr;
    const barefxt::Ring& ring = barefxt::rings[0];
    for (uint32_t slot = 0; slot < ring.segments; ++slot) {
      const SegmentHeader& segment = ring.segment(slot);
      if (!barefxt::holds_records(barefxt::state_of(segment))) continue;
      if (!barefxt::is_of(segment, capture()) || segment.sequence < sequence) continue;
      if (next == nullptr || segment.sequence < next->sequence) next = &segment;
    }
    return next;
  }

  const barefxt_thread& thread(unsigned which) const {
    return which == 0 ? threads_.running : threads_.of_writer[kInterrupting];
  }
  // By index, or by the koid that stands at `koid`.
  unsigned thread_of(Word index, const Word* koid) {
    for (unsigned which = 0; which < 2; ++which) {
      const Word own = barefxt::fxt::Event::Thread::in(thread(which).reference);
      if (index != 0 ? own == index : own == 0 && *koid == thread(which).koid) return which;
    }
    fail("thread");
    return 0;
  }

  void look_at(const SegmentWalker::Record& record) {
    const Word header = record.words[0];
    if (!record.finished) return fail("unfinished");
    if (is_filler(record.words)) return look_at_time(record.words[1]);
    if (CallRecord::is_call(header)) return look_at_call(record);
    if (barefxt::fxt::RecordHeader::type(header) != barefxt::fxt::RecordType::kScheduling)
      return fail("torn");
    const bool outgoing_is_inline = Switch::OutgoingThread::in(header) == 0;
    look_at_time(record.words[1]);
    thread_ = thread_of(Switch::IncomingThread::in(header),
                        record.words + Switch::kFixedWords + (outgoing_is_inline ? 3 : 1));
  }

  void look_at_call(const SegmentWalker::Record& record) {
    const Word header = record.words[0];
    uint64_t time = (last_long_ & ~CallRecord::Counter::kMax) | CallRecord::Counter::in(header);
    if (CallRecord::is_long(header)) {
      time = last_long_ = record.words[1];
      thread_ =
          thread_of(CallRecord::Thread::in(header), record.words + CallRecord::kLongWords + 1);
      has_base_ = true;
    }
    if (!has_base_) return fail("no_base");
    look_at_time(time);
    ++calls;
    const uint64_t function = CallRecord::Function::in(header);
    Stack& stack = stacks_[thread_];
    if (CallRecord::Action::in(header) == static_cast<Word>(CallAction::kEntry)) {
      if (function < kCalled) ++entries[function][thread_];
      if (stack.depth == kDepth) return fail("too_deep");
      stack.function[stack.depth++] = function;
    } else if (stack.depth == 0) {
      fail("no_entry");
    } else {
      --stack.depth;
      if (stack.function[stack.depth] != function) fail("wrong_exit");
    }
  }

  void look_at_time(uint64_t time) {
    if (time < last_time_) fail("time_runs_back");
    last_time_ = time;
  }

  const Threads& threads_;
  Stack stacks_[2] = {};
  unsigned thread_ = 0;
  bool has_base_ = false;
  uint64_t last_long_ = 0;
  uint64_t last_time_ = 0;
};

// ---- What interrupts

const Calls* running_calls;
Addresses addresses;
uintptr_t struck_at;
uint32_t strikes;

void handle(const board::Interrupt& interrupt) {
  const uintptr_t address = board::interrupted_address();
  if (interrupt.kind == board::InterruptKind::kNone) return;
  board::timer_stop();
  board::interrupt_end(interrupt);
  struck_at = address;
  addresses.add(address);
  ++strikes;
  call(kInHandler);
  if (running_calls->is_switched) {
    const Threads& threads = threads_of(*running_calls);
    const barefxt_thread& other = threads.of_writer[kInterrupting];
    barefxt_context_switch(&threads.running, BAREFXT_STATE_RUNNABLE, &other);
    call(kInOtherThread);
    barefxt_context_switch(&other, BAREFXT_STATE_RUNNABLE, &threads.running);
  }
  call(kInHandler);
}

// One time of it. Null: all is as it should be. `done`: the interrupt came too late.
const char* attempt(const Calls& calls, uint64_t k, bool& done, uint64_t& recorded) {
  barefxt_clock_tick();
  running_calls = &calls;
  strikes = 0;
  go_to(*calls.mode, *calls.place, calls.is_inline ? Runs::kInline : Runs::kIndexed, calls.room);
  barefxt_set_categories(KERNEL_CATEGORIES | BAREFXT_CATEGORY_BIT(function));
  if (calls.is_warm) call(kBefore);
  board::interrupts_enable();
  board::timer_fire_after(k);
  call(kInterrupted);
  done = strikes == 0;
  board::timer_stop();
  board::interrupts_save_and_disable();
  finish_place();
  const barefxt_stop_report report = barefxt_stop();
  const Look look(calls);
  recorded += look.calls;
  if (look.wrong != nullptr) return look.wrong;
  if (report.unfinished_records != 0) return "unfinished";
  if (report.lost_records != 0) return "lost_without_need";
  if (look.entries[kBefore][0] != (calls.is_warm ? 1U : 0U) || look.entries[kInterrupted][0] != 1 ||
      look.entries[kInHandler][0] != 2 * strikes ||
      look.entries[kInOtherThread][1] != (calls.is_switched ? strikes : 0U))
    return "missing";
  return nullptr;
}

bool sweep(const Calls& calls) {
  const char* wrong = nullptr;
  uint64_t recorded = 0;
  uint64_t interrupts = 0;
  uint64_t k = 1;
  for (bool done = false; wrong == nullptr; ++k) {
    wrong = attempt(calls, k, done, recorded);
    if (done) break;
    ++interrupts;
  }
  print("CALLS mode=", calls.mode->name, " place=", calls.place->name, " room=", calls.room,
        " inline=", calls.is_inline ? 1U : 0U, " warm=", calls.is_warm ? 1U : 0U,
        " switched=", calls.is_switched ? 1U : 0U, " interrupts=", interrupts);
  print(" calls=", recorded);
  if (wrong == nullptr)
    print(" result=ok\n");
  else
    print(" result=", wrong, " k=", k - 1, " address=", Hex{struck_at}, "\n");
  return wrong == nullptr;
}

bool in_all_places(Calls calls) {
  bool sound = true;
  for (const Mode& mode : kModes) {
    calls.mode = &mode;
    for (const Place& place : kPlaces) {
      if (!exists_in(place, mode) || place.unfinished != 0 || place.closed || place.loses ||
          place.stops || place.held)
        continue;
      calls.place = &place;
      // For less than a call, one in a word, and one in the long form or two words.
      for (uint32_t room = 8; room <= 24; room += 8) {
        calls.room = room;
        sound = sweep(calls) && sound;
        if (place.room != Room::kExact) break;
      }
    }
  }
  return sound;
}

}  // namespace

bool interrupt_calls() {
  if (&__cyg_profile_func_enter == nullptr) return true;
  interrupt_instead = &handle;
  bool sound = true;
  addresses.clear();
  Calls calls = {};
  for (unsigned which = 0; which < 8; ++which) {
    calls.is_warm = (which & 1) != 0;
    calls.is_switched = (which & 2) != 0;
    calls.is_inline = (which & 4) != 0;
    sound = in_all_places(calls) && sound;
  }
  addresses.print("calls");
  return sound;
}

}  // namespace kernel::sweep
