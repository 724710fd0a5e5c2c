// Statistics of an archive while it is being made: the figures of all records so far, at any time.
//
// Invariants: if records come in order of time, losses are known before the records within them,
// and threads have their names before their records, figures() are what collect_statistics()
// returns for the same records. A record that comes late is not measured with those before it.
// Memory does not grow with the records, but with the names.
#pragma once

#include <cstdint>
#include <memory>

#include <barefxt/host/stats.h>

namespace barefxt::host {

class TimelineObserver;

class ArrivingStatistics {
 public:
  ArrivingStatistics();
  // The observer sees each step as it would in collect_statistics(), except that losses are not
  // foreseen, that it does not learn of the end, and that names may change. It must outlive this.
  ArrivingStatistics(TimelineObserver& observer, uint64_t ticks_per_second);
  ~ArrivingStatistics();
  ArrivingStatistics(const ArrivingStatistics&) = delete;
  ArrivingStatistics& operator=(const ArrivingStatistics&) = delete;

  // Whole records, little-endian, which follow those before.
  void feed(Bytes records);
  // Records of this CPU are missing in [begin, end]; to be called before those behind `begin` come.
  void lose(unsigned cpu, uint64_t begin, uint64_t end);

  // The times of the first and the last record in ticks, 0 without one.
  uint64_t first() const;
  uint64_t last() const;
  // `is_over`: nothing follows.
  Statistics figures(bool is_over = false);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace barefxt::host
