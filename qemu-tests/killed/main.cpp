// Threads that an interrupt kills, or puts to sleep, before a random instruction of the writing of
// a record (killed/killing.h): on all CPUs at once, in the ring of each. Where there are several,
// one in two of the killed is unregistered by the next CPU, while its own goes on writing. One
// session after the other; the dump of each goes into the file trace.bin, one behind the other, and
// has the number of records in its line. With mode=streaming, on one CPU, a drain sends them there
// meanwhile, a few segments at random times:
//
//   KILLED cpus=N kills=N sleepers=N in_record=N opened=N recorded=N lost=N overwritten=N result=ok
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
constexpr uint32_t kPartialTicks = 100;

class Task;
Task* running[board::kMaxCpus];
void* main_stack_pointers[board::kMaxCpus];
unsigned cpus = 1;

unsigned this_cpu() { return static_cast<unsigned>(barefxt_port_cpu()); }
unsigned next_cpu() { return board::kMaxCpus == 1 ? 0 : (this_cpu() + 1) % cpus; }

// The thread that each CPU is asked to unregister.
barefxt_thread* asked[board::kMaxCpus];
void answer() {
  barefxt_thread*& mine = asked[this_cpu()];
  barefxt_thread* const thread = __atomic_load_n(&mine, __ATOMIC_ACQUIRE);
  if (thread == nullptr) return;
  barefxt_thread_unregister(thread);
  __atomic_store_n(&mine, nullptr, __ATOMIC_RELEASE);
}

// Each is reached by all CPUs, which answer meanwhile.
void meet() {
  static uint32_t arrived = 0;
  const uint32_t before = __atomic_fetch_add(&arrived, 1, __ATOMIC_ACQ_REL);
  const uint32_t all = (before / cpus + 1) * cpus;
  while (__atomic_load_n(&arrived, __ATOMIC_ACQUIRE) < all) {
    answer();
    board::relax();
  }
}

// Interrupts off, but while it writes.
class Task : public barefxt::killed::WritingTask {
 public:
  void start(uint32_t last, uint32_t seed) {
    begin(last, seed);
    stack_pointer_ = board::prepare_stack(stack_ + sizeof stack_, &Task::body);
    go_on();
  }
  void go_on() {
    running[this_cpu()] = this;
    board_context_switch(&main_stack_pointers[this_cpu()], stack_pointer_);
  }
  void stop_here() {
    is_stopped_ = true;
    leave();
  }

  void begin_to_unregister() {
    barefxt_thread*& next = asked[next_cpu()];
    is_asked_for_ = cpus > 1 && barefxt::killed::random_below(2) == 0;
    if (is_asked_for_)
      __atomic_store_n(&next, &thread, __ATOMIC_RELEASE);
    else
      barefxt_thread_unregister(&thread);
  }
  bool is_unregistered() const {
    answer();
    return !is_asked_for_ || __atomic_load_n(&asked[next_cpu()], __ATOMIC_ACQUIRE) == nullptr;
  }

 private:
  static void body() {
    Task& self = *running[this_cpu()];
    board::interrupts_enable();
    board::timer_fire_after(self.last_);
    self.write(barefxt::killed::kRecordsOfOne);
    board::timer_stop();
    board::interrupts_save_and_disable();
    self.is_over = true;
    self.leave();
  }
  void leave() { board_context_switch(&stack_pointer_, main_stack_pointers[this_cpu()]); }

  bool is_asked_for_ = false;
  void* stack_pointer_ = nullptr;
  alignas(16) uint8_t stack_[board::kStackBytes];
};

void interrupt_task(const board::Interrupt& interrupt) {
  if (interrupt.kind == board::InterruptKind::kNone) return;
  board::timer_stop();
  board::interrupt_end(interrupt);
  running[this_cpu()]->stop_here();
}

Parameters chosen;
bool is_stream() { return chosen.mode == Mode::kStreaming; }

size_t drain_once() {
  static uint8_t frames[BAREFXT_DRAIN_BYTES];
  const size_t bytes = barefxt_drain(frames, sizeof frames, BAREFXT_DUMP_BINARY);
  if (bytes != 0) board::file_write(frames, bytes);
  return bytes;
}
void drain_some() {
  for (uint32_t left = barefxt::killed::random_below(30); left != 0; --left) drain_once();
}
// The open segment, too, which must have waited.
void drain_all() {
  for (unsigned i = 0; i < 4; ++i) {
    while (drain_once() != 0) {
    }
    const uint64_t begin = barefxt_ticks();
    while (barefxt_ticks() - begin < kPartialTicks) board::relax();
  }
}

void start_session() {
  barefxt_config config = {};
  config.memory = workload::trace_memory;
  config.bytes = size_t{kSegments} * cpus * BAREFXT_SEGMENT_BYTES;
  config.cpus = static_cast<uint16_t>(cpus);
  config.mode = is_stream() ? BAREFXT_MODE_STREAMING : BAREFXT_MODE_CIRCULAR;
  config.partial_after_ticks = kPartialTicks;
  config.categories = ~0u;
  config.target = board::kName;
  KERNEL_ASSERT(barefxt_start(&config) == BAREFXT_OK);
}

