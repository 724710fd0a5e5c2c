#include "workload/profile.h"

#include "kernel/board.h"
#include "kernel/categories.h"
#include "kernel/console.h"
#include "kernel/interrupt.h"
#include "kernel/panic.h"
#include "kernel/thread.h"
#include "workload/dump.h"
#include "workload/trace_memory.h"

namespace {

// A function without calls has a frame if it asks for that, and a whole one on RISC-V and Arm if it
// uses the register of its return address.
#if defined(__riscv)
#define RETURN_ADDRESS "ra",
#elif defined(__arm__)
#define RETURN_ADDRESS "lr",
#else
#define RETURN_ADDRESS
#endif

// Inlined everywhere, for the sake of inlined frames.
__attribute__((always_inline)) inline void spin(uint32_t rounds) {
  asm volatile("" : : "r"(__builtin_frame_address(0)) : RETURN_ADDRESS "memory");
  for (uint32_t i = 0; i < rounds; ++i) asm volatile("" : : : "memory");
}

}  // namespace

// Names that no compiler changes. Calls are not the last thing in a function, or they might become
// jumps.
extern "C" {
__attribute__((noinline)) void profile_checksum() { spin(6000); }
__attribute__((noinline)) void profile_sort() { spin(4000); }
__attribute__((noinline)) void profile_encode() {
  profile_checksum();
  profile_sort();
  spin(1500);
}
__attribute__((noinline)) void profile_decode() {
  profile_checksum();
  spin(3000);
}
__attribute__((noinline)) void profile_receive() { spin(2500); }
__attribute__((noinline)) void profile_serve() {
  profile_decode();
  spin(500);
}
}

namespace kernel::workload {
namespace {

constexpr uint32_t kProcess = 1;
barefxt_thread encoder;
barefxt_thread server;

uint32_t wanted;
uint32_t taken;
uint32_t random_state;
uintptr_t stack_end;

// Distances of no pattern: one that went well with a round would hit the same places again and
// again.
void arm() {
  random_state = random_state * 1664525 + 1013904223;
  board::timer_fire_after(1009 + (random_state >> 22));
}

void take_sample(const board::Interrupt& interrupt) {
  if (interrupt.kind != board::InterruptKind::kTimer) return;
  board::timer_stop();
  board::interrupt_end(interrupt);
  barefxt_clock_tick();
  const barefxt_interrupted at = board::interrupted(interrupt.saved, interrupt.fp);
  barefxt_sample(at.pc, at.fp, at.sp, stack_end);
  if (++taken < wanted) arm();
}

// The interrupt is only reported, not taken: to the trace that is the same.
void run_round() {
  barefxt_context_switch(&server, BAREFXT_STATE_BLOCKED, &encoder);
  profile_encode();
  barefxt_context_switch(&encoder, BAREFXT_STATE_BLOCKED, &server);
  profile_serve();
  BAREFXT_IRQ_ENTER("receive");
  profile_receive();
  BAREFXT_IRQ_EXIT("receive");
}

__attribute__((noinline)) uint64_t instructions_of(void (*function)()) {
  constexpr uint32_t kRounds = 10;
  barefxt_clock_tick();
  const uint64_t begin = board::ticks();
  for (uint32_t i = 0; i < kRounds; ++i) function();
  return board::instructions_in(board::ticks() - begin) / kRounds;
}

void print_function(const char* name, uint64_t total, uint64_t self) {
  print("FUNCTION name=", name, " total=", total, " self=", self, "\n");
}

void print_functions() {
  const uint64_t checksum = instructions_of(&profile_checksum);
  const uint64_t sort = instructions_of(&profile_sort);
  const uint64_t encode = instructions_of(&profile_encode);
  const uint64_t decode = instructions_of(&profile_decode);
  const uint64_t serve = instructions_of(&profile_serve);
  const uint64_t receive = instructions_of(&profile_receive);
  print_function("profile_checksum", 2 * checksum, 2 * checksum);
  print_function("profile_sort", sort, sort);
  print_function("profile_encode", encode, encode - checksum - sort);
  print_function("profile_decode", decode, decode - checksum);
  print_function("profile_serve", serve, serve - decode);
  print_function("profile_receive", receive, receive);
}

void start_recording(const Parameters& parameters) {
  barefxt_config config = {};
  config.memory = trace_memory;
  config.bytes = parameters.ring_bytes;
  config.cpus = 1;
  config.categories =
      BAREFXT_CATEGORY_BIT(sched) | BAREFXT_CATEGORY_BIT(irq) | BAREFXT_CATEGORY_BIT(samples);
  config.target = board::kName;
  KERNEL_ASSERT(barefxt_start(&config) == BAREFXT_OK);
}

}  // namespace

void profile(const Parameters& parameters) {
  board::interrupts_initialize_cpu();
  print_functions();
  barefxt_process_register(kProcess, "profile");
  barefxt_thread_register(&encoder, kProcess, kFirstThreadKoid, "encoder", 10);
  barefxt_thread_register(&server, kProcess, kFirstThreadKoid + 1, "server", 10);
  start_recording(parameters);
  wanted = parameters.records;
  random_state = parameters.seed;
  // This function's frame is the last that is followed.
  stack_end = reinterpret_cast<uintptr_t>(__builtin_frame_address(0)) + 2 * sizeof(uintptr_t);
  interrupt_instead = &take_sample;
  board::interrupts_enable();
  arm();
  while (__atomic_load_n(&taken, __ATOMIC_RELAXED) < wanted) run_round();
  board::interrupts_save_and_disable();
  board::timer_stop();
  const barefxt_stop_report report = barefxt_stop();
  dump(parameters);
  print("\nSAMPLES taken=", taken, " recorded=", report.recorded_records,
        " lost=", report.lost_records, "\nPROFILE end\n");
}

}  // namespace kernel::workload
