#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <ctime>
#include <sched.h>
#include <thread>
#include <vector>

#include "costs.h"
#include "recording.h"

namespace {

constexpr unsigned kRounds = 40;  // in which all ran at once
constexpr unsigned kTries = 2000;
constexpr unsigned kRecords = sites::Floor::kBytes / 16;

unsigned cores() {
  return std::clamp(std::thread::hardware_concurrency(), 1u, unsigned{BAREFXT_MAX_CPUS});
}

double own_seconds() {
  timespec time = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}
double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// The times of threads that did the same at once.
struct Run {
  double own_seconds = 0;  // the mean of the time that each of them ran
  bool at_once = false;    // none of them waited for a core meanwhile, but for moments
};

// Runs `work(cpu)` in that many threads.
template <typename Work>
Run run(unsigned threads, const Work& work) {
  struct Times {
    double begin, end, own;
  };
  std::vector<Times> times(threads);
  std::atomic<unsigned> ready = 0;
  std::vector<std::thread> running;
  for (unsigned cpu = 0; cpu < threads; ++cpu) {
    running.emplace_back([&, cpu] {
      run_on_cpu(cpu);
      ++ready;
      while (ready != threads) sched_yield();
      const double begin = seconds_now();
      const double own = own_seconds();
      work(cpu);
      times[cpu] = {begin, seconds_now(), own_seconds() - own};
    });
  }
  for (std::thread& thread : running) thread.join();
  double sum = 0;
  double all_began = 0;
  double first_ended = 1e99;
  for (const Times& time : times) {
    sum += time.own;
    all_began = std::max(all_began, time.begin);
    first_ended = std::min(first_ended, time.end);
  }
  const double mean = sum / threads;
  return {mean, first_ended - all_began > 0.9 * mean};
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// `prepare` goes before each time that threads do `work`, `finish` after it.
template <typename Prepare, typename Work, typename Finish>
double speed_kept(const Prepare& prepare, const Work& work, const Finish& finish) {
  std::vector<double> alone;
  std::vector<double> together;
  for (unsigned i = 0; i < kTries && together.size() < kRounds; ++i) {
    prepare();
    const double one = run(1, work).own_seconds;
    if (!finish()) return -1;
    prepare();
    const Run all = run(cores(), work);
    if (!finish()) return -1;
    if (!all.at_once) continue;
    alone.push_back(one);
    together.push_back(all.own_seconds);
  }
  return together.size() == kRounds ? median(alone) / median(together) : -1;
}

}  // namespace

double speed_kept_by_writers() {
  run_on_cpu(0);
  Recording recording(static_cast<uint16_t>(cores()), kRecords);
  return speed_kept([&] { recording.start(); },
                    [](unsigned) {
                      for (unsigned i = 0; i < kRecords; ++i)
                        barefxt_context_switch(sites::outgoing, BAREFXT_STATE_BLOCKED,
                                               sites::incoming);
                    },
                    [] { return Recording::stop(); });
}

double speed_kept_by_floors() {
  std::vector<std::vector<uint8_t>> memory(cores(), std::vector<uint8_t>(sites::Floor::kBytes));
  std::vector<sites::Floor> floors(cores());
  for (unsigned cpu = 0; cpu < cores(); ++cpu) floors[cpu].memory = memory[cpu].data();
  return speed_kept([] {},
                    [&](unsigned cpu) {
                      for (unsigned i = 0; i < kRecords; ++i) sites::floor_of_a_record(floors[cpu]);
                    },
                    [] { return true; });
}
