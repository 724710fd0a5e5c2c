// The scheduler: fixed priorities, preemptive, one run queue for all CPUs under one spin lock.
//
// Invariants: the lock is taken with interrupts off, and is held across a switch: the thread that
// comes in releases it. A thread that is running is in no list. Cpu::current is right whenever the
// lock is free.
#pragma once

#include <stdint.h>

#include <barefxt/barefxt.h>

#include "kernel/board.h"
#include "kernel/critical_section.h"
#include "kernel/thread.h"

namespace kernel {

// A CPU's data. Reached through board::cpu() with interrupts off.
struct Cpu {
  void* ring = nullptr;  // for board::set_ring
  Thread* current = nullptr;
  Thread* idle = nullptr;
  Thread* buried = nullptr;  // left for good in the switch being made
  unsigned number = 0;
  bool need_switch = false;  // written under the lock, read by its CPU
  bool force_idle = false;   // the next switch goes to the idle thread
  bool in_interrupt = false;
  uint32_t samples = 0;  // since the last tick
};

namespace scheduler {

// Holds the scheduler's lock for a scope. A switch that became due in the scope is made at its end.
class Lock {
 public:
  Lock();
  ~Lock();
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

 private:
  board::InterruptState state_;
};

// ---- CPUs
unsigned cpu_count();
Cpu& cpu_at(unsigned number);
Cpu& this_cpu();  // interrupts off
// By the CPU itself at boot, ahead of all records: what it finds by a register.
void begin_cpu(unsigned number);
void start_cpu(unsigned number);  // by the CPU itself, at boot
[[noreturn]] void run_idle();     // what a CPU does from then on
void wait_for_cpus(unsigned count);

// ---- The calling thread
Thread* current();
void yield();
void sleep_ticks(uint64_t ticks);
void set_priority(uint8_t priority);
[[noreturn]] void leave_for_good(barefxt_thread_state state);

// ---- Under the lock
void make_ready(Thread* thread);
void block_in(ThreadList& list);  // returns, lock held, once the thread was made ready
void finish_first_switch();       // a new thread's first act; releases the lock

// ---- From the interrupt handler, interrupts off
void tick();
bool switch_if_needed();  // whether it was

// Called with every other CPU held, when recording starts: all CPUs go through their idle thread
// next. So the tracer hears first which thread runs on each CPU. Migrations count from here.
void begin_afresh();

// Threads that wait for a CPU.
uint32_t ready_count();

// Switches to a thread that was last switched to on another CPU.
uint64_t migrations();

}  // namespace scheduler
}  // namespace kernel
