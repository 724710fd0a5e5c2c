// The figures of a capture while it arrives, as `barefxt top` has them, and those of its archive.
#pragma once

#include <gtest/gtest.h>
#include <string>

#include <barefxt/host/arriving_merge.h>
#include <barefxt/host/arriving_statistics.h>
#include <barefxt/host/rebuild.h>

#include "archive/memory_sink.h"
#include "rebuild/rebuild_harness.h"

namespace barefxt::test {

class LiveFigures final : public host::ArrivalSink {
 public:
  explicit LiveFigures(bool keeps = false) { rebuild_.hand_on(merge_, keeps); }

  void feed(std::span<const uint8_t> bytes) {
    EXPECT_TRUE(rebuild_.feed(bytes).ok());
    merge_.advance(false);
  }
  void advance_idle() { merge_.advance(true); }
  void finish() {
    EXPECT_TRUE(rebuild_.end_input("input").ok());
    merge_.finish();
  }

  void begin_capture(const std::string& /*target*/, uint64_t /*ticks_per_second*/) override {
    statistics_ = std::make_unique<host::ArrivingStatistics>();
  }
  void records(host::Bytes whole) override { statistics_->feed(whole); }
  void lose(unsigned cpu, uint64_t begin, uint64_t end) override {
    statistics_->lose(cpu, begin, end);
  }

  host::Statistics figures() { return statistics_->figures(merge_.state().is_over); }
  host::MergeState state() const { return merge_.state(); }
  bool has_begun() const { return statistics_ != nullptr; }

 private:
  host::Rebuild rebuild_{[](const std::string&) {}};
  host::ArrivingMerge merge_{*this};
  std::unique_ptr<host::ArrivingStatistics> statistics_;
};

inline std::string as_json(const host::Statistics& statistics) {
  host::StringOutput out;
  host::print_statistics_json(out, statistics);
  return out.take();
}

inline host::Statistics figures_of_archive(const Bytes& archive) {
  host::Source source = host::Source::of(archive, "archive");
  return host::collect_statistics(source, {}).value();
}

}  // namespace barefxt::test
