#include "torture/torture.h"

#include "kernel/categories.h"
#include "kernel/console.h"
#include "kernel/interrupt.h"
#include "kernel/panic.h"
#include "kernel/rendezvous.h"
#include "kernel/scheduler.h"
#include "kernel/semaphore.h"
#include "kernel/tally.h"
#include "torture/checker.h"
#include "torture/frame_reader.h"
#include "workload/dump.h"
#include "workload/trace_memory.h"

namespace kernel::torture {
namespace {

using barefxt::torture::Checker;
using barefxt::torture::FrameReader;
using barefxt::torture::Writer;
using workload::trace_memory;

constexpr uint32_t kProcess = 1;
constexpr uint32_t kThreads = 12;
constexpr uint32_t kLevels = 2;  // of interrupts, on each CPU
constexpr uint8_t kWriterPriority = 10;
constexpr uint8_t kReaderPriority = 20;
constexpr uint8_t kDisturberPriority = 15;
// So many records, then a writer that is not to outrun a drain sleeps.
constexpr uint32_t kBetweenPauses = 64;

// The writers of interrupts, and their depth of nesting.
struct alignas(128) InterruptWriters {
  Writer level[kLevels];
  uint32_t depth = 0;
  uint32_t nested = 0;
  Writer nonmaskable;
  uint32_t nonmaskable_depth = 0;  // 0 or 1: the CPU holds the next one back
};

Parameters chosen;
Writer thread_writers[kThreads];
InterruptWriters interrupt_writers[board::kMaxCpus];
Semaphore may_write(0);
Semaphore have_written(0);
uint32_t writing = 0;  // threads that are not done
bool interrupts_write = false;
uint32_t records_of_thread = 0;
bool with_pauses = false;

Checker checker;
FrameReader reader(checker);
uint64_t kernel_records_before = 0;
uint64_t kernel_records = 0;
barefxt_stop_report report;
barefxt_config config;

// ---- Writing

void full_fence() {
  if constexpr (board::kMaxCpus > 1) __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

// An interrupt announces itself before it asks if it may record; a CPU that forbids that looks for
// announced interrupts afterwards. With a full fence in between on either side, one of them sees
// the other.
bool begin_in_interrupt(uint32_t& depth) {
  const uint32_t before = depth;
  __atomic_store_n(&depth, before + 1, __ATOMIC_RELAXED);
  full_fence();
  if (__atomic_load_n(&interrupts_write, __ATOMIC_RELAXED)) return true;
  __atomic_store_n(&depth, before, __ATOMIC_RELEASE);
  return false;
}

void end_in_interrupt(uint32_t& depth) { __atomic_store_n(&depth, depth - 1, __ATOMIC_RELEASE); }

void wait_for_interrupts(unsigned cpus) {
  __atomic_store_n(&interrupts_write, false, __ATOMIC_RELAXED);
  full_fence();
  for (unsigned cpu = 0; cpu < cpus; ++cpu)
    while (__atomic_load_n(&interrupt_writers[cpu].depth, __ATOMIC_ACQUIRE) != 0 ||
           __atomic_load_n(&interrupt_writers[cpu].nonmaskable_depth, __ATOMIC_ACQUIRE) != 0)
      scheduler::sleep_ticks(board::ticks_per_millisecond());
}

void write_in_interrupt() {
  const unsigned number = scheduler::this_cpu().number;
  InterruptWriters& mine = interrupt_writers[number];
  const uint32_t level = mine.depth;
  if (level == kLevels || !begin_in_interrupt(mine.depth)) return;
  if (level == 0) {
    // From here on others nest, from this CPU at the least.
    board::send_reschedule(number);
    board::interrupts_enable();
  } else {
    ++mine.nested;
  }
  barefxt::torture::write(mine.level[level]);
  board::interrupts_save_and_disable();
  end_in_interrupt(mine.depth);
  // The interrupted thread gives way to the next, and goes on elsewhere.
  __atomic_store_n(&scheduler::this_cpu().need_switch, true, __ATOMIC_RELAXED);
}

// Wherever the CPU was, between a switch and its record too. Nothing here may wait or lock.
void write_in_nonmaskable() {
  InterruptWriters& mine = interrupt_writers[scheduler::this_cpu().number];
  if (!begin_in_interrupt(mine.nonmaskable_depth)) return;
  barefxt::torture::write(mine.nonmaskable);
  end_in_interrupt(mine.nonmaskable_depth);
}

void be_a_writer(uintptr_t index) {
  Writer& mine = thread_writers[index];
  while (true) {
    may_write.down();
    for (uint32_t i = 0; i < records_of_thread; ++i) {
      barefxt::torture::write(mine);
      if (with_pauses && i % kBetweenPauses == 0)
        scheduler::sleep_ticks(board::ticks_per_millisecond());
    }
    __atomic_fetch_sub(&writing, 1, __ATOMIC_RELEASE);
    have_written.up();
  }
}

void disturb_cpu(unsigned cpu) {
  // A message is not to be begun in the middle of another.
  const CriticalSection section;
  board::send_reschedule(cpu);
#ifdef BOARD_HAS_NMI
  board::send_nonmaskable(cpu);
#endif
}

// Keeps a CPU to itself and interrupts the others, at any moment, while they write.
void disturb(uintptr_t /*unused*/) {
  uint32_t turn = 0;
  while (true) {
    if (__atomic_load_n(&writing, __ATOMIC_RELAXED) == 0) {
      scheduler::sleep_ticks(board::ticks_per_millisecond());
      continue;
    }
    disturb_cpu(++turn % scheduler::cpu_count());
    const uint64_t begin = board::ticks();
    while (board::ticks() - begin < board::ticks_per_millisecond() / 32) board::relax();
  }
}

// ---- A session

void start() {
  KERNEL_ASSERT(barefxt_start(&config) == BAREFXT_OK);
  scheduler::begin_afresh();
  kernel_records_before = tally::records();
}

void stop() {
  report = barefxt_stop();
  kernel_records = tally::records() - kernel_records_before;
}

// All of the torture's.
struct Sum {
  uint64_t attempted = 0;
  uint64_t migrated = 0;
  uint64_t contended = 0;
  uint64_t nested = 0;
  uint64_t nonmaskable = 0;
};
Sum sum_of_writers() {
  Sum sum;
  const auto add = [&](const Writer& writer) {
    sum.attempted += writer.attempted;
    sum.migrated += writer.migrated;
    sum.contended += writer.contended;
  };
  for (const Writer& writer : thread_writers) add(writer);
  for (const InterruptWriters& writers : interrupt_writers) {
    for (const Writer& writer : writers.level) add(writer);
    sum.nested += writers.nested;
    add(writers.nonmaskable);
    sum.nonmaskable += writers.nonmaskable.attempted;
  }
  return sum;
}

// False: there is nothing to take now.
bool drain() {
  static uint8_t frames[BAREFXT_DRAIN_BYTES];
  const size_t bytes = barefxt_drain(frames, sizeof frames, BAREFXT_DUMP_BINARY);
  reader.take(frames, bytes);
  return bytes != 0;
}

void dump_to_reader() {
  checker.clear();
  reader.clear();
  const barefxt_writer writer = {&FrameReader::write, &reader};
  KERNEL_ASSERT(barefxt_dump(&writer, BAREFXT_DUMP_BINARY) == BAREFXT_OK);
}

// The reader's work while the others write.
void read_meanwhile(barefxt_mode mode, const char*& problem) {
  if (mode == BAREFXT_MODE_STREAMING) {
    // Others write while it does that; on one CPU, while it sleeps. With two CPUs the interrupts of
    // this one keep the other busy, so that there is always something to drain.
    static uint32_t drained = 0;
    constexpr uint32_t kDrainsInARow = 8;
    const bool is_empty = !drain();
    const bool is_enough = scheduler::cpu_count() == 2 && ++drained % kDrainsInARow == 0;
    if (scheduler::cpu_count() == 1 ? is_empty : is_enough)
      scheduler::sleep_ticks(board::ticks_per_millisecond());
    return;
  }
  if (mode == BAREFXT_MODE_CIRCULAR) {
    KERNEL_ASSERT(barefxt_snapshot() == BAREFXT_OK);
    dump_to_reader();
    if (checker.problem() != nullptr) problem = checker.problem();
    if (reader.problem() != nullptr) problem = reader.problem();
    if (reader.totals().records != checker.records()) problem = "a snapshot has another number";
  }
  scheduler::sleep_ticks(5 * board::ticks_per_millisecond());
}

const char* judge(uint64_t attempted, uint64_t read) {
  if (checker.problem() != nullptr) return checker.problem();
  if (reader.problem() != nullptr) return reader.problem();
  if (!reader.totals().came) return "the end did not come";
  if (report.unfinished_records != 0) return "records are unfinished";
  if (reader.totals().records != read) return "the end has another number";
  if (report.recorded_records != read) return "the report has another number";
  if (reader.totals().lost != report.lost_records + report.overwritten_records)
    return "end and report tell different losses";
  if (read + report.lost_records + report.overwritten_records != attempted)
    return "records are unaccounted for";
  return "ok";
}

bool torture_rings(const char* name, barefxt_mode mode, size_t segments, uint32_t records) {
  const uint32_t cpus = scheduler::cpu_count();
  config.memory = trace_memory;
  config.bytes = cpus * segments * BAREFXT_SEGMENT_BYTES;
  config.cpus = static_cast<uint16_t>(cpus);
  config.mode = mode;
  config.categories =
      BAREFXT_CATEGORY_BIT(sched) | BAREFXT_CATEGORY_BIT(irq) | barefxt::torture::kCategories;
  config.target = board::kName;
  config.partial_after_ticks = 20 * board::ticks_per_millisecond();
  KERNEL_ASSERT(config.bytes <= sizeof trace_memory);
  checker.clear();
  reader.clear();
  records_of_thread = records;
  with_pauses = mode == BAREFXT_MODE_STREAMING;
  const char* problem = nullptr;
  const Sum before = sum_of_writers();

  with_others_held(&start);
  __atomic_store_n(&writing, kThreads, __ATOMIC_RELAXED);
  __atomic_store_n(&interrupts_write, true, __ATOMIC_RELAXED);
  for (uint32_t i = 0; i < kThreads; ++i) may_write.up();
  while (__atomic_load_n(&writing, __ATOMIC_ACQUIRE) != 0) read_meanwhile(mode, problem);
  for (uint32_t i = 0; i < kThreads; ++i) have_written.down();
  // Interrupts that are at it come to their end, too.
  wait_for_interrupts(cpus);
  with_others_held(&stop);

  if (mode == BAREFXT_MODE_STREAMING) {
    while (!barefxt_drain_is_over()) drain();
  } else {
    dump_to_reader();
  }
  const Sum after = sum_of_writers();
  const uint64_t attempted = after.attempted - before.attempted + kernel_records;
  if (problem == nullptr) problem = judge(attempted, checker.records());
  print("TORTURE on=", board::kName, " mode=", name, " cpus=", cpus,
        " writers=", kThreads + kLevels * cpus, " attempted=", attempted,
        " read=", checker.records(), " lost=", report.lost_records,
        " overwritten=", report.overwritten_records,
        " contended=", after.contended - before.contended,
        " migrated=", after.migrated - before.migrated, " nested=", after.nested - before.nested,
        " nonmaskable=", after.nonmaskable - before.nonmaskable, " result=", problem, "\n");
  return problem[0] == 'o' && problem[1] == 'k';
}

void conduct(uintptr_t /*unused*/) {
  tally::start();
  const uint32_t each = chosen.records / kThreads;
  // A full ring only drops, and writers of a stream sleep in between: these write less.
  bool fine = torture_rings("one-shot", BAREFXT_MODE_ONE_SHOT, 256, each / 4);
  fine = torture_rings("streaming", BAREFXT_MODE_STREAMING, 64, each / 8) && fine;
  const size_t segments = 64 / scheduler::cpu_count();
  fine = torture_rings("circular", BAREFXT_MODE_CIRCULAR, segments, each) && fine;
  workload::dump(chosen);
  print("TORTURE end\n");
  board::exit(fine ? 0 : 1);
}

}  // namespace

void create_first_thread(const Parameters& parameters) {
  chosen = parameters;
  barefxt_process_register(kProcess, "torture");
  uint32_t number = 0;
  for (uintptr_t i = 0; i < kThreads; ++i) {
    thread_writers[i].number = number++;
    create_thread({"torture/writer", kProcess, kWriterPriority, &be_a_writer, i, nullptr});
  }
  for (InterruptWriters& writers : interrupt_writers)
    for (Writer& writer : writers.level) writer.number = number++;
  for (InterruptWriters& writers : interrupt_writers) writers.nonmaskable.number = number++;
  static_assert(kThreads + board::kMaxCpus * (kLevels + 1) <= barefxt::torture::kMaxWriters);
  at_interrupt = &write_in_interrupt;
  at_nonmaskable = &write_in_nonmaskable;
  // The only CPU it would keep from the writers.
  if (scheduler::cpu_count() > 1)
    create_thread({"torture/disturber", kProcess, kDisturberPriority, &disturb, 0, nullptr});
  create_thread({"torture/reader", kProcess, kReaderPriority, &conduct, 0, nullptr});
}

}  // namespace kernel::torture
