// Mode "cost": counts the instructions of a record, on a machine whose counter counts them.
//
// QEMU's `-icount` makes an instruction a constant time, which the board knows. A site is a probe
// in a function that has nothing else. It is executed thousands of times, and then a site with the
// same operands and no probe; the difference is the probe's. Before and behind it all registers are
// clobbered: so each does its work from scratch, and both functions save and restore the same.
// Values that a kernel has at hand when it comes to the probe, its operands in registers, are thus
// not counted. Neither is work done once for all the calls of a function: both have one.
//
// Thousands of records each, so that opening a segment now and then is in the figure.
#include "kernel/board.h"
#include "kernel/categories.h"
#include "kernel/console.h"
#include "kernel/panic.h"
#include "kernel/thread.h"
#if BAREFXT_LINEAR
#include "linear/as_after_boot.h"
#endif
#include "workload/cost_c.h"
#include "workload/trace_memory.h"
#include "workload/workload.h"

namespace kernel::workload {
namespace {

// The quotient is a matter of the point. Fewer where a counter's period is short, since no timer
// calls its hook here; and where a ring has room for no more.
constexpr uint32_t kRounds = BAREFXT_PORT_COUNTER_BITS < 32 || BAREFXT_LINEAR ? 2500 : 10000;

// The bytes of all rounds of a probe. Each start clears all of them.
constexpr size_t kRecordedBytes =
    BAREFXT_LINEAR && sizeof trace_memory > 0x20000 ? 0x20000 : sizeof trace_memory;

uintptr_t image_text() { return reinterpret_cast<uintptr_t>(&image_text_start); }

constexpr uint32_t kProcess = 1;
constexpr uint32_t kIndices = 255;
barefxt_thread threads[kIndices + 2];  // the last of them get no index

// The operands, in memory that the compiler knows nothing of.
const barefxt_thread* volatile outgoing;
const barefxt_thread* volatile incoming;
volatile barefxt_thread_state state;
const char* volatile text = "8 bytes.";

volatile uintptr_t sampled_pc;
volatile uintptr_t heap_block;  // not null, as the first address of an image may be
#ifdef BAREFXT_PORT_FRAME_RETURN
constexpr size_t kFrames = 12;
constexpr size_t kFrameBytes = 4 * sizeof(uintptr_t);
uintptr_t chain[(kFrames + 2) * kFrameBytes / sizeof(uintptr_t)];
volatile uintptr_t sampled_stack;

// The frames at the end of the stack have fewer callers.
void make_chain() {
  sampled_stack = reinterpret_cast<uintptr_t>(chain);
  for (size_t i = 1; i <= kFrames; ++i) {
    uintptr_t* const frame = chain + i * kFrameBytes / sizeof(uintptr_t);
    frame[BAREFXT_PORT_FRAME_RETURN] = image_text();
    frame[BAREFXT_PORT_FRAME_CALLER] =
        i == kFrames ? 0 : reinterpret_cast<uintptr_t>(frame) + kFrameBytes;
  }
}
#endif

#define COST_INLINE inline __attribute__((always_inline))

template <typename T>
COST_INLINE void use(T value) {
  asm volatile("" : : "r"(value));
}

// Each case: what a site has at hand, and the site.
struct ContextSwitch {
  static COST_INLINE void prepare() {
    use(outgoing);
    use(state);
    use(incoming);
  }
  static COST_INLINE void probe() { barefxt_context_switch(outgoing, state, incoming); }
};
struct Wakeup {
  static COST_INLINE void prepare() { use(incoming); }
  static COST_INLINE void probe() { barefxt_thread_wakeup(incoming); }
};
struct NoOperands {
  static COST_INLINE void prepare() {}
};
struct Instant : NoOperands {
  static COST_INLINE void probe() { BAREFXT_INSTANT(probe, "cost"); }
};
struct InstantWithNumber {
  static COST_INLINE void prepare() { use(cost_number); }
  static COST_INLINE void probe() {
    const uint32_t value = cost_number;
    BAREFXT_INSTANT(probe, "cost", BAREFXT_ARG_U32("value", value));
  }
};
struct InstantWithText {
  static COST_INLINE void prepare() { use(text); }
  static COST_INLINE void probe() {
    const char* const bytes = text;
    BAREFXT_INSTANT(probe, "cost", BAREFXT_ARG_STRING("text", bytes, 8));
  }
};
struct DurationScope : NoOperands {
  static COST_INLINE void probe() {
    BAREFXT_DURATION_BEGIN(probe, "cost");
    BOARD_FORGET_REGISTERS();
    BAREFXT_DURATION_END(probe, "cost");
  }
};
struct Counter {
  static COST_INLINE void prepare() { use(cost_number); }
  static COST_INLINE void probe() {
    const uint32_t value = cost_number;
    BAREFXT_COUNTER(load, "cost", 1, BAREFXT_ARG_U32("value", value));
  }
};
struct InterruptScope : NoOperands {
  static COST_INLINE void probe() {
    BAREFXT_IRQ_ENTER("cost");
    BOARD_FORGET_REGISTERS();
    BAREFXT_IRQ_EXIT("cost");
  }
};
// Outside of site(): GCC needs a frame pointer for texts by value, and site() clobbers it.
[[gnu::noinline]] void take_and_give_back(uintptr_t lock) {
  barefxt_lock_acquired(lock, BAREFXT_TEXT("cost"), 0);
  barefxt_lock_released(lock, BAREFXT_TEXT("cost"));
}
struct LockPair {
  static COST_INLINE void prepare() { use(cost_number); }
  static COST_INLINE void probe() { take_and_give_back(cost_number); }
};
struct SampleOfAddress {
  static COST_INLINE void prepare() { use(sampled_pc); }
  static COST_INLINE void probe() { barefxt_sample(sampled_pc, 0, 0, 0); }
};
struct HeapAlloc {
  static COST_INLINE void prepare() {
    use(heap_block);
    use(cost_number);
  }
  static COST_INLINE void probe() {
    barefxt_heap_alloc(reinterpret_cast<const void*>(heap_block), cost_number,
                       reinterpret_cast<const void*>(heap_block));
  }
};
struct HeapFree {
  static COST_INLINE void prepare() { use(heap_block); }
  static COST_INLINE void probe() {
    barefxt_heap_free(reinterpret_cast<const void*>(heap_block),
                      reinterpret_cast<const void*>(heap_block));
  }
};
#ifdef BAREFXT_PORT_FRAME_RETURN
// A stack with a chain of as many frames as there are addresses behind the first.
template <size_t frames>
struct SampleOfFrames {
  static COST_INLINE void prepare() {
    use(sampled_pc);
    use(sampled_stack);
  }
  static COST_INLINE void probe() {
    const uintptr_t stack = sampled_stack;
    barefxt_sample(sampled_pc, stack + kFrameBytes * (kFrames - frames + 1), stack,
                   stack + sizeof chain);
  }
};
#endif
barefxt_stack watched_stack;
volatile uintptr_t switched_sp;
struct StackReached {
  static COST_INLINE void prepare() { use(switched_sp); }
  static COST_INLINE void probe() { barefxt_stack_reached(&watched_stack, switched_sp); }
};
struct DisabledProbe {
  static COST_INLINE void prepare() { use(cost_number); }
  static COST_INLINE void probe() {
    const uint32_t value = cost_number;
    BAREFXT_INSTANT(silent, "cost", BAREFXT_ARG_U32("value", value));
  }
};

template <typename Case>
struct Prepare {
  static COST_INLINE void once() { Case::prepare(); }
};
template <typename Case>
struct Probe {
  static COST_INLINE void once() { Case::probe(); }
};

template <typename What>
__attribute__((noinline)) void site() {
  cost_c_call();
  BOARD_FORGET_REGISTERS();
  What::once();
  BOARD_FORGET_REGISTERS();
}

using Site = void (*)();

// Not inlined, so that the code around the loop is the same for all.
__attribute__((noinline)) uint64_t instructions_of(Site site) {
  barefxt_clock_tick();
  const uint64_t begin = board::ticks();
  for (uint32_t round = 0; round < kRounds; ++round) site();
  return board::instructions_in(board::ticks() - begin);
}

void start_recording() {
#if BAREFXT_LINEAR
  linear::forget_session();
#endif
  barefxt_config config = {};
  config.memory = trace_memory;
  config.bytes = kRecordedBytes;
  config.cpus = 1;
  config.categories = KERNEL_CATEGORIES | BAREFXT_CATEGORY_BIT(locks) |
                      BAREFXT_CATEGORY_BIT(samples) | BAREFXT_CATEGORY_BIT(heap) |
                      BAREFXT_CATEGORY_BIT(stacks);
  KERNEL_ASSERT(barefxt_start(&config) == BAREFXT_OK);
}

// In ten thousandths.
uint64_t cost_of(Site with_probe, Site without) {
  start_recording();
  // Probes need a running thread.
  barefxt_context_switch(&threads[1], BAREFXT_STATE_RUNNABLE, &threads[0]);
  const uint64_t probes = instructions_of(with_probe);
  const barefxt_stop_report report = barefxt_stop();
  KERNEL_ASSERT(report.lost_records == 0);
  const uint64_t prepared = instructions_of(without);
  return (probes - prepared) * (10000 / kRounds);
}

void print_cost(const char* name, uint64_t ten_thousandths) {
  print("COST name=", name, " instructions=", TenThousandths{ten_thousandths}, "\n");
}

void measure(const char* name, Site with_probe, Site without) {
  print_cost(name, cost_of(with_probe, without));
}

template <typename Case>
void measure(const char* name) {
  measure(name, site<Probe<Case>>, site<Prepare<Case>>);
}

void count_bytes(void* context, const uint8_t* /*bytes*/, size_t count) {
  *static_cast<uint64_t*>(context) += count;
}

// Measures the cost of sending coded records: walking the rings, the coder, CRC and COBS, but not
// the line, by the bytes that go onto it. Records of all kinds, by turns.
void measure_coded_dump() {
  constexpr uint32_t kTurns = 200;
  start_recording();
  for (uint32_t turn = 0; turn < kTurns; ++turn) {
    barefxt_context_switch(&threads[turn % 2], BAREFXT_STATE_BLOCKED, &threads[1 - turn % 2]);
    cost_number = turn;
    Wakeup::probe();
    Instant::probe();
    InstantWithNumber::probe();
    InstantWithText::probe();
    DurationScope::probe();
    Counter::probe();
    InterruptScope::probe();
  }
  KERNEL_ASSERT(barefxt_stop().lost_records == 0);
  uint64_t bytes = 0;
  const barefxt_writer writer = {&count_bytes, &bytes};
  barefxt_clock_tick();
  const uint64_t begin = board::ticks();
  KERNEL_ASSERT(barefxt_dump(&writer, BAREFXT_DUMP_BINARY_CODED) == BAREFXT_OK);
  print("CODED instructions=", board::instructions_in(board::ticks() - begin), " bytes=", bytes,
        "\n");
}

#ifdef BAREFXT_PORT_FRAME_RETURN
template <size_t frames>
uint64_t cost_of_frames() {
  return cost_of(site<Probe<SampleOfFrames<frames>>>, site<Prepare<SampleOfFrames<frames>>>);
}

// A backtrace with two callers, and each further one.
[[maybe_unused]] void measure_frames() {
  make_chain();
  const uint64_t few = cost_of_frames<2>();
  print_cost("sample_backtrace", few);
  print_cost("sample_frame", (cost_of_frames<12>() - few) / 10);
}
#endif

// The compare at a switch; a mark that moves, and its record; a word that is scanned.
void measure_stacks() {
  constexpr uint32_t kPaint = 0xa5a5a5a5;
  constexpr uint32_t kMoves = 100;
  constexpr uint32_t kScanned = 250;
  constexpr uint32_t kWords = kMoves + kScanned;
  static uint32_t painted[kWords];
  for (uint32_t& word : painted) word = kPaint;
  const auto begin = reinterpret_cast<uintptr_t>(painted);
  barefxt_stack_register(&watched_stack, kFirstThreadKoid, begin, sizeof painted, kPaint);
  start_recording();
  barefxt_context_switch(&threads[1], BAREFXT_STATE_RUNNABLE, &threads[0]);
  switched_sp = begin + sizeof painted;
  const uint64_t reached = instructions_of(site<Probe<StackReached>>);
  const uint64_t prepared = instructions_of(site<Prepare<StackReached>>);
  barefxt_clock_tick();
  const uint64_t before = board::ticks();
  for (uint32_t i = 1; i <= kMoves; ++i)
    barefxt_stack_reached(&watched_stack, begin + sizeof painted - uintptr_t{4} * i);
  const uint64_t between = board::ticks();
  const bool is_over = barefxt_stack_scan(2 * kWords);
  const uint64_t after = board::ticks();
  barefxt_clock_tick();
  KERNEL_ASSERT(barefxt_stop().lost_records == 0 && is_over);
  KERNEL_ASSERT(watched_stack.mark == begin + sizeof painted - uintptr_t{4} * kMoves);
  print("STACK reached=", TenThousandths{(reached - prepared) * (10000 / kRounds)},
        " moved=", TenThousandths{board::instructions_in(between - before) * (10000 / kMoves)},
        " scanned=", TenThousandths{board::instructions_in(after - between) * (10000 / kScanned)},
        "\n");
  barefxt_stack_unregister(&watched_stack);
}

void register_threads(uint32_t first, uint32_t end) {
  for (uint32_t i = first; i < end; ++i)
    barefxt_thread_register(&threads[i], kProcess, kFirstThreadKoid + i, "thread", 10);
}

void take_threads(const barefxt_thread* out, const barefxt_thread* in) {
  outgoing = out;
  incoming = in;
  state = BAREFXT_STATE_BLOCKED;
}

[[maybe_unused]] void measure_what_needs_segments() {
  // More threads than the tracer's table has indices for. After the others: the pseudo-thread of
  // the CPU has taken its index by now.
  register_threads(2, kIndices + 2);
  take_threads(&threads[kIndices], &threads[kIndices + 1]);
  measure<ContextSwitch>("context_switch_inline_threads");
  measure_coded_dump();
}

// The start's error on a CPU whose ring no register names. Only a port that reads it minds.
#ifdef BOARD_HAS_RING_REGISTER
[[gnu::noinline]] void start_without_ring() {
  barefxt_config config = {};
  config.memory = trace_memory;
  config.bytes = kRecordedBytes;
  config.cpus = 1;
  board::set_ring(nullptr);
  const barefxt_error checked = barefxt_check_cpus(1, ~uint64_t{0});
  const barefxt_error started = barefxt_start(&config);
  board::set_ring(barefxt_ring(0));
  if (started == BAREFXT_OK) barefxt_stop();
  const barefxt_error after = barefxt_check_cpus(1, ~uint64_t{0});
  print("RING checked=", barefxt_error_name(checked), " started=", barefxt_error_name(started),
        " after=", barefxt_error_name(after), "\n");
}
#endif

}  // namespace

void measure_costs() {
#ifdef BOARD_HAS_RING_REGISTER
  start_without_ring();
#endif
  barefxt_process_register(kProcess, "cost");
  register_threads(0, 2);
  cost_number = 42;

  take_threads(&threads[0], &threads[1]);
  measure<ContextSwitch>("context_switch");
  measure<Wakeup>("thread_wakeup");
  measure<Instant>("instant");
  measure<InstantWithNumber>("instant_1_u32");
  measure<InstantWithText>("instant_1_text");
  measure("c_instant", cost_c_instant, cost_c_nothing);
  measure("c_instant_1_u32", cost_c_instant_with_number, cost_c_number);
  measure<DurationScope>("duration_scope");
  measure<Counter>("counter");
  measure<InterruptScope>("irq_scope");
  measure<LockPair>("lock_pair");
  sampled_pc = image_text();
  heap_block = image_text() + 64;
  measure<SampleOfAddress>("sample_pc");
  measure<HeapAlloc>("heap_alloc");
  measure<HeapFree>("heap_free");
#ifdef BAREFXT_PORT_FRAME_RETURN
  // A linear ring does not hold as many long records.
  if constexpr (!barefxt::kLinear) measure_frames();
#endif
  measure<DisabledProbe>("disabled_probe");
  measure_stacks();

  if constexpr (!barefxt::kLinear) measure_what_needs_segments();
  print("COST end\n");
}

}  // namespace kernel::workload
