// The scheduler.
#include "kernel/scheduler.h"

#include "kernel/panic.h"
#include "kernel/spin_lock.h"
#include "kernel/stacks.h"
#include "kernel/trace.h"

namespace kernel::scheduler {
namespace {

SpinLock lock;
Cpu cpus[board::kMaxCpus];
static_assert(offsetof(Cpu, ring) == 0);
unsigned online = 0;

ThreadList ready[kPriorities];
uint32_t ready_priorities = 0;  // bit N: ready[N] is not empty
uint32_t ready_threads = 0;
Thread* sleepers = nullptr;  // by time of waking
uint64_t migrated = 0;

void push_ready(Thread* thread) {
  ready[thread->priority].push(thread);
  ready_priorities |= uint32_t{1} << thread->priority;
  ++ready_threads;
}

unsigned highest_ready() {
  unsigned priority = kPriorities - 1;
  while (priority > 0 && (ready_priorities & (uint32_t{1} << priority)) == 0) --priority;
  return priority;  // idle's if no thread is ready
}

Thread* pop_ready() {
  const unsigned priority = highest_ready();
  Thread* thread = ready[priority].pop();
  if (thread == nullptr) return nullptr;
  if (ready[priority].empty()) ready_priorities &= ~(uint32_t{1} << priority);
  --ready_threads;
  return thread;
}

// The CPU that does the least important thing, if that is less important than `priority`. The
// search starts beside the caller's CPU, so that work spreads.
Cpu* least_important_below(unsigned priority) {
  Cpu* found = nullptr;
  unsigned number = this_cpu().number;
  for (unsigned i = 0; i < online; ++i) {
    number = number + 1 < online ? number + 1 : 0;
    Cpu& cpu = cpus[number];
    // A CPU that is about to switch takes a ready thread already.
    if (cpu.current == nullptr || cpu.need_switch) continue;
    if (cpu.current->priority < priority) {
      priority = cpu.current->priority;
      found = &cpu;
    }
  }
  return found;
}

void finish_switch() {
  Cpu& cpu = this_cpu();
  if (cpu.buried != nullptr) {
    bury_thread(cpu.buried);
    cpu.buried = nullptr;
  }
}

// Leaves the current thread, which the caller has put where it belongs, for the best that is ready.
KERNEL_COUNTED void switch_away(barefxt_thread_state state) {
  tally::call(tally::Counted::kSwitchAway);
  Cpu& cpu = this_cpu();
  Thread* out = cpu.current;
  cpu.need_switch = false;
  Thread* in = cpu.force_idle ? nullptr : pop_ready();
  if (in == nullptr) in = cpu.idle;
  if (cpu.force_idle) {
    cpu.force_idle = false;
    cpu.need_switch = true;
  }
  if (in == out) return;
  check_stack(out);
  if (in->last_cpu != cpu.number && in->last_cpu != kNoCpu) ++migrated;
  in->last_cpu = cpu.number;
  stacks::come_in(*in);
  trace::context_switch(cpu.number, *out, state, *in);
  cpu.current = in;
  board_context_switch(&out->stack_pointer, in->stack_pointer);
  // Another time, and perhaps another CPU.
  finish_switch();
}

void preempt() {
  Cpu& cpu = this_cpu();
  if (cpu.current != cpu.idle) push_ready(cpu.current);
  switch_away(BAREFXT_STATE_RUNNABLE);
}

void wake_sleepers(uint64_t now) {
  while (sleepers != nullptr && sleepers->wake_ticks <= now) {
    Thread* thread = sleepers;
    sleepers = thread->next;
    make_ready(thread);
  }
}

}  // namespace

Lock::Lock() : state_(board::interrupts_save_and_disable()) { lock.acquire(); }

Lock::~Lock() {
  Cpu& cpu = this_cpu();
  if (cpu.need_switch && !cpu.in_interrupt) preempt();
  lock.release();
  board::interrupts_restore(state_);
}

unsigned cpu_count() { return __atomic_load_n(&online, __ATOMIC_ACQUIRE); }
Cpu& cpu_at(unsigned number) { return cpus[number]; }
Cpu& this_cpu() { return *board::cpu(); }

void begin_cpu(unsigned number) {
  cpus[number].number = number;
  board::set_cpu(&cpus[number]);
#ifdef BOARD_HAS_RING_REGISTER
  board::set_ring(barefxt_ring(number));
#endif
}

void start_cpu(unsigned number) {
  begin_cpu(number);
  Cpu& cpu = cpus[number];
  cpu.idle = adopt_idle_thread(number);
  cpu.current = cpu.idle;
  __atomic_fetch_add(&online, 1, __ATOMIC_ACQ_REL);
}

void run_idle() {
  board::interrupts_enable();
  for (;;) {
    stacks::scan_from_idle();
    const CriticalSection section;
    // If a switch becomes due in between, its interrupt is pending and ends the wait.
    if (!switch_if_needed()) board::wait_for_interrupt();
  }
}

void wait_for_cpus(unsigned count) {
  while (cpu_count() != count) board::relax();
}

Thread* current() {
  const CriticalSection section;
  return this_cpu().current;
}

void yield() {
  const Lock guard;
  preempt();
}

void sleep_ticks(uint64_t ticks) {
  const Lock guard;
  Thread* self = this_cpu().current;
  self->wake_ticks = board::ticks() + ticks;
  Thread** at = &sleepers;
  while (*at != nullptr && (*at)->wake_ticks <= self->wake_ticks) at = &(*at)->next;
  self->next = *at;
  *at = self;
  switch_away(BAREFXT_STATE_BLOCKED);
}

void set_priority(uint8_t priority) {
  const Lock guard;
  Cpu& cpu = this_cpu();
  cpu.current->priority = priority;
  barefxt_thread_set_priority(&cpu.current->trace, priority);
  if (highest_ready() > priority) cpu.need_switch = true;
}

void leave_for_good(barefxt_thread_state state) {
  board::interrupts_save_and_disable();
  lock.acquire();
  Cpu& cpu = this_cpu();
  cpu.current->life = Life::kDead;
  cpu.buried = cpu.current;
  switch_away(state);
  panic(__FILE_NAME__, __LINE__, "a dead thread ran");
}

void make_ready(Thread* thread) {
  trace::wakeup(this_cpu().number, *thread);
  push_ready(thread);
  Cpu* cpu = least_important_below(thread->priority);
  if (cpu == nullptr) return;
  cpu->need_switch = true;
  if (cpu != &this_cpu()) board::send_reschedule(cpu->number);
}

void block_in(ThreadList& list) {
  list.push(this_cpu().current);
  switch_away(BAREFXT_STATE_BLOCKED);
}

void finish_first_switch() {
  finish_switch();
  lock.release();
  board::interrupts_enable();
}

KERNEL_COUNTED void tick() {
  tally::call(tally::Counted::kTick);
  const Lock guard;
  wake_sleepers(board::ticks());
  // Equals take turns, a tick each.
  Cpu& cpu = this_cpu();
  const unsigned waiting = highest_ready();
  if (waiting != kIdlePriority && waiting >= cpu.current->priority) cpu.need_switch = true;
}

bool switch_if_needed() {
  if (!__atomic_load_n(&this_cpu().need_switch, __ATOMIC_RELAXED)) return false;
  lock.acquire();
  preempt();
  lock.release();
  return true;
}

void begin_afresh() {
  migrated = 0;
  for_each_thread([](Thread& thread) { thread.last_cpu = kNoCpu; });
  for (unsigned i = 0; i < online; ++i) {
    cpus[i].force_idle = true;
    cpus[i].need_switch = true;
  }
}

uint32_t ready_count() { return __atomic_load_n(&ready_threads, __ATOMIC_RELAXED); }
uint64_t migrations() { return migrated; }

}  // namespace kernel::scheduler