void write_to_file(void* /*unused*/, const uint8_t* bytes, size_t count) {
  board::file_write(bytes, count);
}

// By each CPU in a session.
struct Share {
  uint64_t expected = 0;  // records
  uint32_t kills = 0;
  uint32_t in_record = 0;
  uint32_t behind_opening = 0;
};
Share shares[board::kMaxCpus];
const char* problem = nullptr;
uint64_t lost = 0;  // records, in all sessions

Share sum_of_shares() {
  Share sum;
  for (const Share& share : shares) {
    sum.expected += share.expected;
    sum.kills += share.kills;
    sum.in_record += share.in_record;
    sum.behind_opening += share.behind_opening;
  }
  return sum;
}

void kill_in_a_session(uint32_t times, bool beside_sleepers) {
  static Task tasks[board::kMaxCpus];
  static Task sleepers[board::kMaxCpus][kSleepers];
  Task& task = tasks[this_cpu()];
  const bool is_first = this_cpu() == 0;
  if (is_first) start_session();
  meet();
  barefxt::killed::Killing<Task> killing(false, is_stream() ? &drain_some : nullptr);
  for (uint32_t i = 0; i < times && killing.problem() == nullptr; ++i) {
    // The kernel's tick is off.
    barefxt_clock_tick();
    if (beside_sleepers)
      killing.kill_beside(sleepers[this_cpu()], task);
    else
      killing.kill(task);
    if (is_stream()) drain_all();
    killing.expect_nothing_left();
  }
  shares[this_cpu()] = {killing.expected(), killing.kills(), killing.killed_in_record(),
                        killing.killed_behind_opening()};
  if (killing.problem() != nullptr) __atomic_store_n(&problem, killing.problem(), __ATOMIC_RELAXED);
  meet();
  if (!is_first) return meet();
  const Share all = sum_of_shares();
  const barefxt_stop_report report = killing.stop(all.expected);
  if (problem == nullptr) problem = killing.problem();
  lost += report.lost_records;
  const barefxt_writer writer = {&write_to_file, nullptr};
  if (is_stream())
    drain_all();
  else
    KERNEL_ASSERT(barefxt_dump(&writer, BAREFXT_DUMP_BINARY) == BAREFXT_OK);
  print("KILLED cpus=", cpus, " kills=", all.kills, " sleepers=", beside_sleepers ? kSleepers : 0,
        " in_record=", all.in_record, " opened=", all.behind_opening,
        " recorded=", report.recorded_records, " lost=", report.lost_records,
        " overwritten=", report.overwritten_records,
        " result=", problem != nullptr ? problem : "ok", "\n");
  meet();
}

void kill_by_turns(uint32_t rounds) {
  barefxt::killed::seed_random_numbers(1 + this_cpu());
  // On several CPUs the time decides, and few are killed within a record: on until one was.
  const auto has_enough = [&](uint32_t done) {
    return done >= rounds && (lost != 0 || done >= 10 * rounds);
  };
  for (uint32_t done = 0; !has_enough(done) && problem == nullptr; done += kKillsOfSession) {
    kill_in_a_session(kKillsOfSession, false);
    kill_in_a_session(kKillsOfSession / 10, true);
  }
}

unsigned online = 1;
bool is_ready = false;

}  // namespace
}  // namespace kernel

void kernel_main() {
  using namespace kernel;
  chosen = read_parameters();
  board::interrupts_initialize_cpu();
  while (cpus < board::kMaxCpus && board::start_cpu(cpus)) {
    ++cpus;
    while (__atomic_load_n(&online, __ATOMIC_ACQUIRE) != cpus) board::relax();
  }
  KERNEL_ASSERT(!is_stream() || cpus == 1);
  interrupt_instead = &interrupt_task;
  barefxt_process_register(1, "kernel");
  barefxt_process_register(barefxt::killed::kProcess, "killed");
  for (unsigned cpu = 0; cpu < cpus; ++cpu)
    barefxt_thread_register(&barefxt::killed::main_thread(cpu), 1, 7 + cpu, "main", 1);
  KERNEL_ASSERT(board::file_open());
  __atomic_store_n(&is_ready, true, __ATOMIC_RELEASE);
  kill_by_turns(chosen.rounds);
  KERNEL_ASSERT(board::file_close());
  print("KILLED end\n");
  board::exit(problem == nullptr ? 0 : 1);
}

void kernel_secondary_main(unsigned /*cpu*/) {
  using namespace kernel;
  board::interrupts_initialize_cpu();
  __atomic_fetch_add(&online, 1, __ATOMIC_ACQ_REL);
  while (!__atomic_load_n(&is_ready, __ATOMIC_ACQUIRE)) board::relax();
  kill_by_turns(chosen.rounds);
  while (true) board::relax();
}
