// The first look at an archive: what it counts, how its time runs, what its threads are called,
// when records were lost, and everything else that does not depend on order.
#pragma once

#include <array>

#include "../archive/own_events.h"
#include "loss_times.h"

namespace barefxt::host {

struct Survey {
  bool ordered = true;         // timestamps never fall, complete durations taken by their end
  bool several_rates = false;  // providers tick differently
  uint64_t last_time = 0;
  std::optional<uint64_t> rate;
  bool has_jobs = false;  // or something of their category
  LossTimes losses;
};

// Fills the counts and names.
Survey survey(Source& source, Form form, Statistics& statistics);

// A time in the unit that all of the statistics use.
inline uint64_t time_in_unit(uint64_t ticks, const ProviderState& provider, bool to_nanoseconds) {
  constexpr uint64_t kNanosecondsPerSecond = 1'000'000'000;
  if (!to_nanoseconds || provider.ticks_per_second == 0) return ticks;
  const auto wide =
      static_cast<unsigned __int128>(ticks) * kNanosecondsPerSecond / provider.ticks_per_second;
  return static_cast<uint64_t>(wide);
}

inline bool is_job(const Event& event) { return event.category.bytes == "job"; }

}  // namespace barefxt::host
