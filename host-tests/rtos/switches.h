// What tests of kernels' hooks read from an archive: switches and wakeups, by names; and what holds
// for all of them.
#pragma once

#include <string>
#include <vector>

#include "../runtime/session_fixture.h"

namespace barefxt::test {

class RtosTest : public SessionTest {
 protected:
  static constexpr int kSwitch = 8;
  static constexpr int kKernelObject = 7;
  static constexpr unsigned kWakeup = 2;
  static constexpr unsigned kComplete = 4;

  static std::string name_of(const PlainArchive& archive, uint64_t koid) {
    std::string name = "?";
    for (const PlainRecord& record : archive.of_type(kKernelObject))
      if (record.value == koid) name = record.name;
    return name;
  }
  // "name (state) -> name", states as numbers of the format.
  static std::vector<std::string> switches(const PlainArchive& archive) {
    std::vector<std::string> found;
    for (const PlainRecord& record : archive.of_type(kSwitch))
      if (record.subtype != kWakeup)
        found.push_back(name_of(archive, record.thread) + " (" +
                        std::to_string(record.numbers.at(0)) + ") -> " +
                        name_of(archive, record.other_thread));
    return found;
  }
  static std::vector<std::string> wakeups(const PlainArchive& archive) {
    std::vector<std::string> found;
    for (const PlainRecord& record : archive.of_type(kSwitch))
      if (record.subtype == kWakeup) found.push_back(name_of(archive, record.thread));
    return found;
  }

  // `interrupt` is an interrupt of that number, begun and ended.
  template <typename Interrupt>
  void expect_ticks_of_each_cpu(uint32_t timer, const Interrupt& interrupt) {
    const uint32_t another = timer + 1;
    start(16, ~BAREFXT_CATEGORY_BIT(irq));
    for (const unsigned cpu : {0u, 0u, 1u}) {
      run_on_cpu(cpu);
      interrupt(timer);
      interrupt(another);
    }
    run_on_cpu(0);
    const auto ticks = stop_and_read().events("ticks");
    ASSERT_EQ(ticks.size(), 3u);
    EXPECT_EQ(ticks[1].argument("ticks")->bits, ticks[0].argument("ticks")->bits + 1);
    EXPECT_EQ(ticks[1].value, 0u);
    EXPECT_EQ(ticks[2].value, 1u);
  }
};

}  // namespace barefxt::test
