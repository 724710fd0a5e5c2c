#include "workload/sleds.h"

#include "kernel/categories.h"
#include "kernel/console.h"
#include "kernel/panic.h"
#include "kernel/rendezvous.h"
#include "kernel/scheduler.h"
#include "kernel/semaphore.h"
#include "workload/call_cost.h"
#include "workload/dump.h"
#include "workload/processes.h"
#include "workload/sled_functions.h"
#include "workload/trace_memory.h"

namespace kernel::workload {
namespace {

constexpr uint32_t kCallers = 4;
constexpr uint32_t kCallsAfter = 100;
constexpr uint32_t kAll = UINT32_MAX;

barefxt_config config;

// ---- How code is written

struct Alias {
  uint32_t opened = 0;
  uint32_t closed = 0;
};

void* open_alias(void* context, void* code, size_t /*bytes*/) {
  ++static_cast<Alias*>(context)->opened;
#ifdef BOARD_CODE_ALIAS
  return static_cast<uint8_t*>(code) + BOARD_CODE_ALIAS;
#else
  return code;
#endif
}
void close_alias(void* context, void* /*written*/, size_t /*bytes*/) {
  ++static_cast<Alias*>(context)->closed;
}
void* refuse(void* /*context*/, void* /*code*/, size_t /*bytes*/) { return nullptr; }

// Each of the others takes an interrupt for it, and so synchronizes itself.
void synchronize(void* /*context*/) {
  with_others_held([] {});
}

constexpr barefxt_code_access kAccess = {nullptr, nullptr, &synchronize, nullptr};

uint32_t id_of_toggled() { return barefxt_function_id(reinterpret_cast<void*>(&sled_toggled)); }

void try_what_is_refused() {
  const uint32_t functions = barefxt_function_count();
  const barefxt_code_access nowhere = {&refuse, nullptr, nullptr, nullptr};
  uint32_t refused = 0;
  const auto expect = [&refused](barefxt_error got, barefxt_error expected) {
    if (got == expected) ++refused;
  };
  expect(barefxt_functions_patch(0, kAll, nullptr), BAREFXT_ERROR_NO_FUNCTION);
  expect(barefxt_functions_patch(2, 1, nullptr), BAREFXT_ERROR_NO_FUNCTION);
  expect(barefxt_functions_unpatch(functions + 1, kAll, nullptr), BAREFXT_ERROR_NO_FUNCTION);
  expect(barefxt_functions_patch(1, kAll, &nowhere), BAREFXT_ERROR_CODE_READ_ONLY);
  KERNEL_ASSERT(barefxt_function_id(reinterpret_cast<void*>(&no_sled_empty)) == 0);
  KERNEL_ASSERT(id_of_toggled() != 0 && id_of_toggled() <= functions);
  print("SLEDS functions=", functions, "\nSLEDS refused=", refused, "\n");
}

void write_elsewhere() {
  Alias alias;
  const barefxt_code_access access = {&open_alias, &close_alias, &synchronize, &alias};
  const uint32_t id = id_of_toggled();
  KERNEL_ASSERT(barefxt_functions_patch(id, id, &access) == BAREFXT_OK);
  KERNEL_ASSERT(barefxt_functions_unpatch(id, id, &access) == BAREFXT_OK);
  print("SLEDS opened=", alias.opened, " closed=", alias.closed, "\n");
}

// ---- Under load

struct alignas(128) Calls {
  uint32_t steady = 0;
  uint32_t toggled = 0;
  uint32_t jumping = 0;
  uint32_t arguments = 0;  // of sled_two_words: their sum
  uint32_t events = 0;     // custom ones, and as many typed ones
  uint32_t event_sum = 0;
  uint32_t toggled_events = 0;
  uint32_t wrong = 0;
};
Calls calls[kCallers];
uint32_t round_now = 0;
bool rounds_are_over = false;
Semaphore callers_done(0);

uintptr_t sum_of_five(uintptr_t a, uintptr_t b, uintptr_t c, uintptr_t d, uintptr_t e) {
  return a + 3 * b + 5 * c + 7 * d + 11 * e;
}

void call_steady(Calls& mine, uintptr_t seed) {
  __atomic_store_n(&mine.steady, mine.steady + 1, __ATOMIC_RELAXED);
  const uintptr_t sum =
      sled_steady(seed, seed + 1, seed + 2, seed + 3, seed + 4, seed + 5, seed + 6, seed + 7);
  if (sum != 76 * seed + 3 + 10 + 21 + 44 + 65 + 102 + 133) ++mine.wrong;
}
void call_toggled(Calls& mine, uintptr_t seed) {
  ++mine.toggled;
  const Words words =
      sled_toggled(seed, seed + 1, seed + 2, seed + 3, seed + 4, seed + 5, seed + 6, seed + 7);
  for (uintptr_t i = 0; i < 8; ++i)
    if (words.word[i] != seed + 7 - i) ++mine.wrong;
}
void call_jumping(Calls& mine, uintptr_t seed) {
  ++mine.jumping;
  const uintptr_t sum = sled_jumping(&sum_of_five, seed, seed + 1, seed + 2, seed + 3, seed + 4);
  if (sum != 27 * seed + 3 + 10 + 21 + 44) ++mine.wrong;
  mine.arguments += static_cast<uint32_t>(seed);
  if (sled_two_words(seed) != seed * uint64_t{0x100000001b3} + 1) ++mine.wrong;
}

// FNV-1a over the payload, then over the type as one byte; 0 of a custom event.
uint32_t hash_of_event(uint32_t type, const char* text, uint32_t bytes) {
  uint32_t hash = 0x811c9dc5;
  for (uint32_t i = 0; i < bytes; ++i) hash = (hash ^ static_cast<uint8_t>(text[i])) * 0x01000193;
  return (hash ^ type) * 0x01000193;
}

void call_noting(Calls& mine, uintptr_t seed) {
  constexpr uint32_t kLongest = 40;
  char text[kLongest];
  const uint32_t bytes = static_cast<uint32_t>(seed) % kLongest;
  for (uint32_t i = 0; i < bytes; ++i) text[i] = static_cast<char>(bytes * 7 + i * 31);
  const uint32_t type = static_cast<uint32_t>(seed) & 0xff;
  if (sled_noting(type, text, bytes, seed, seed + 1, seed + 2) !=
      type + 3 * bytes + 23 * seed + 7 + 22)
    ++mine.wrong;
  if (sled_noting_crosswise(bytes, type, text, seed, seed + 1, seed + 2) !=
      type + 3 * bytes + 23 * seed + 7 + 22 + 13)
    ++mine.wrong;
  mine.events += 2;
  mine.event_sum += 2 * (hash_of_event(0, text, bytes) + hash_of_event(type, text, bytes));
  sled_toggled_noting();
  ++mine.toggled_events;
}

// Calls all the time, with a limit for each round, so that the rings have room for all.
void be_a_caller(uintptr_t index) {
  Calls& mine = calls[index];
  while (!__atomic_load_n(&rounds_are_over, __ATOMIC_ACQUIRE)) {
    if (mine.steady >= __atomic_load_n(&round_now, __ATOMIC_ACQUIRE)) {
      board::relax();
      continue;
    }
    call_toggled(mine, mine.steady);
    if (mine.steady % 16 == 0) call_jumping(mine, mine.steady);
    if (mine.steady % 64 == 8) call_noting(mine, mine.steady);
    call_steady(mine, mine.steady);
  }
  callers_done.up();
}

// The rounds wait for calls.
void wait_for_calls(uint32_t round) {
  uint32_t sum = 0;
  while (sum < round) {
    sum = 0;
    for (const Calls& one : calls) sum += __atomic_load_n(&one.steady, __ATOMIC_RELAXED);
    board::relax();
  }
}

void start_recording() {
  config.memory = trace_memory;
  config.bytes = sizeof trace_memory;
  config.cpus = static_cast<uint16_t>(scheduler::cpu_count());
  config.categories = BAREFXT_CATEGORY_BIT(sched) | BAREFXT_CATEGORY_BIT(function);
  config.target = board::kName;
  KERNEL_ASSERT(barefxt_start(&config) == BAREFXT_OK);
  scheduler::begin_afresh();
}

barefxt_stop_report report;
void stop_recording() { report = barefxt_stop(); }

void patch_under_load(uint32_t rounds) {
  KERNEL_ASSERT(barefxt_functions_patch(1, kAll, &kAccess) == BAREFXT_OK);
  with_others_held(&start_recording);
  scheduler::yield();
  for (uintptr_t i = 0; i < kCallers; ++i)
    create_thread({"sleds/caller", PROCESS_SENSOR, 12, &be_a_caller, i, nullptr});
  scheduler::set_priority(12);
  const uint32_t id = id_of_toggled();
  const uint32_t noting = barefxt_function_id(reinterpret_cast<void*>(&sled_toggled_noting));
  Calls own;
  uint32_t exact = 0;
  for (uint32_t round = 1; round <= rounds; ++round) {
    __atomic_store_n(&round_now, round, __ATOMIC_RELEASE);
    // To hold up all CPUs each time would be another test.
    const bool is_exact = round % 64 == 0;
    const barefxt_code_access* const access = is_exact ? &kAccess : nullptr;
    KERNEL_ASSERT(barefxt_functions_unpatch(id, id, access) == BAREFXT_OK);
    if (is_exact) call_toggled(own, round);
    KERNEL_ASSERT(barefxt_functions_patch(id, id, access) == BAREFXT_OK);
    if (is_exact) call_toggled(own, round);
    exact += is_exact ? 1 : 0;
    // For longer: its calls are few.
    if (round % 128 == 8)
      KERNEL_ASSERT(barefxt_functions_unpatch(noting, noting, nullptr) == BAREFXT_OK);
    if (round % 128 == 72)
      KERNEL_ASSERT(barefxt_functions_patch(noting, noting, nullptr) == BAREFXT_OK);
    wait_for_calls(round);
  }
  __atomic_store_n(&rounds_are_over, true, __ATOMIC_RELEASE);
  for (uint32_t i = 0; i < kCallers; ++i) callers_done.down();

  // From here on only this thread calls. sled_toggled is patched, which not all CPUs may follow.
  KERNEL_ASSERT(barefxt_functions_patch(id, id, &kAccess) == BAREFXT_OK);
  Calls sum;
  for (const Calls& one : calls) {
    sum.steady += one.steady;
    sum.toggled += one.toggled;
    sum.jumping += one.jumping;
    sum.arguments += one.arguments;
    sum.events += one.events;
    sum.event_sum += one.event_sum;
    sum.toggled_events += one.toggled_events;
    sum.wrong += one.wrong;
  }
  KERNEL_ASSERT(barefxt_functions_unpatch(noting, noting, &kAccess) == BAREFXT_OK);
  for (uint32_t i = 0; i < kCallsAfter; ++i) sled_toggled_noting();
  KERNEL_ASSERT(barefxt_functions_patch(noting, noting, &kAccess) == BAREFXT_OK);
  BAREFXT_EVENT(sched, BAREFXT_EVENT_INSTANT, nullptr, BAREFXT_TEXT("for good"), 0);
  Calls after;
  for (uint32_t i = 0; i < kCallsAfter; ++i) {
    call_toggled(after, i);
    sled_toggled_noting();
  }
  with_others_held(&stop_recording);
  KERNEL_ASSERT(report.lost_records == 0);
  KERNEL_ASSERT(barefxt_functions_unpatch(1, kAll, nullptr) == BAREFXT_OK);
  print("SLEDS rounds=", rounds, "\nSLEDS steady=", sum.steady, " toggled=", sum.toggled,
        " jumping=", sum.jumping, " arguments=", sum.arguments,
        " wrong=", sum.wrong + own.wrong + after.wrong, "\nSLEDS events=", sum.events,
        " sum=", sum.event_sum, "\nSLEDS toggled_events=", sum.toggled_events,
        "\nSLEDS after=", kCallsAfter, "\nSLEDS exact=", exact,
        " patcher=", scheduler::current()->trace.koid, "\n");
}

// ---- The cost

void measure_costs() {
  const CriticalSection section;
  const uint64_t without = instructions_of_calls(&call_site<no_sled_empty>);
  const uint64_t unpatched = instructions_of_calls(&call_site<sled_empty>);
  KERNEL_ASSERT(barefxt_functions_patch(1, kAll, nullptr) == BAREFXT_OK);
  const uint64_t off = instructions_of_calls(&call_site<sled_empty>);
  start_recording();
  // Calls need a running thread.
  Thread* const self = scheduler::current();
  barefxt_context_switch(&scheduler::this_cpu().idle->trace, BAREFXT_STATE_RUNNABLE, &self->trace);
  const uint64_t on = instructions_of_calls(&call_site<sled_empty>);
  stop_recording();
  KERNEL_ASSERT(report.lost_records == 0);
  KERNEL_ASSERT(report.recorded_records >= uint64_t{2} * kCostRounds);
  print_call_cost("sleds_unpatched", unpatched, without);
  print_call_cost("fdr_pair_sleds_off", off, unpatched);
  print_call_cost("fdr_pair_sleds", on, unpatched);
}

}  // namespace

void exercise_sleds(const Parameters& parameters) {
  if (parameters.rounds == 0) {
    measure_costs();
    board::exit(0);
  }
  try_what_is_refused();
  write_elsewhere();
  patch_under_load(parameters.rounds);
  dump(parameters);
  print("SLEDS end\n");
  board::exit(0);
}

}  // namespace kernel::workload
