// Threads that an interrupt kills, or puts to sleep, before a random instruction of the writing of
// a record (killed/killing.h). One session after the other; the dump of each goes into the file
// trace.bin, one behind the other, and says as many records as its line:
//
//   KILLED kills=N sleepers=N in_record=N opened=N recorded=N lost=N overwritten=N result=ok
#include "kernel/board.h"
#include "kernel/console.h"
#include "kernel/interrupt.h"
#include "kernel/panic.h"
#include "kernel/parameters.h"
#include "killed/killing.h"
#include "workload/trace_memory.h"

namespace kernel {
namespace {

using barefxt::killed::kSegments;
using barefxt::killed::main_thread;

constexpr unsigned kSleepers = 3;
constexpr uint32_t kKillsOfSession = 200;

class Task;
Task* running = nullptr;
void* main_stack_pointer = nullptr;

// Interrupts off, but while it writes.
class Task : public barefxt::killed::WritingTask {
 public:
  void start(uint32_t last, uint32_t seed) {
    begin(last, seed);
    stack_pointer_ = board::prepare_stack(stack_ + sizeof stack_, &Task::body);
    go_on();
  }
  void go_on() {
    running = this;
    board_context_switch(&main_stack_pointer, stack_pointer_);
  }
  void stop_here() {
    is_stopped_ = true;
    leave();
  }

 private:
  static void body() {
    Task& self = *running;
    board::interrupts_enable();
    board::timer_fire_after(self.last_);
    self.write(barefxt::killed::kRecordsOfOne);
    board::timer_stop();
    board::interrupts_save_and_disable();
    self.is_over = true;
    self.leave();
  }
  void leave() { board_context_switch(&stack_pointer_, main_stack_pointer); }

  void* stack_pointer_ = nullptr;
  alignas(16) uint8_t stack_[board::kStackBytes];
};

void interrupt_task(const board::Interrupt& interrupt) {
  if (interrupt.kind == board::InterruptKind::kNone) return;
  board::timer_stop();
  board::interrupt_end(interrupt);
  running->stop_here();
}

void start_session() {
  barefxt_config config = {};
  config.memory = workload::trace_memory;
  config.bytes = size_t{kSegments} * BAREFXT_SEGMENT_BYTES;
  config.cpus = 1;
  config.mode = BAREFXT_MODE_CIRCULAR;
  config.categories = ~0u;
  config.target = board::kName;
  KERNEL_ASSERT(barefxt_start(&config) == BAREFXT_OK);
}

void write_to_file(void* /*unused*/, const uint8_t* bytes, size_t count) {
  board::file_write(bytes, count);
}

bool kill_in_a_session(uint32_t times, bool beside_sleepers) {
  static Task task;
  static Task sleepers[kSleepers];
  start_session();
  barefxt::killed::Killing<Task> killing(false);
  for (uint32_t i = 0; i < times && killing.problem() == nullptr; ++i) {
    // The kernel's tick is off.
    barefxt_clock_tick();
    if (beside_sleepers)
      killing.kill_beside(sleepers, task);
    else
      killing.kill(task);
    killing.expect_nothing_left();
  }
  const barefxt_stop_report report = killing.stop();
  const barefxt_writer writer = {&write_to_file, nullptr};
  KERNEL_ASSERT(barefxt_dump(&writer, BAREFXT_DUMP_BINARY) == BAREFXT_OK);
  print("KILLED kills=", killing.kills(), " sleepers=", beside_sleepers ? kSleepers : 0,
        " in_record=", killing.killed_in_record(), " opened=", killing.killed_behind_opening(),
        " recorded=", report.recorded_records, " lost=", report.lost_records,
        " overwritten=", report.overwritten_records,
        " result=", killing.problem() != nullptr ? killing.problem() : "ok", "\n");
  return killing.problem() == nullptr;
}

}  // namespace
}  // namespace kernel

void kernel_main() {
  using namespace kernel;
  const Parameters chosen = read_parameters();
  board::interrupts_initialize_cpu();
  interrupt_instead = &interrupt_task;
  barefxt_process_register(1, "kernel");
  barefxt_process_register(barefxt::killed::kProcess, "killed");
  barefxt_thread_register(&main_thread, 1, 7, "main", 1);
  KERNEL_ASSERT(board::file_open());
  bool is_sound = true;
  for (uint32_t done = 0; done < chosen.rounds && is_sound; done += kKillsOfSession) {
    is_sound = kill_in_a_session(kKillsOfSession, false);
    is_sound = kill_in_a_session(kKillsOfSession / 10, true) && is_sound;
  }
  KERNEL_ASSERT(board::file_close());
  print("KILLED end\n");
  board::exit(is_sound ? 0 : 1);
}

// Nothing here needs another CPU.
void kernel_secondary_main(unsigned /*cpu*/) {
  while (true) board::relax();
}
