// Finds the time of the provider event "buffer full", which has none. It is the time of the loss,
// if the slice `drop_stats` of one follows; otherwise that of the last event before it, or of the
// first event. So a trace never begins before its first event.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <barefxt/host/record.h>

namespace barefxt::host {

class FullBuffers {
 public:
  void add(uint32_t provider) { waiting_.push_back(provider); }

  // Call before each record. Calls `put(provider, ticks)` for waiting events if this record decides
  // their time; without ticks it is that of the last event before. `is_first`: no record with a
  // time came before.
  template <typename Put>
  void settle(const Record& record, bool is_first, const Put& put) {
    if (waiting_.empty()) return;
    std::optional<uint64_t> ticks = timestamp_of(record);
    if (!ticks && waiting_.size() < kMaxWaiting) return;
    const Event* const event = std::get_if<Event>(&record.content);
    const bool is_loss = event != nullptr && event->type == fxt::EventType::kDurationComplete &&
                         event->name.bytes == "drop_stats";
    if (!is_loss && !is_first) ticks.reset();
    put_all(ticks, put);
  }
  template <typename Put>
  void finish(const Put& put) {
    put_all(std::nullopt, put);
  }

 private:
  // Enough for each provider once, and a bound for archives of nothing else.
  static constexpr size_t kMaxWaiting = 1024;

  template <typename Put>
  void put_all(std::optional<uint64_t> ticks, const Put& put) {
    for (const uint32_t provider : waiting_) put(provider, ticks);
    waiting_.clear();
  }

  std::vector<uint32_t> waiting_;
};

}  // namespace barefxt::host
