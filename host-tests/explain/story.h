// Short traces by hand: who did what when, and what explain says of them.
#pragma once

#include <gtest/gtest.h>

#include <barefxt/host/explain.h>

#include "simulated_system.h"
#include "stats/summing.h"

namespace barefxt::test::explaining {

inline constexpr unsigned kReadyState = 0;
inline constexpr unsigned kBlockedState = 3;

class Story {
 public:
  // Threads have priorities of 10 times their koids. Each thread runs once on CPU 0, and is blocked
  // from tick 100 on.
  explicit Story(unsigned cpus = 1) {
    options_.cpus = cpus;
    for (unsigned cpu = 1; cpu < cpus; ++cpu) {
      change(1 + cpu, cpu, kIdle + cpu, 6);
      change(3 + cpu, cpu, 6, kIdle + cpu, kReadyState);
    }
    for (uint64_t thread = 1; thread <= kThreads; ++thread) {
      change(10 * thread, 0, thread == 1 ? kIdle : thread - 1, thread,
             thread == 1 ? kReadyState : kBlockedState);
    }
    change(80, 0, kThreads, kIdle, kBlockedState);
  }

  Story& change(uint64_t time, unsigned cpu, uint64_t from, uint64_t to,
                unsigned state = kReadyState) {
    return add({.kind = Record::kSwitch,
                .time = time,
                .cpu = cpu,
                .thread = from,
                .other = to,
                .number = state,
                .out_priority = priority(from),
                .in_priority = priority(to)});
  }
  Story& wake(uint64_t time, unsigned cpu, uint64_t thread, uint64_t waker = kNobody) {
    return add(
        {.kind = Record::kWakeup, .time = time, .cpu = cpu, .thread = thread, .waker = waker});
  }
  Story& begin(uint64_t time, unsigned cpu, unsigned interrupt = 0) {
    return add({.kind = Record::kInterruptBegin, .time = time, .cpu = cpu, .number = interrupt});
  }
  Story& end(uint64_t time, unsigned cpu, unsigned interrupt = 0) {
    return add({.kind = Record::kInterruptEnd, .time = time, .cpu = cpu, .number = interrupt});
  }
  Story& hold(uint64_t time, uint64_t thread, unsigned lock) {
    return add({.kind = Record::kHold, .time = time, .cpu = 0, .thread = thread, .number = lock});
  }
  Story& release(uint64_t time, uint64_t thread, unsigned lock) {
    return add(
        {.kind = Record::kRelease, .time = time, .cpu = 0, .thread = thread, .number = lock});
  }
  Story& blocks(uint64_t time, uint64_t thread, unsigned lock) {
    return add({.kind = Record::kBlocks, .time = time, .cpu = 0, .thread = thread, .number = lock});
  }
  Story& waited(uint64_t begin, uint64_t time, uint64_t thread, unsigned lock) {
    return add({.kind = Record::kWait,
                .time = time,
                .cpu = 0,
                .thread = thread,
                .other = begin,
                .number = lock});
  }
  Story& slice(uint64_t begin, uint64_t time, uint64_t thread) {
    return add({.kind = Record::kSlice, .time = time, .cpu = 0, .thread = thread, .other = begin});
  }
  Story& lose(uint64_t begin, uint64_t time, unsigned cpu) {
    return add({.kind = Record::kLoss, .time = time, .cpu = cpu, .other = begin});
  }
  Story& add(const Record& record) {
    records_.push_back(record);
    return *this;
  }

  std::string archive() const { return archive_of(options_, records_); }
  host::Explained explained(const host::ExplainOptions& options) const {
    const std::string bytes = archive();
    host::Source source = host::Source::of(as_bytes(bytes), "in memory");
    host::Result<host::Explained> result = host::explain(source, host::Form{}, options);
    EXPECT_TRUE(result.ok());
    return std::move(result.value());
  }
  // Of the longest.
  std::string text(host::ExplainOptions options = {}) const {
    options.worst = 1;
    host::StringOutput out;
    host::print_explanations(out, explained(options));
    return out.take();
  }

 private:
  static unsigned priority(uint64_t thread) {
    return thread >= kIdle ? 0 : static_cast<unsigned>(10 * thread);
  }

  SystemOptions options_;
  std::vector<Record> records_;
};

}  // namespace barefxt::test::explaining
