// Stacks of open calls, and what is left out.

#include <barefxt/config.h>

#if !BAREFXT_DISABLED

#include <barefxt/barefxt.h>
#include <barefxt/fxt/event.h>
#include <barefxt/ring.h>

#include "call_limits.h"
#include "functions.h"
#include "session.h"

#if !BAREFXT_LINEAR

#if BAREFXT_FUNCTIONS && BAREFXT_CALL_LIMITS

namespace barefxt {

CallLimits call_limits;

namespace {

using fxt::CallRecord;

struct OpenCall {
  uint64_t ticks;
  uint32_t function;
  uint32_t unused;
};
// A thread's stack; its calls follow.
struct Stack {
  uint32_t depth;  // may exceed what there is room for: calls too deep
  uint32_t unused;

  OpenCall* calls() { return reinterpret_cast<OpenCall*>(this + 1); }
};
static_assert(sizeof(Stack) == BAREFXT_CALL_LIMITS_BYTES(1, 0));
static_assert(sizeof(Stack) + sizeof(OpenCall) == BAREFXT_CALL_LIMITS_BYTES(1, 1));

// By one CPU, so that none waits for another's cache line.
struct alignas(BAREFXT_MAX_CPUS > 1 ? 64 : 8) LeftOut {
  Total too_short;
  Total too_deep;
  Total without_end;
};
LeftOut left_out[BAREFXT_MAX_CPUS];
LeftOut& left_out_here() { return left_out[barefxt_port_cpu() & (BAREFXT_MAX_CPUS - 1)]; }

// A hook that is at work on a stack. Limits do not change meanwhile: it may have found that calls
// are recorded, and slept over a stop.
Atomic<uint32_t> hooks_at_work;
class HookAtWork {
 public:
  // Either a change of limits sees this one, or this one sees that nothing was recorded before it.
  HookAtWork() { change_visibly(hooks_at_work, 1); }
  ~HookAtWork() { change_visibly(hooks_at_work, ~uint32_t{0}); }
  HookAtWork(const HookAtWork&) = delete;
  HookAtWork& operator=(const HookAtWork&) = delete;
};

Stack& stack_of(uint32_t thread) {
  const size_t bytes = BAREFXT_CALL_LIMITS_BYTES(1, call_limits.deepest);
  return *reinterpret_cast<Stack*>(call_limits.memory + thread * bytes);
}

// Returns null if the thread has none. A caller that is moved to another CPU in the middle looks
// again: the ring of the CPU before has then seen a switch, and its position is another.
Stack* current_stack() {
  while (true) {
    const auto cpu = barefxt_port_cpu();
    const Ring& ring = ring_of_cpu(cpu);
    const PositionWord position = ring.position.load_acquire();
    const uintptr_t reference = ring.current_reference.load_relaxed();
    if constexpr (!kOneCpu) {
      __atomic_thread_fence(__ATOMIC_ACQUIRE);
      if (barefxt_port_cpu() != cpu || ring.position.load_relaxed() != position) continue;
    }
    const auto index = static_cast<uint32_t>(fxt::Event::Thread::in(reference));
    return index == 0 || index > call_limits.threads ? nullptr : &stack_of(index - 1);
  }
}

void enter(Stack& stack, uint32_t function) {
  const uint32_t depth = BAREFXT_LOAD_RELAXED_(stack.depth);
  BAREFXT_STORE_RELAXED_(stack.depth, depth + 1);
  if (depth >= call_limits.deepest) return left_out_here().too_deep.add(1);
  compiler_barrier();
  OpenCall& call = stack.calls()[depth];
  call.function = function;
  call.ticks = clock_now();
}

void record(uint32_t function, uint64_t begin) {
  constexpr size_t kWords = CallRecord::kLongWords + 1;
  Reservation call;
  if (!reserve_slowly(Owner::kCurrent, kWords * fxt::kWordBytes, call)) return;
  const uint32_t words = call.bytes / fxt::kWordBytes;
  call.words[1] = call.ticks;
  if (kInlineThreads && call.owner_reference == 0) {
    call.words[2] = call.owner_process;
    call.words[3] = call.owner_koid;
  }
  // The second of two CPUs' counters may be behind.
  call.words[words - 1] = begin < call.ticks ? begin : call.ticks;
  call.commit(CallRecord::make_complete(words) | CallRecord::Function::of(function) |
              CallRecord::Thread::of(fxt::Event::Thread::in(call.owner_reference)));
}

void leave(Stack& stack, uint32_t function) {
  const uint32_t depth = BAREFXT_LOAD_RELAXED_(stack.depth);
  if (depth > call_limits.deepest) return BAREFXT_STORE_RELAXED_(stack.depth, depth - 1);
  uint32_t at = depth;
  while (at != 0 && stack.calls()[at - 1].function != function) --at;
  // Entered before the start, or while it was not recorded.
  if (at == 0) return;
  const uint64_t begin = stack.calls()[at - 1].ticks;
  compiler_barrier();
  BAREFXT_STORE_RELAXED_(stack.depth, at - 1);
  if (depth != at) left_out_here().without_end.add(depth - at);
  const uint64_t now = clock_now();
  if (begin <= now && now - begin < call_limits.least_ticks)
    return left_out_here().too_short.add(1);
  record(function, begin);
}

}  // namespace

bool take_limited_call(fxt::Word header) {
  const HookAtWork at_work;
  if (rings_of_calls.load_consume() == nullptr) return true;
  Stack* const stack = current_stack();
  if (stack == nullptr) return false;
  const auto function = static_cast<uint32_t>(CallRecord::Function::in(header));
  const auto action = static_cast<fxt::CallAction>(CallRecord::Action::in(header));
  const bool ends = action == fxt::CallAction::kExit || action == fxt::CallAction::kTailExit;
  ends ? leave(*stack, function) : enter(*stack, function);
  return true;
}

void forget_open_calls() {
  for (uint32_t thread = 0; thread < call_limits.threads; ++thread) stack_of(thread).depth = 0;
  for (LeftOut& cpu : left_out) {
    cpu.too_short.clear();
    cpu.too_deep.clear();
    cpu.without_end.clear();
  }
}

void forget_open_calls_of(uint32_t index) {
  if (index == 0 || index > call_limits.threads) return;
  Stack& stack = stack_of(index - 1);
  const uint32_t depth = BAREFXT_LOAD_RELAXED_(stack.depth);
  if (depth == 0) return;
  left_out_here().without_end.add(depth < call_limits.deepest ? depth : call_limits.deepest);
  BAREFXT_STORE_RELAXED_(stack.depth, 0);
}

}  // namespace barefxt

