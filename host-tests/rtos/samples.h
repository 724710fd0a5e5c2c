// For tests of kernels' hooks that are compiled to sample every third tick: what is recorded, and
// that only the running thread's stack is read. One file of a test includes this.
#pragma once

#include <map>

#include <barefxt_interrupted.h>
#include <barefxt_port.h>

#include "switches.h"

barefxt_interrupted stand_in_interrupted = {};

namespace barefxt::test {

// The kernel's own fixture.
template <typename Kernel>
class Sampled : public Kernel {
 protected:
  static constexpr int kSample = 10;
  using Frames = std::vector<uint64_t>;

  // `tick` is the timer's interrupt, begun and ended. The counts of ticks go on from other tests.
  template <typename Tick>
  void expect_samples_of_ticks(const Tick& tick) {
    stand_in_interrupted = {0x1234, 0, 0};
    this->start(16, ~BAREFXT_CATEGORY_BIT(samples));
    tick();
    EXPECT_TRUE(this->stop_and_read().of_type(kSample).empty());
    this->start();
    for (unsigned i = 0; i < 18; ++i) {
      run_on_cpu(i % 3 == 2 ? 1 : 0);
      tick();
    }
    run_on_cpu(0);
    const PlainArchive archive = this->stop_and_read();
    const auto ticks = archive.events("tick");
    std::map<uint64_t, unsigned> by_thread;
    for (const PlainRecord& sample : archive.of_type(kSample)) {
      ++by_thread[sample.thread];
      EXPECT_EQ(sample.numbers, Frames{0x1234});
      const auto is_before = [&](const auto& it) { return it.timestamp < sample.timestamp; };
      EXPECT_EQ(std::count_if(ticks.begin(), ticks.end(), is_before) % 2, 0) << "within the tick";
    }
    ASSERT_EQ(by_thread.size(), 2u);
    EXPECT_EQ(by_thread.begin()->second + by_thread.rbegin()->second, 6u);
  }

  // Nothing is recorded where no register has what the tick came to.
  template <typename Tick>
  void expect_no_sample_of_nothing(const Tick& tick) {
    stand_in_interrupted = {0, 0, 0};
    this->start();
    for (int i = 0; i < 3; ++i) tick();
    EXPECT_TRUE(this->stop_and_read().of_type(kSample).empty());
  }

  // The running thread's stack, and the one behind it, are of so many bytes.
  void expect_callers_within(void (*sample)(barefxt_interrupted), const void* stack, size_t bytes) {
    const auto begin = reinterpret_cast<uintptr_t>(stack);
    const uintptr_t last = begin + bytes - 2 * sizeof(uintptr_t);
    const uintptr_t first = last - 4 * sizeof(uintptr_t);
    make_frame(first, 0x2000, last);
    make_frame(last, 0x3000, begin + bytes);
    make_frame(begin + bytes, 0x4000, 0);
    this->start();
    sample({0x1000, first, begin});
    sample({0x1000, begin + bytes, begin + bytes});
    sample({0x1000, first, begin - sizeof(uintptr_t)});
    const auto samples = this->stop_and_read().of_type(kSample);
    ASSERT_EQ(samples.size(), 3u);
    EXPECT_EQ(samples[0].numbers, (Frames{0x1000, 0x2000, 0x3000}));
    EXPECT_EQ(samples[1].numbers, Frames{0x1000});
    EXPECT_EQ(samples[2].numbers, Frames{0x1000});
  }

 private:
  static void make_frame(uintptr_t at, uintptr_t address, uintptr_t caller) {
    auto* const words = reinterpret_cast<uintptr_t*>(at);
    words[BAREFXT_PORT_FRAME_RETURN] = address;
    words[BAREFXT_PORT_FRAME_CALLER] = caller;
  }
};

}  // namespace barefxt::test
