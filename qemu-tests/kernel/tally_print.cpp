// The kernel's own counts: printed. The grammar of the lines is in tally.h.
#include <barefxt/clock.h>

#include "kernel/console.h"
#include "kernel/scheduler.h"
#include "kernel/tally_data.h"

namespace kernel::tally {
namespace {

constexpr const char* kKindNames[TALLY_KINDS] = {
    "instant",           "counter",     "duration_begin", "duration_end",
    "duration_complete", "async_begin", "async_instant",  "async_end",
    "flow_begin",        "flow_step",   "flow_end"};

constexpr const char* kCountedNames[static_cast<unsigned>(Counted::kCount)] = {
    "kernel::scheduler::tick", "kernel::scheduler::switch_away", "kernel::workload::send",
    "kernel::workload::receive", "kernel::workload::descend"};

void print_hashed(const char* what, unsigned cpu, uint64_t count, uint64_t hash) {
  print("TALLY ", what, " cpu=", cpu, " count=", count, " hash=", Hex{hash}, "\n");
}

void print_cpus() {
  for (unsigned cpu = 0; cpu < scheduler::cpu_count(); ++cpu) {
    const PerCpu& own = counts.cpu[cpu];
    print_hashed("switches", cpu, own.switches, own.switch_hash);
    print_hashed("interrupts", cpu, own.interrupts, own.interrupt_hash);
    print_hashed("wakeups", cpu, own.wakeups, own.wakeup_hash);
    print_hashed("messages", cpu, own.messages, own.message_hash);
  }
}

void print_totals() {
  uint64_t messages = 0;
  for (const PerCpu& cpu : counts.cpu) messages += cpu.messages;

  print("TALLY messages count=", messages, "\n");
  print("TALLY migrations count=", counts.migrations, "\n");
  for (unsigned kind = 0; kind < TALLY_KINDS; ++kind)
    print("TALLY events kind=", kKindNames[kind], " count=", counts.events[kind], "\n");
  for (unsigned i = 0; i < static_cast<unsigned>(Counted::kCount); ++i)
    print("TALLY calls function=", kCountedNames[i], " count=", counts.calls[i], "\n");
  print("TALLY records count=", records(), "\n");
  print("TALLY created count=", threads_created(), " recorded=", counts.created_recording, "\n");
}

void print_names() {
  for (unsigned i = 0; i < counts.processes; ++i) {
    const Named& process = counts.process[i];
    print("TALLY process koid=", process.koid, " name=", process.name, "\n");
  }
  for (unsigned i = 0; i < counts.threads; ++i) {
    const Named& thread = counts.thread[i];
    print("TALLY thread koid=", thread.koid, " name=", thread.name, " process=", thread.process,
          "\n");
  }
}

void print_brackets() {
  for (uint32_t id = 0; id < kMaxBrackets; ++id) {
    const Bracket& bracket = counts.bracket[id];
    if (bracket.after == 0) continue;  // never given out
    print("TALLY bracket id=", id, " before=", bracket.before, " after=", bracket.after,
          " cpu=", bracket.cpu, "\n");
    if (barefxt::kCounterIsPerCpu)
      print("TALLY clock id=", id, " cpu=", bracket.cpu, " own=", bracket.own,
            " from=", bracket.from, " to=", bracket.to, "\n");
  }
}

}  // namespace

void print_all() {
  print("TALLY begin version=1 cpus=", scheduler::cpu_count(), "\n");
  print_cpus();
  print_totals();
  print_names();
  print_brackets();
  print("TALLY report recorded=", counts.report.recorded_records,
        " lost=", counts.report.lost_records + counts.report.overwritten_records,
        " unfinished=", counts.report.unfinished_records, "\n");
  print("TALLY end\n");
}

}  // namespace kernel::tally
