// Mode "records": one CPU, no threads, no interrupts.
#include "workload/every_record.h"

#include "kernel/panic.h"
#include "workload/dump.h"
#include "workload/trace_memory.h"
#include "workload/workload.h"

namespace kernel::workload {

void write_every_record(const Parameters& parameters) {
  barefxt_config config = {};
  config.memory = trace_memory;
  config.bytes = sizeof trace_memory;
  config.cpus = 1;
  config.categories =
      kEveryRecordCategories | BAREFXT_CATEGORY_BIT(sched) | BAREFXT_CATEGORY_BIT(irq);
  config.target = "every record";
  KERNEL_ASSERT(barefxt_start(&config) == BAREFXT_OK);
  static every_record_threads threads;
  every_record_register(&threads);
  every_record_from_cpp(&threads);
  every_record_from_c(&threads);
  const barefxt_stop_report report = barefxt_stop();
  KERNEL_ASSERT(report.lost_records == 0);
  dump(parameters);
}

}  // namespace kernel::workload
