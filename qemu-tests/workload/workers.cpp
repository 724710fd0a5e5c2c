// Threads by the hundred: born, busy for a moment, gone.
#include "kernel/categories.h"
#include "kernel/scheduler.h"
#include "kernel/tally.h"
#include "workload/bracketed.h"
#include "workload/messages.h"
#include "workload/processes.h"
#include "workload/services.h"
#include "workload/threads.h"

namespace kernel::workload {
namespace {

constexpr uint32_t kAtOnce = 16;
constexpr uint64_t kFirstJob = 0x10000000;  // correlation ids apart from those of flows

uint32_t to_create = 0;
uint32_t pause_ms = 1;

Semaphore places(kAtOnce);
Mutex registry;

void compute_in_a_duration(uint32_t rounds) {
  tally::probe(TALLY_DURATION_BEGIN);
  BAREFXT_DURATION_BEGIN(probe, "compute", BAREFXT_ARG_U32("rounds", rounds));
  workload_compute(rounds);
  tally::probe(TALLY_DURATION_END);
  BAREFXT_DURATION_END(probe, "compute");
}

void change_the_registry() {
  KERNEL_MUTEX_LOCK(registry, "registry");
  workload_compute(20000);
  scheduler::yield();
  workload_sleep_ms(8);  // longer than until the next one of this kind comes
  registry.unlock();
}

void use_a_buffer() {
  buffers.down();
  workload_compute(20000);
  buffers.up();
}

void sink_in_priority() {
  scheduler::set_priority(6);
  compute_in_a_duration(30000);
  scheduler::yield();
}

void do_something(uint32_t n) {
  switch (n % 6) {
    case 0:
      return compute_in_a_duration(50000);
    case 1:
    case 2:
      return change_the_registry();
    case 3:
      return send(queues.blocks, 512, -static_cast<int32_t>(n), false);
    case 4:
      return use_a_buffer();
    default:
      return sink_in_priority();
  }
}

// Calls itself, `levels` times.
KERNEL_COUNTED void descend(uint32_t levels) {
  tally::call(tally::Counted::kDescend);
  if (levels != 0) descend(levels - 1);
  asm volatile("" : : : "memory");  // no tail call
}

bool gives_its_place_back_itself(uint32_t n) { return n % 2 == 1; }

void work(uintptr_t argument) {
  const auto n = static_cast<uint32_t>(argument);
  bracketed_probe();
  descend(n % 7);
  do_something(n);
  tally::probe(TALLY_ASYNC_END);
  BAREFXT_ASYNC_END(job, "job", kFirstJob + n);
  // The last it does; in the other threads the kernel does it when they exit.
  if (gives_its_place_back_itself(n)) places.up();
}

void spawn(uint32_t n) {
  char name[] = "worker-0000";
  uint32_t rest = n;
  for (unsigned i = 10; i > 6; --i) {
    name[i] = static_cast<char>('0' + rest % 10);
    rest /= 10;
  }
  constexpr uint32_t kProcesses[] = {PROCESS_SENSOR, PROCESS_NETWORK, PROCESS_STORAGE};
  places.down();
  tally::probe(TALLY_ASYNC_BEGIN);
  BAREFXT_ASYNC_BEGIN(job, "job", kFirstJob + n, BAREFXT_ARG_U32("n", n));
  create_thread({name, kProcesses[n % 3], static_cast<uint8_t>(9 + n % 6), &work, n,
                 gives_its_place_back_itself(n) ? nullptr : &places});
}

}  // namespace

void set_workers(uint32_t count, uint32_t milliseconds) {
  to_create = count;
  pause_ms = count == 0 ? 1 : milliseconds / count;
}

void spawn_workers() {
  for (uint32_t n = 1; n <= to_create; ++n) {
    spawn(n);
    workload_sleep_ms(pause_ms);
  }
  for (uint32_t i = 0; i < kAtOnce; ++i) places.down();
}

}  // namespace kernel::workload