using namespace barefxt;

extern "C" {

barefxt_error barefxt_limit_calls(const barefxt_call_limits* chosen) {
  if (is_running() || is_guarded() || hooks_at_work.load_acquire() != 0)
    return BAREFXT_ERROR_RUNNING;
  if (chosen == nullptr) {
    call_limits.threads = 0;
    return BAREFXT_OK;
  }
  if (reinterpret_cast<uintptr_t>(chosen->memory) % fxt::kWordBytes != 0)
    return BAREFXT_ERROR_MISALIGNED;
  if (chosen->deepest == 0 || chosen->deepest > 0xffff ||
      chosen->bytes < BAREFXT_CALL_LIMITS_BYTES(1, chosen->deepest))
    return BAREFXT_ERROR_MEMORY_TOO_SMALL;
  call_limits.least_ticks = chosen->least_ticks;
  call_limits.memory = static_cast<uint8_t*>(chosen->memory);
  call_limits.deepest = chosen->deepest;
  // Numbers of 32 bits: some CPUs have no instruction that divides.
  const auto bytes = static_cast<uint32_t>(chosen->bytes);
  const auto each = static_cast<uint32_t>(BAREFXT_CALL_LIMITS_BYTES(1, chosen->deepest));
  constexpr uint32_t kMaxThreads = 255;
  uint32_t threads = 0;
  while (threads < kMaxThreads && (threads + 1) * uint64_t{each} <= bytes) ++threads;
  call_limits.threads = threads;
  forget_open_calls();
  return BAREFXT_OK;
}

barefxt_left_out_calls barefxt_calls_left_out(void) {
  barefxt_left_out_calls sum;
  sum.too_short = 0;
  sum.too_deep = 0;
  sum.without_end = 0;
  sum.open = 0;
  for (const LeftOut& cpu : left_out) {
    sum.too_short += cpu.too_short.value();
    sum.too_deep += cpu.too_deep.value();
    sum.without_end += cpu.without_end.value();
  }
  for (uint32_t thread = 0; thread < call_limits.threads; ++thread) {
    const uint32_t depth = BAREFXT_LOAD_RELAXED_(stack_of(thread).depth);
    sum.open += depth < call_limits.deepest ? depth : call_limits.deepest;
  }
  return sum;
}

}  // extern "C"

#endif

#endif

#endif
