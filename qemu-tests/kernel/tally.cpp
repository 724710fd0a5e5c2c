// The kernel's own counts: kept.
#include "kernel/tally.h"

#include "kernel/panic.h"
#include "kernel/scheduler.h"
#include "kernel/tally_data.h"

namespace kernel::tally {

Counts counts;

namespace {

constexpr uint64_t kHashStart = 0xcbf29ce484222325;
constexpr uint64_t kHashFactor = 0x100000001b3;

bool recording = false;
uint32_t brackets_given = 0;

void add(uint64_t& hash, uint64_t word) { hash = (hash ^ word) * kHashFactor; }

void keep_thread(const Thread& thread) {
  KERNEL_ASSERT(counts.threads < kMaxNamed);
  Named& named = counts.thread[counts.threads++];
  named.koid = thread.koid;
  named.process = thread.process;
  for (unsigned i = 0; i < sizeof named.name; ++i) named.name[i] = thread.name[i];
}

}  // namespace

void start() {
  for (PerCpu& cpu : counts.cpu) {
    cpu = PerCpu();
    cpu.switch_hash = kHashStart;
    cpu.interrupt_hash = kHashStart;
    cpu.wakeup_hash = kHashStart;
    cpu.message_hash = kHashStart;
  }
  for_each_thread([](Thread& thread) { keep_thread(thread); });
  recording = true;
}

void stop(const barefxt_stop_report& report) {
  recording = false;
  counts.migrations = scheduler::migrations();
  counts.report = report;
}

bool is_recording() { return recording; }

uint64_t records() {
  uint64_t sum = 0;
  for (const PerCpu& cpu : counts.cpu) sum += cpu.switches + cpu.wakeups;
  for (const uint32_t count : counts.events) sum += count;
  return sum;
}

void context_switch(unsigned cpu, const Thread& out, barefxt_thread_state state, const Thread& in) {
  if (!recording) return;
  PerCpu& own = counts.cpu[cpu];
  ++own.switches;
  add(own.switch_hash, out.koid);
  add(own.switch_hash, state);
  add(own.switch_hash, in.koid);
  add(own.switch_hash, out.priority);
  add(own.switch_hash, in.priority);
}

void interrupt(unsigned cpu, uint32_t number, InterruptPhase phase) {
  if (!recording) return;
  PerCpu& own = counts.cpu[cpu];
  if (phase == InterruptPhase::kEnter) {
    ++own.interrupts;
    tally_probe(TALLY_DURATION_BEGIN);
  } else {
    tally_probe(TALLY_DURATION_END);
  }
  add(own.interrupt_hash, number);
  add(own.interrupt_hash, static_cast<uint64_t>(phase));
}

void wakeup(unsigned cpu, const Thread& thread) {
  if (!recording) return;
  PerCpu& own = counts.cpu[cpu];
  ++own.wakeups;
  add(own.wakeup_hash, thread.koid);
}

MessageHash::MessageHash(unsigned cpu, MessagePhase phase, uint64_t flow) : cpu_(cpu) {
  constexpr tally_kind kKinds[] = {TALLY_FLOW_BEGIN, TALLY_FLOW_STEP, TALLY_FLOW_END};
  tally_probe(kKinds[static_cast<unsigned>(phase)]);
  if (recording && phase == MessagePhase::kBegin) ++counts.cpu[cpu].messages;
  this->add(static_cast<uint64_t>(phase));
  this->add(flow);
}

void MessageHash::add(uint64_t word) const {
  if (recording) tally::add(counts.cpu[cpu_].message_hash, word);
}

void call(Counted function) {
  if (recording)
    __atomic_fetch_add(&counts.calls[static_cast<unsigned>(function)], 1, __ATOMIC_RELAXED);
}

uint32_t take_bracket() {
  if (!recording) return kMaxBrackets;
  uint32_t id = __atomic_load_n(&brackets_given, __ATOMIC_RELAXED);
  while (id < kMaxBrackets && !__atomic_compare_exchange_n(&brackets_given, &id, id + 1, false,
                                                           __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
  return id;
}

void keep_bracket(uint32_t id, const Bracket& bracket) {
  KERNEL_ASSERT(id < kMaxBrackets);
  counts.bracket[id] = bracket;
}

void thread(const Thread& thread) {
  if (!recording) return;
  ++counts.created_recording;
  keep_thread(thread);
}

void process(uint32_t koid, const char* name) {
  KERNEL_ASSERT(counts.processes < kMaxProcesses);
  Named& named = counts.process[counts.processes++];
  named.koid = koid;
  for (unsigned i = 0; i < kNameBytes && name[i] != '\0'; ++i) named.name[i] = name[i];
}

}  // namespace kernel::tally

void tally_probe(tally_kind kind) {
  if (kernel::tally::is_recording())
    __atomic_fetch_add(&kernel::tally::counts.events[kind], 1, __ATOMIC_RELAXED);
}
