// The network process: packets in bursts, and the sensors' samples on their way out.
#include "kernel/categories.h"
#include "kernel/tally.h"
#include "workload/messages.h"
#include "workload/phase.h"
#include "workload/services.h"
#include "workload/threads.h"

namespace kernel::workload {

void receive_packets() {
  for (uint32_t burst = 0; workload_is_running(); ++burst) {
    // Now and then more than the queue holds, so that a sender waits, too.
    const uint32_t packets = burst % 16 == 0 ? 12 : 1 + burst % 3;
    tally::probe(TALLY_DURATION_BEGIN);
    BAREFXT_DURATION_BEGIN(probe, "burst", BAREFXT_ARG_U32("packets", packets));
    for (uint32_t i = 0; i < packets; ++i)
      send(queues.packets, 64 + 100 * i, static_cast<int32_t>(burst), i == 0);
    tally::probe(TALLY_DURATION_END);
    BAREFXT_DURATION_END(probe, "burst");
    workload_sleep_ms(8);
  }
}

void handle_packets() {
  while (forward(queues.packets, queues.blocks)) workload_compute(4000);
}

void transmit() {
  while (receive(queues.uplink)) workload_compute(3000);
}

void keep_busy() {
  while (phase() != Phase::kOver) {
    workload_compute(300000);
    workload_sleep_ms(4);
  }
}

}  // namespace kernel::workload
