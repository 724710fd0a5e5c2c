// CPU 0 is asked for the time, in rounds, until everybody knows it closely enough. One round would
// do on real CPUs. Those of an emulator stand still now and then while the host is busy, and a
// round in which each question meets such a pause measures little.
#include "kernel/clocks.h"

#include <barefxt/barefxt.h>
#include <barefxt/clock.h>

#include "kernel/board.h"
#include "kernel/panic.h"

namespace kernel {
namespace {

constexpr uint64_t kMaxMilliseconds = 30000;
constexpr unsigned kMaxRounds = 1000;
// A message from CPU to CPU takes longer.
constexpr uint64_t kCloseEnough = 100;

// Each other CPU adds one to one of the two, and waits for CPU 0 to count the round.
uint32_t close = 0;
uint32_t not_close = 0;
uint32_t rounds = 0;

void sync(unsigned cpus) {
  const barefxt_error error = barefxt_clock_sync(static_cast<uint16_t>(cpus),
                                                 kMaxMilliseconds * board::ticks_per_millisecond());
  KERNEL_ASSERT(error == BAREFXT_OK);
}

uint64_t error_of_own() {
  uint64_t words[barefxt::ClockOffset::kWords] = {};
  barefxt::clock_offsets[barefxt::this_clock()].read(words);
  return words[barefxt::ClockOffset::kError];
}

uint32_t load(const uint32_t& word) { return __atomic_load_n(&word, __ATOMIC_ACQUIRE); }

void answer(unsigned cpus) {
  bool is_over = false;
  for (unsigned round = 1; !is_over; ++round) {
    KERNEL_ASSERT(round <= kMaxRounds);
    sync(cpus);
    while (load(close) + load(not_close) != cpus - 1) board::relax();
    is_over = load(not_close) == 0;
    close = 0;
    not_close = 0;
    __atomic_store_n(&rounds, is_over ? kMaxRounds + 1 : round, __ATOMIC_RELEASE);
  }
}

void ask(unsigned cpus) {
  uint32_t round = 0;
  while (round <= kMaxRounds) {
    sync(cpus);
    const bool is_close = error_of_own() <= kCloseEnough;
    __atomic_fetch_add(is_close ? &close : &not_close, 1, __ATOMIC_ACQ_REL);
    const uint32_t before = round;
    while (round == before) {
      board::relax();
      round = load(rounds);
    }
  }
}

}  // namespace

void compare_clocks(unsigned cpus) {
  if (!barefxt::kCounterIsPerCpu || cpus == 1) return;
  if (barefxt::this_clock() == 0)
    answer(cpus);
  else
    ask(cpus);
}

void check_cpus(unsigned cpus) {
  if (board::kMaxCpus == 1) return;
  static unsigned all = 0;
  if (cpus != 0) __atomic_store_n(&all, cpus, __ATOMIC_RELEASE);
  while (load(all) == 0) board::relax();
  if (load(all) == 1) return;
  const barefxt_error error = barefxt_check_cpus(static_cast<uint16_t>(load(all)),
                                                 kMaxMilliseconds * board::ticks_per_millisecond());
  KERNEL_ASSERT(error == BAREFXT_OK);
}

}  // namespace kernel
