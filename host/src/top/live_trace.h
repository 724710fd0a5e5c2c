// A capture while it arrives: merged, and its figures at any time.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include <barefxt/host/arriving_merge.h>
#include <barefxt/host/arriving_statistics.h>
#include <barefxt/host/rebuild.h>

#include "recent_records.h"

namespace barefxt::top {

class LiveTrace final : public host::ArrivalSink {
 public:
  // Takes the frames of `rebuild`, which has its names by now. `keeps`: it will write an archive.
  LiveTrace(host::Rebuild& rebuild, bool keeps);

  // Merges what has come. `is_idle`: nothing has come lately.
  void advance(bool is_idle) { merge_.advance(is_idle); }
  void finish() { merge_.finish(); }

  host::MergeState state() const { return merge_.state(); }
  const std::string& target() const { return target_; }
  // How many captures have begun: figures are of the last one.
  uint64_t captures() const { return captures_; }
  // Nothing before the first records.
  std::optional<host::Statistics> figures() const;

  // Keeps the last records for explain().
  void keep_recent() { recent_.emplace(); }
  // Explains in lines why this thread ran so late at this time, by the records that are kept.
  host::Result<std::string> explain(uint64_t thread, uint64_t at, uint64_t latency) const;

  void begin_capture(const std::string& target, uint64_t ticks_per_second) override;
  void records(host::Bytes whole) override {
    statistics_->feed(whole);
    if (recent_) recent_->add(whole);
  }
  void lose(unsigned cpu, uint64_t begin, uint64_t end) override {
    statistics_->lose(cpu, begin, end);
  }

 private:
  host::ArrivingMerge merge_{*this};
  std::unique_ptr<host::ArrivingStatistics> statistics_;
  std::optional<RecentRecords> recent_;
  std::string target_;
  uint64_t captures_ = 0;
};

}  // namespace barefxt::top
