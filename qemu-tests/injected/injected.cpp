#include "injected/injected.h"

#include <barefxt/barefxt.h>

#include "kernel/board.h"
#include "kernel/categories.h"
#include "kernel/console.h"
#include "kernel/critical_section.h"
#include "kernel/interrupt.h"
#include "kernel/mutex.h"
#include "kernel/panic.h"
#include "kernel/rendezvous.h"
#include "kernel/scheduler.h"
#include "kernel/semaphore.h"
#include "workload/trace_memory.h"

namespace kernel::injected {
namespace {

using workload::trace_memory;

constexpr uint32_t kProcess = 1;
constexpr uint8_t kConductorPriority = 24;
constexpr uint8_t kBusyPriority = 22;  // of the threads that keep CPUs busy
constexpr uint8_t kHighPriority = 18;
constexpr uint8_t kVictimPriority = 15;
constexpr uint8_t kUpperPriority = 12;
constexpr uint8_t kMidPriority = 10;
constexpr uint8_t kLowPriority = 5;

// A thread that plays its part at each signal.
struct Role {
  Semaphore go{0};
  void (*part)() = nullptr;
};
Role low, mid, upper, victim, peer, high;
Semaphore played(0);     // once for each part
Semaphore is_needed(0);  // a busy thread that made room

uint32_t random_state = 1;
Cause cause = Cause::kCount;
uint64_t length = 0;   // of the cause, in ticks
uint64_t step = 0;     // of what lies around it
uint32_t signals = 0;  // parts of this cause

// The busy threads and the interrupts look at these.
void (*volatile errand)() = nullptr;    // for one of the busy threads
void (*volatile in_timer)() = nullptr;  // for the next timer interrupt of the CPU `meeting`
volatile uint64_t storm_end = 0;        // until then each interrupt there brings the next
volatile unsigned meeting = 0;          // the CPU on which threads meet
volatile uint32_t free_cpus = 1;
volatile bool has_run = false;  // the victim

uint32_t below(uint32_t end) {
  random_state = random_state * 1664525u + 1013904223u;
  return static_cast<uint32_t>(uint64_t{random_state} * end >> 32);
}

void spin(uint64_t ticks) {
  const uint64_t end = barefxt_ticks() + ticks;
  while (barefxt_ticks() < end) board::relax();
}

// The caller stays on its CPU, which waits for its next interrupt meanwhile, also if it is masked.
// If all do so, the machine's time goes on at once, and whatever the host does shows nowhere.
void keep_cpu_for_a_tick() {
  const CriticalSection section;
  board::wait_for_interrupt();
}
void keep_cpu(uint64_t ticks) {
  const uint64_t end = barefxt_ticks() + ticks;
  while (barefxt_ticks() < end) keep_cpu_for_a_tick();
}

void signal(Role& role) {
  __atomic_fetch_add(&signals, 1, __ATOMIC_RELAXED);
  role.go.up();
}

// Says what is to blame for what the victim does next.
void announce() {
  BAREFXT_INSTANT(probe, "injected", BAREFXT_ARG_U32("cause", static_cast<uint32_t>(cause)),
                  BAREFXT_ARG_U64("ticks", length));
}
void make_late() {
  announce();
  signal(victim);
}

// ---- Locks that are traced with their holders

struct Lock {
  Mutex mutex;
  bool is_held = false;
};
Lock locks[3];

barefxt_text name_of(const Lock& lock) {
  if (&lock == &locks[0]) return BAREFXT_TEXT("outer");
  return &lock == &locks[1] ? BAREFXT_TEXT("middle") : BAREFXT_TEXT("inner");
}

// All on one CPU, so nobody takes it between the look and the call.
void take(Lock& lock) {
  const auto address = reinterpret_cast<uintptr_t>(&lock);
  const uint64_t contended =
      lock.is_held ? barefxt_lock_contended(address, name_of(lock), nullptr) : 0;
  lock.mutex.lock();
  lock.is_held = true;
  barefxt_lock_acquired(address, name_of(lock), contended);
}

void give_back(Lock& lock) {
  barefxt_lock_released(reinterpret_cast<uintptr_t>(&lock), name_of(lock));
  lock.is_held = false;
  lock.mutex.unlock();
}

// ---- The victim's parts

void run_a_little() {
  has_run = true;
  spin(step);
}

void take_outer() {
  take(locks[0]);
  run_a_little();
  give_back(locks[0]);
}

// ---- The others' parts

void hold_outer() {
  take(locks[0]);
  make_late();
  keep_cpu(length);
  give_back(locks[0]);
}

void hold_outer_below_mid() {
  take(locks[0]);
  make_late();
  spin(step);
  signal(mid);
  spin(step);
  give_back(locks[0]);
}

void spin_for_length() { keep_cpu(length); }

void wake_and_spin() {
  make_late();
  keep_cpu(length);
}

void hold_inner() {
  take(locks[2]);
  signal(mid);
  signal(upper);
  make_late();
  keep_cpu(length);
  give_back(locks[2]);
}
void hold_middle() {
  take(locks[1]);
  take(locks[2]);
  give_back(locks[2]);
  give_back(locks[1]);
}
void hold_outer_for_middle() {
  take(locks[0]);
  take(locks[1]);
  give_back(locks[1]);
  give_back(locks[0]);
}

void forbid_switches(bool forbidden) {
  const CriticalSection section;
  scheduler::this_cpu().in_interrupt = forbidden;
}

void run_with_switches_off() {
  forbid_switches(true);
  make_late();
  keep_cpu(length);
  forbid_switches(false);
  const scheduler::Lock due_switch;
}

void run_masked() {
  {
    const CriticalSection section;
    forbid_switches(true);
    make_late();
    spin(length);
    forbid_switches(false);
  }
  const scheduler::Lock due_switch;
}

void take_long_in_timer() {
  make_late();
  board::interrupts_enable();
  keep_cpu(length);
  board::interrupts_save_and_disable();
}

void stall_in_timer() {
  make_late();
  keep_cpu(length);
}

void arm_timer(void (*what)()) {
  {
    const CriticalSection section;
    meeting = scheduler::this_cpu().number;
    in_timer = what;
  }
  while (!has_run) keep_cpu_for_a_tick();
}

void wait_in_long_handler() { arm_timer(&take_long_in_timer); }
void wait_in_stall() { arm_timer(&stall_in_timer); }

void work_in_storm() {
  announce();
  const uint64_t begin = barefxt_ticks();
  {
    const CriticalSection section;
    meeting = scheduler::this_cpu().number;
    storm_end = begin + length;
    board::send_reschedule(meeting);
  }
  spin(step);
  BAREFXT_DURATION_COMPLETE(probe, "work", begin);
}

bool is_idle(unsigned cpu) {
  const Cpu& one = scheduler::cpu_at(cpu);
  return __atomic_load_n(&one.current, __ATOMIC_RELAXED) == one.idle;
}
unsigned idle_cpu() {
  unsigned cpu = 0;
  while (!is_idle(cpu)) cpu = cpu + 1 < scheduler::cpu_count() ? cpu + 1 : 0;
  return cpu;
}

// The victim runs on the second free CPU, which idles then.
void keep_from_idle_cpu() {
  meeting = idle_cpu();
  signal(victim);
  while (!has_run || !is_idle(meeting)) keep_cpu_for_a_tick();
  hold_cpu(meeting);
  make_late();
  keep_cpu(length);
  // The victim has this CPU next, before the conductor hears of an end.
  scheduler::sleep_ticks(2 * board::ticks_per_millisecond());
}
void hold_back_wakeup() {
  meeting = idle_cpu();
  hold_cpu(meeting);
  make_late();
  keep_cpu(length);
  release_cpus();
}

// From the beginning of a tick on.
void run_until_its_tick_is_over() {
  keep_cpu_for_a_tick();
  make_late();
  keep_cpu(length);
}

// ---- Who plays what

struct Play {
  Role* first;  // null: an errand
  void (*of_first)();
  void (*of_victim)();
  void (*of_mid)();
  void (*of_upper)();
};

Play play_of_cause() {
  switch (cause) {
    case Cause::kHeldLock:
      return {&low, &hold_outer, &take_outer, nullptr, nullptr};
    case Cause::kInversion:
      return {&low, &hold_outer_below_mid, &take_outer, &spin_for_length, nullptr};
    case Cause::kMasked:
      return {&low, &run_masked, &run_a_little, nullptr, nullptr};
    case Cause::kLongHandler:
      return {&low, &wait_in_long_handler, &run_a_little, nullptr, nullptr};
    case Cause::kStorm:
      return {&victim, nullptr, &work_in_storm, nullptr, nullptr};
    case Cause::kNotPreempted:
      return {&low, &run_with_switches_off, &run_a_little, nullptr, nullptr};
    case Cause::kAffinity:
      return {&high, &keep_from_idle_cpu, &run_a_little, nullptr, nullptr};
    case Cause::kLateWakeup:
      return {nullptr, &hold_back_wakeup, &run_a_little, nullptr, nullptr};
    case Cause::kTick:
      return {&peer, &run_until_its_tick_is_over, &run_a_little, nullptr, nullptr};
    case Cause::kStall:
      return {&low, &wait_in_stall, &run_a_little, nullptr, nullptr};
    case Cause::kStarvation:
      return {&high, &wake_and_spin, &run_a_little, nullptr, nullptr};
    case Cause::kChain:
    case Cause::kCount:
      break;
  }
  return {&low, &hold_inner, &take_outer, &hold_middle, &hold_outer_for_middle};
}

void inject() {
  const uint64_t millisecond = board::ticks_per_millisecond();
  length = 4 * millisecond + below(static_cast<uint32_t>(20 * millisecond));
  step = millisecond / 20 + below(static_cast<uint32_t>(millisecond / 10));
  has_run = false;
  signals = 0;
  free_cpus = cause == Cause::kAffinity ? 2 : 1;
  // The busy threads notice within a tick of theirs.
  scheduler::sleep_ticks(3 * millisecond + below(static_cast<uint32_t>(millisecond)));
  const Play play = play_of_cause();
  victim.part = play.of_victim;
  mid.part = play.of_mid;
  upper.part = play.of_upper;
  if (play.first == nullptr) {
    errand = play.of_first;
  } else {
    if (play.of_first != nullptr) play.first->part = play.of_first;
    signal(*play.first);
  }
  // The first one at least, which signals to others before it is over.
  for (uint32_t i = 0; i == 0 || i < __atomic_load_n(&signals, __ATOMIC_RELAXED); ++i)
    played.down();
  if (cause == Cause::kAffinity) {
    release_cpus();
    free_cpus = 1;
    is_needed.up();
  }
  while (errand != nullptr) scheduler::sleep_ticks(millisecond);
}

// ---- Threads and interrupts

void play(uintptr_t address) {
  auto& role = *reinterpret_cast<Role*>(address);
  while (true) {
    role.go.down();
    role.part();
    played.up();
  }
}

// `number`: the last ones make room for threads that meet on more than one CPU.
void keep_busy(uintptr_t number) {
  while (true) {
    if (number + free_cpus > scheduler::cpu_count() - 1) is_needed.down();
    if (number == 0 && errand != nullptr) {
      errand();
      errand = nullptr;
    }
    keep_cpu_for_a_tick();
  }
}

void at_each_interrupt() {
  if (scheduler::this_cpu().number != meeting) return;
  if (barefxt_ticks() < storm_end) {
    spin(board::ticks_per_millisecond() / 10);
    board::send_reschedule(meeting);
  }
  if (in_timer == nullptr) return;
  void (*const what)() = in_timer;
  in_timer = nullptr;
  what();
}

barefxt_config config;
void start() { KERNEL_ASSERT(barefxt_start(&config) == BAREFXT_OK); }
barefxt_stop_report report;
void stop() { report = barefxt_stop(); }
void write_to_file(void* /*unused*/, const uint8_t* bytes, size_t count) {
  board::file_write(bytes, count);
}

uint32_t rounds = 0;
void conduct(uintptr_t /*unused*/) {
  const uint32_t cpus = scheduler::cpu_count();
  KERNEL_ASSERT(cpus >= 4);
  // The CPU that boots may have left that for this thread, and has no timer before its end.
  scheduler::sleep_ticks(2 * board::ticks_per_millisecond());
  config.memory = trace_memory;
  config.bytes = sizeof trace_memory;
  config.cpus = static_cast<uint16_t>(cpus);
  config.mode = BAREFXT_MODE_ONE_SHOT;
  config.categories = KERNEL_CATEGORIES | BAREFXT_CATEGORY_BIT(locks);
  config.target = board::kName;
  for (uintptr_t i = 0; i + 1 < cpus; ++i)
    create_thread({"busy", kProcess, kBusyPriority, &keep_busy, i, nullptr});
  with_others_held(&start);
  at_interrupt = &at_each_interrupt;
  scheduler::sleep_ticks(12 * board::ticks_per_millisecond());
  for (uint32_t i = 0; i < rounds; ++i)
    for (uint8_t number = 0; number < static_cast<uint8_t>(Cause::kCount); ++number) {
      cause = static_cast<Cause>(number);
      inject();
    }
  scheduler::sleep_ticks(2 * board::ticks_per_millisecond());
  with_others_held(&stop);
  const barefxt_writer writer = {&write_to_file, nullptr};
  KERNEL_ASSERT(board::file_open());
  KERNEL_ASSERT(barefxt_dump(&writer, BAREFXT_DUMP_BINARY) == BAREFXT_OK);
  KERNEL_ASSERT(board::file_close());
  print("INJECTED rounds=", rounds, " lost=", report.lost_records, "\n");
  board::exit(0);
}

void create_role(Role& role, const char* name, uint8_t priority) {
  create_thread({name, kProcess, priority, &play, reinterpret_cast<uintptr_t>(&role), nullptr});
}

}  // namespace

void create_threads(const Parameters& parameters) {
  rounds = parameters.rounds;
  random_state = parameters.seed;
  barefxt_process_register(kProcess, "injected");
  create_role(low, "low", kLowPriority);
  create_role(mid, "mid", kMidPriority);
  create_role(upper, "upper", kUpperPriority);
  create_role(victim, "victim", kVictimPriority);
  create_role(peer, "peer", kVictimPriority);
  create_role(high, "high", kHighPriority);
  create_thread({"conductor", kProcess, kConductorPriority, &conduct, 0, nullptr});
}

}  // namespace kernel::injected
