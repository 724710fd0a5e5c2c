// The threads of the small demo.
#include "small/members.h"

#include <barefxt/barefxt.h>

#include "kernel/board.h"
#include "kernel/tally.h"
#include "kernel/thread.h"
#include "workload/bracketed.h"
#include "workload/messages.h"
#include "workload/phase.h"
#include "workload/processes.h"
#include "workload/services.h"
#include "workload/threads.h"

namespace kernel::workload {
namespace {

void transmit_uplink() {
  while (receive(queues.uplink)) bracketed_probe();
}

// Takes what CPU is left, in turns with the idle thread.
void keep_busy_meanwhile() {
  while (phase() != Phase::kOver) {
    workload_compute(3000);
    workload_sleep_ms(3);
  }
}

struct Member {
  const char* name;
  uint32_t process;
  uint8_t priority;
  Stage stage;
  void (*work)();
};

// With the conductor, the idle thread, and what streams where something does: eight.
constexpr Member kMembers[] = {
    {"sensor/adc", PROCESS_SENSOR, 24, Stage::kSource, sample_analog},
    {"sensor/imu", PROCESS_SENSOR, 24, Stage::kSource, sample_motion},
    {"sensor/filter", PROCESS_SENSOR, 18, Stage::kMiddle, filter_samples},
    {"network/tx", PROCESS_NETWORK, 19, Stage::kSink, transmit_uplink},
    {"network/poll", PROCESS_NETWORK, 5, Stage::kBackground, keep_busy_meanwhile},
};

constexpr uint32_t count_of(Stage stage) {
  uint32_t count = 0;
  for (const Member& member : kMembers) count += member.stage == stage ? 1 : 0;
  return count;
}

void be_a_member(uintptr_t index) {
  const Member& member = kMembers[index];
  if (member.stage != Stage::kBackground) wait_through(Phase::kBefore);
  member.work();
  arrive(member.stage);
  wait_through(Phase::kRunning);
  wait_through(Phase::kDraining);
}

// Senders end before those they send to, so that every flow comes to its end.
void drain() {
  set_phase(Phase::kDraining);
  wait_for_arrivals(Stage::kSource, count_of(Stage::kSource));
  queues.samples.close();
  wait_for_arrivals(Stage::kMiddle, count_of(Stage::kMiddle));
  queues.uplink.close();
  wait_for_arrivals(Stage::kSink, count_of(Stage::kSink));
}

}  // namespace

void register_processes() {
  constexpr struct {
    uint32_t koid;
    const char* name;
  } kProcesses[] = {{PROCESS_SENSOR, "sensor"}, {PROCESS_NETWORK, "network"}};
  for (const auto& process : kProcesses) {
    barefxt_process_register(process.koid, process.name);
    tally::process(process.koid, process.name);
  }
}

void create_members() {
  for (uintptr_t i = 0; i < sizeof kMembers / sizeof kMembers[0]; ++i) {
    const Member& member = kMembers[i];
    create_thread({member.name, member.process, member.priority, &be_a_member, i, nullptr});
  }
}

void let_members_run(uint32_t milliseconds) {
  set_phase(Phase::kRunning);
  const uint64_t end = board::ticks() + milliseconds * board::ticks_per_millisecond();
  while (board::ticks() < end) {
    sample_load();
    workload_sleep_ms(5);
  }
  drain();
}

}  // namespace kernel::workload
