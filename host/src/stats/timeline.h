// Hands each moment to the statistics that use it, and each loss at its begin and its end.
//
// Invariant: moments come in order of time.
#pragma once

#include "contention.h"
#include "flows.h"
#include "jobs.h"
#include "loss_times.h"
#include "scheduling.h"
#include "slices.h"
#include "survey.h"
#include "values.h"

namespace barefxt::host {

class Timeline {
 public:
  Timeline(Statistics& statistics, Names& names, Survey& survey, const Window& window,
           const StatisticsOptions& options, TimelineObserver* observer);

  [[gnu::always_inline]] void add(const Moment& moment) {
    if (moment.time > window_.to) return;
    latest_ = moment.time;
    if (next_edge_ < losses_.edges().size()) [[unlikely]]
      pass_edges(moment.time);
    dispatch(moment);
  }
  // `end`: of what is looked at.
  void finish(uint64_t end);
  // The statistics as if this were the end. More moments may follow. `is_over`: none do.
  Statistics figures(bool is_over);
  // A loss that is known before the moments within it, where the survey did not know it.
  void lose(unsigned cpu, Loss loss);

 private:
  void pass_edges(uint64_t time);
  void pass(const LossTimes::Edge& edge);
  void dispatch(const Moment& moment);
  void observe_losses() const;
  void count_losses();

  Statistics& statistics_;
  Names& names_;
  LossTimes& losses_;
  const Window& window_;
  TimelineObserver* observer_;  // may be null
  TimelineObserver* seer_;      // the same, if it wants moments
  size_t next_edge_ = 0;
  uint64_t latest_ = 0;       // of the last moment
  bool is_arriving_ = false;  // an archive, which has no ends added where they are lost
  Epoch epoch_;
  Scheduling scheduling_;
  Slices slices_;
  Values values_;
  Flows flows_;
  LockModel locks_;
  Contention contention_;
  Jobs jobs_;
};

}  // namespace barefxt::host
