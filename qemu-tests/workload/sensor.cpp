// The sensor process: samples on their way out, and every type of argument once.
#include "kernel/categories.h"
#include "kernel/scheduler.h"
#include "kernel/tally.h"
#include "workload/messages.h"
#include "workload/services.h"
#include "workload/threads.h"

namespace kernel::workload {

namespace {

uint32_t filter_rounds = 2000;

}  // namespace

void sample_analog() {
  for (uint32_t n = 0; workload_is_running(); ++n) {
    const auto reading = static_cast<int32_t>((n * 37) & 0xfff) - 2048;
    tally::probe(TALLY_INSTANT);
    BAREFXT_INSTANT(probe, "sample", BAREFXT_ARG_U32("n", n), BAREFXT_ARG_I32("reading", reading),
                    BAREFXT_ARG_BOOL("clipped", reading > 2000));
    if (n % 2 == 0) send(queues.samples, 4, reading, reading > 2000);
    workload_sleep_ms(2);
  }
}

void sample_motion() {
  constexpr uint64_t kDoubles[] = {
      0x3ff0000000000000,  // 1
      0xbfe0000000000000,  // -0.5
      0x400921fb54442d18,  // pi
      0x7ff0000000000000,  // infinity
  };
  for (uint32_t n = 1; workload_is_running(); ++n) {
    tally::probe(TALLY_INSTANT);
    BAREFXT_INSTANT(probe, "motion", BAREFXT_ARG_I64("drift", -int64_t{n} * 10000000007),
                    BAREFXT_ARG_U64("integral", uint64_t{n} << 40),
                    BAREFXT_ARG_DOUBLE_BITS("rate", kDoubles[n % 4]));
    if (n % 4 == 0) send(queues.samples, 12, -static_cast<int32_t>(n), false);
    workload_sleep_ms(5);
  }
}

void sample_position() {
  constexpr const char* kFixes[] = {"none", "2D", "3D", "3D, differential"};
  constexpr uint32_t kFixBytes[] = {4, 2, 2, 16};
  for (uint32_t n = 0; workload_is_running(); ++n) {
    const Thread* self = scheduler::current();
    tally::probe(TALLY_INSTANT);
    BAREFXT_INSTANT(probe, "position", BAREFXT_ARG_STRING("fix", kFixes[n % 4], kFixBytes[n % 4]),
                    BAREFXT_ARG_LITERAL("datum", "WGS 84"), BAREFXT_ARG_NULL("altitude"),
                    BAREFXT_ARG_POINTER("queue", &queues.positions),
                    BAREFXT_ARG_KOID("by", self->koid));
    send(queues.positions, 32, static_cast<int32_t>(n), n % 8 == 0);
    workload_sleep_ms(10);
  }
}

void set_filter_slowness(uint32_t times) { filter_rounds = 2000 * times; }

void filter_samples() {
  while (forward(queues.samples, queues.uplink)) workload_compute(filter_rounds);
}

void log_positions() {
  while (receive(queues.positions)) workload_compute(5000);
}

void sample_load() {
  tally::probe(TALLY_COUNTER);
  BAREFXT_COUNTER(load, "run queue", 1, BAREFXT_ARG_U32("ready", scheduler::ready_count()));
  tally::probe(TALLY_COUNTER);
  BAREFXT_COUNTER(load, "queued", 2, BAREFXT_ARG_U32("samples", queues.samples.count()),
                  BAREFXT_ARG_U32("packets", queues.packets.count()),
                  BAREFXT_ARG_U32("blocks", queues.blocks.count()));
  BAREFXT_INSTANT(silent, "never recorded", BAREFXT_ARG_U32("n", 1));
}

}  // namespace kernel::workload
