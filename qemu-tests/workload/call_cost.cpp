// The cost of hooks. Not instrumented itself.
#include "workload/call_cost.h"

#include "kernel/categories.h"
#include "kernel/critical_section.h"
#include "kernel/panic.h"
#include "kernel/scheduler.h"
#include "workload/hooked_functions.h"
#include "workload/trace_memory.h"

namespace kernel::workload {
namespace {

barefxt_config config;

}  // namespace

void measure_hooks() {
  const CriticalSection section;
  const uint64_t without = instructions_of_calls(&call_site<unhooked_empty>);
  const uint64_t off = instructions_of_calls(&call_site<hooked_empty>);
  config.memory = trace_memory;
  config.bytes = sizeof trace_memory;
  config.cpus = 1;
  config.categories = BAREFXT_CATEGORY_BIT(sched) | BAREFXT_CATEGORY_BIT(function);
  config.target = board::kName;
  KERNEL_ASSERT(barefxt_start(&config) == BAREFXT_OK);
  // Calls need a running thread.
  Thread* const self = scheduler::current();
  barefxt_context_switch(&scheduler::this_cpu().idle->trace, BAREFXT_STATE_RUNNABLE, &self->trace);
  const uint64_t on = instructions_of_calls(&call_site<hooked_empty>);
  const barefxt_stop_report report = barefxt_stop();
  KERNEL_ASSERT(report.lost_records == 0);
  KERNEL_ASSERT(report.recorded_records >= uint64_t{2} * kCostRounds);
  print_call_cost("fdr_pair_instrument_functions_off", off, without);
  print_call_cost("fdr_pair_instrument_functions", on, off);
}

}  // namespace kernel::workload
