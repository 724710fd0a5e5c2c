// Jobs: what a thread does each time it is activated, and whether it was done by its deadline.
//
// A job is judged only where all of it was recorded. One that a loss makes doubtful is `in_doubt`,
// and one that is due after the end is `not_due`: neither counts as on time or late.
#pragma once

#include <compare>
#include <cstdint>
#include <string>

#include <barefxt/host/distribution.h>

namespace barefxt::host {

enum class JobSource : uint8_t {
  kRecorded,  // the target recorded its jobs
  kWakeups,   // a thread's wakeups, until it blocks again: asked for by --deadline
};

struct JobKey {
  uint64_t thread;
  std::string name;
  JobSource source = JobSource::kRecorded;
  auto operator<=>(const JobKey&) const = default;
};

struct JobStatistics {
  Distribution response;       // from release to end
  Distribution interval;       // from release to the next release
  uint64_t period_ns = 0;      // of the last job; 0: none is recorded
  uint64_t deadline_ns = 0;    // the same, counted from the release
  uint64_t on_time = 0;        // ended by its deadline
  uint64_t late = 0;           // ended after it, or overdue
  uint64_t overdue = 0;        // had not ended, and the deadline had passed
  uint64_t overdue_ticks = 0;  // from release on, of the oldest of these
  uint64_t not_due = 0;        // had not ended, and is due after the end
  uint64_t in_doubt = 0;
  uint64_t without_deadline = 0;  // ended, with no deadline given

  uint64_t judged() const { return on_time + late; }
  double late_share() const {
    return judged() == 0 ? 0 : static_cast<double>(late) / static_cast<double>(judged());
  }
};

// The deadline of a thread's wakeups.
struct ThreadDeadline {
  std::string thread;  // its name, with `*` for any text, or koid
  uint64_t nanoseconds = 0;
};

}  // namespace barefxt::host
