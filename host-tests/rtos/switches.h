// For tests of kernels' hooks: switches and wakeups from an archive, by names, and checks that all
// of them share.
#pragma once

#include <string>
#include <vector>

#include <barefxt/host/stats.h>

#include "../runtime/session_fixture.h"

namespace barefxt::test {

class RtosTest : public SessionTest {
 protected:
  static constexpr int kSwitch = 8;
  static constexpr int kKernelObject = 7;
  static constexpr unsigned kWakeup = 2;
  static constexpr unsigned kComplete = 4;
  // Ids of the hooks' making are small, so that viewers show them whole. None is an address.
  static constexpr uint64_t kFirstId = 65536;
  static constexpr uint64_t kIdsEnd = 2 * kFirstId;
  static constexpr uint64_t kFirstCpuThread = 0x7f000000;

  // "name (state) -> name", states as numbers of the format.
  static std::vector<std::string> switches(const PlainArchive& archive) {
    std::vector<std::string> found;
    for (const PlainRecord& record : archive.of_type(kSwitch)) {
      if (record.subtype == kWakeup) continue;
      found.push_back(name_of(archive, record.thread) + " (" +
                      std::to_string(record.numbers.at(0)) + ") -> " +
                      name_of(archive, record.other_thread));
      for (const uint64_t koid : {record.thread, record.other_thread})
        EXPECT_TRUE(koid < kIdsEnd || koid >= kFirstCpuThread) << koid;
    }
    return found;
  }
  // One instant of that name has a koid under `key`, and the address of its owner.
  static void expect_address(const PlainArchive& archive, const std::string& name,
                             const std::string& key, const void* address) {
    const auto created = archive.events(name);
    ASSERT_EQ(created.size(), 1u) << name;
    ASSERT_NE(created[0].argument("address"), nullptr) << name;
    EXPECT_EQ(created[0].argument("address")->bits, reinterpret_cast<uintptr_t>(address)) << name;
    EXPECT_GE(created[0].argument(key)->bits, kFirstId) << name;
    EXPECT_LT(created[0].argument(key)->bits, kIdsEnd) << name;
  }
  // The bytes left at each mark of a thread's stack.
  static std::vector<uint64_t> marks(const PlainArchive& archive, const std::string& thread,
                                     uint64_t bytes) {
    std::vector<uint64_t> found;
    for (const PlainRecord& record : archive.events("stack")) {
      if (name_of(archive, record.value) != thread) continue;
      found.push_back(record.argument("left")->bits);
      EXPECT_EQ(record.argument("used")->bits, bytes - found.back());
    }
    return found;
  }
  // "name", or "name by 24" if the record names an interrupt.
  static std::vector<std::string> wakeups(const PlainArchive& archive) {
    std::vector<std::string> found;
    for (const PlainRecord& record : archive.of_type(kSwitch)) {
      if (record.subtype != kWakeup) continue;
      found.push_back(name_of(archive, record.thread));
      if (const PlainArgument* const number = record.argument("irq"))
        found.back() += " by " + std::to_string(number->bits);
    }
    return found;
  }

  // By `barefxt stats`, in the archive that was read last: "high" waited for the mutex that "low"
  // held, while "middle" ran.
  void expect_the_inversion(const std::string& object, const std::string& category,
                            const std::string& wait) const {
    host::Source source = host::Source::of(rebuilt_.archive, "rebuilt");
    const auto collected = host::collect_statistics(source, host::Form{});
    ASSERT_TRUE(collected.ok());
    const host::Statistics& reported = collected.value();
    ASSERT_EQ(reported.inversions.size(), 1u);
    const auto& [key, one] = *reported.inversions.begin();
    EXPECT_EQ(reported.name_of(key.waiter), "high");
    EXPECT_EQ(reported.name_of(key.holder), "low");
    EXPECT_EQ(reported.name_of(key.runner), "middle");
    EXPECT_EQ(reported.name_of(key.object).substr(0, object.size()), object);
    EXPECT_EQ(key.object.label, (host::ProbeName{category, wait}));
    EXPECT_EQ(host::kind_of_wait(key.object.label), "mutex");
    EXPECT_EQ(one.waits, 1u);
    const host::ContentionStatistics& waits = reported.contention.at(key.object);
    EXPECT_EQ(waits.wait.count(), 1u);
    EXPECT_EQ(waits.by_holder.size(), 1u);
    EXPECT_TRUE(waits.by_holder.contains(key.holder));
  }

  // "a" waited once, for an object whose name begins so, and got it.
  static void expect_wait(const PlainArchive& archive, const std::string& wait,
                          const std::string& object) {
    const auto waits = archive.events(wait);
    ASSERT_EQ(waits.size(), 1u) << wait;
    EXPECT_EQ(waits[0].subtype, kComplete);
    EXPECT_EQ(name_of(archive, waits[0].thread), "a");
    EXPECT_EQ(name_of(archive, waits[0].argument("object")->bits).rfind(object, 0), 0u);
    EXPECT_EQ(waits[0].argument("failed"), nullptr);
  }

  // Interrupts are durations, that of the timer within another one. An exit alone is left out.
  template <typename Enter, typename Exit>
  void expect_interrupts(uint32_t timer, uint32_t device, const Enter& enter, const Exit& exit) {
    start();
    enter(device);
    enter(timer);
    exit(timer);
    exit(device);
    exit(device + 1);
    const PlainArchive archive = stop_and_read();
    EXPECT_EQ(archive.events("tick").size(), 2u);
    ASSERT_EQ(archive.events("interrupt").size(), 2u);
    EXPECT_EQ(archive.events("interrupt")[0].argument("irq")->bits, device);
  }

  // Switches are turned off right behind the swap of the switch to the thread that runs, which
  // stores the thread behind that. `to_another` switches away from it.
  template <typename Switch>
  void expect_no_late_thread(const Switch& to_another) {
    const barefxt_thread* const late = rings[0].current.load_relaxed();
    ASSERT_NE(late, &rings[0].cpu_thread);
    barefxt_set_categories(~BAREFXT_CATEGORY_BIT(sched));
    rings[0].set_current(*late);
    BAREFXT_INSTANT(irq, "runs");
    to_another();
    BAREFXT_INSTANT(irq, "has left");
    const PlainArchive archive = stop_and_read();
    ASSERT_EQ(archive.events("runs").size(), 1u);
    EXPECT_EQ(archive.events("runs")[0].thread, late->koid);
    ASSERT_EQ(archive.events("has left").size(), 1u);
    EXPECT_EQ(archive.events("has left")[0].thread, kFirstCpuThread);
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
