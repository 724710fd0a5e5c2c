// Receives the steps of the fold of statistics, to draw them. Drawings add up to the numbers, since
// both come from one source.
//
// All times are in the unit of the statistics, cut to the selected stretch. Offsets are those of
// the record that ended something, or that reports an end at a loss; kNoRecord if there is none.
#pragma once

#include <cstdint>
#include <optional>

#include <barefxt/host/stats.h>

namespace barefxt::host {

inline constexpr uint64_t kNoRecord = ~uint64_t{0};

class TimelineObserver {
 public:
  TimelineObserver() = default;
  TimelineObserver(const TimelineObserver&) = delete;
  TimelineObserver& operator=(const TimelineObserver&) = delete;
  virtual ~TimelineObserver() = default;

  // Before the archive is read for the second time: names and the unit of time are known.
  // `to_nanoseconds`: times are no ticks of the archive's.
  virtual void begin(const Statistics& statistics, bool to_nanoseconds) = 0;
  virtual void ran(unsigned cpu, uint64_t thread, const Extent& when) = 0;
  // The state of a thread that did not run.
  virtual void thread_time(uint64_t thread, ThreadTime what, const Extent& when) = 0;
  virtual void cpu_unknown(unsigned cpu, const Extent& when) = 0;
  // Null: of any CPU.
  virtual void lost(std::optional<unsigned> cpu, const Extent& when) = 0;
  // A duration, not cut. `begin_offset` is kNoRecord if one record holds all of it; `whole`: no
  // loss in between makes its length doubtful.
  virtual void lasted(uint64_t thread, const ProbeName& label, const Extent& when,
                      uint64_t begin_offset, bool whole) = 0;
};

}  // namespace barefxt::host
