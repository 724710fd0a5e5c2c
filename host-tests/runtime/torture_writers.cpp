#include "torture_writers.h"

#include <cerrno>
#include <csignal>
#include <ctime>
#include <pthread.h>

#include <barefxt/ring.h>

namespace barefxt::torture {
namespace {

constexpr int kSignals[kLevels] = {0, SIGUSR1, SIGUSR2};

void sleep_microseconds(long microseconds) {
  const timespec time = {0, microseconds * 1000};
  nanosleep(&time, nullptr);
}

uint64_t processor_counter() {
#if defined(__x86_64__)
  uint32_t low = 0;
  uint32_t high = 0;
  asm volatile("lfence\n\trdtsc" : "=a"(low), "=d"(high) : : "memory");
  return static_cast<uint64_t>(high) << 32 | low;
#else
  uint64_t ticks = 0;
  asm volatile("isb\n\tmrs %0, cntvct_el0" : "=r"(ticks) : : "memory");
  return ticks;
#endif
}

}  // namespace

thread_local Writers::Own* Writers::own = nullptr;
thread_local long Writers::held_up_microseconds = 0;

// A generator of one's own: handlers may not call the library's.
uint32_t Writers::chance(uint32_t of) {
  own->random = own->random * 6364136223846793005 + 1442695040888963407;
  return static_cast<uint32_t>(own->random >> 33) % of;
}

void Writers::interrupt_at(uint32_t level) {
  // Signals, too, come only while no interrupt of their level is at work.
  if (own->at >= level) return;
  const uint32_t before = own->at;
  own->at = level;
  torture::write(own->level[level].writer);
  if (chance(4) == 0) barefxt_host_cpu = chance(kCpus);
  if (chance(4) == 0) torture::write(own->level[level].writer);
  if (chance(100) == 0) sleep_microseconds(2000);
  own->at = before;
}

void Writers::interrupt(int signal) {
  const int error = errno;
  if (own != nullptr) interrupt_at(signal == kSignals[1] ? 1 : 2);
  errno = error;
}

uint64_t Writers::read_counter() {
  if (held_up_microseconds != 0) sleep_microseconds(held_up_microseconds);
  if (own != nullptr) {
    ++own->level[own->at].reads;
    if (own->at + 1 < kLevels && chance(40) == 0) interrupt_at(own->at + 1);
  }
  return processor_counter();
}

Writers::Writers(uint64_t attempts, Pace pace)
    : attempts_of_thread_(attempts / kThreads), pace_(pace) {
  barefxt_host_counter = &read_counter;
  for (uint32_t level = 1; level < kLevels; ++level) {
    struct sigaction action = {};
    action.sa_handler = &interrupt;
    action.sa_flags = SA_RESTART;
    // The second level interrupts the first, not the other way about.
    for (uint32_t masked = 1; masked < level; ++masked)
      sigaddset(&action.sa_mask, kSignals[masked]);
    sigaction(kSignals[level], &action, nullptr);
  }
  for (uint32_t thread = 0; thread < kThreads; ++thread)
    threads_.emplace_back([this, thread] { write(thread); });
  sender_ = std::thread([this] { send_signals(); });
}

void Writers::write(uint32_t thread) {
  Own& mine = own_[thread];
  for (uint32_t level = 0; level < kLevels; ++level)
    mine.level[level].writer.number = thread * kLevels + level;
  mine.random = thread + 1;
  barefxt_host_cpu = thread % kCpus;
  own = &mine;
  ready_.fetch_add(1);
  while (!stopping_.load(std::memory_order_relaxed) &&
         mine.level[0].writer.attempted < attempts_of_thread_) {
    torture::write(mine.level[0].writer);
    if (chance(1000) == 0) barefxt_host_cpu = chance(kCpus);
    if (pace_ == Pace::kWithPauses && chance(200) == 0) sleep_microseconds(1000);
  }
  done_.fetch_add(1, std::memory_order_release);
  // Stays to take signals until no more are sent.
  while (!may_end_.load(std::memory_order_acquire)) sleep_microseconds(200);
  own = nullptr;
}

void Writers::send_signals() {
  while (ready_.load() != kThreads) sleep_microseconds(100);
  uint32_t turn = 0;
  while (!are_done()) {
    ++turn;
    pthread_kill(threads_[turn % kThreads].native_handle(), kSignals[1 + turn / kThreads % 2]);
    if (turn % 4 == 0) sleep_microseconds(100);
  }
  may_end_.store(true, std::memory_order_release);
}

void Writers::join() {
  if (sender_.joinable()) sender_.join();
  for (std::thread& thread : threads_)
    if (thread.joinable()) thread.join();
  barefxt_host_counter = &processor_counter;
}

Writers::~Writers() {
  stop();
  join();
}

uint64_t Writers::sum(uint32_t Writer::* of_each) const {
  uint64_t sum = 0;
  for (const Own& each : own_)
    for (const Level& level : each.level) sum += level.writer.*of_each;
  return sum;
}

uint64_t Writers::counter_reads() const {
  uint64_t reads = 0;
  for (const Own& each : own_)
    for (const Level& level : each.level) reads += level.reads;
  return reads;
}

}  // namespace barefxt::torture
