// The first look at an archive: what it counts, how its time runs and what its threads are called,
// and everything else that does not depend on order.
#pragma once

#include <array>

#include "moment.h"

namespace barefxt::host {

struct Survey {
  bool ordered = true;         // timestamps never fall, complete durations taken by their end
  bool several_rates = false;  // providers tick differently
  std::uint64_t last_time = 0;
  std::optional<std::uint64_t> rate;
};

class Surveyor {
 public:
  explicit Surveyor(Statistics& statistics) : statistics_(statistics) {}
  void see(const Record& record, const ProviderState& provider);
  void finish();
  const Survey& survey() const { return survey_; }

 private:
  void name(const KernelObject& object);

  Statistics& statistics_;
  Survey survey_;
  std::array<std::uint64_t, std::variant_size_v<Content>> kinds_{};
};

// The second look: every record in file order, times converted where rates differ.
class Translator {
 public:
  Translator(Statistics& statistics, Labels& labels, bool to_nanoseconds)
      : statistics_(statistics), labels_(labels), to_nanoseconds_(to_nanoseconds) {}

  // The moment in a record, if it holds one. Counters, flows and losses are added up at once.
  std::optional<Moment> translate(const Record& record, const ProviderState& provider);

  // The time in the unit that all of the statistics use.
  std::uint64_t unit(std::uint64_t ticks, const ProviderState& provider) const;

 private:
  std::optional<Moment> event(const Event& event, const ProviderState& provider);
  void counter(const Event& event);
  void flow(const Event& event);
  Moment loss(const Event& event, std::uint64_t begin, std::uint64_t end);
  void cover(std::uint64_t from, std::uint64_t to);
  Label label_of(const Event& event) const;

  static constexpr std::size_t kMostSeries = 1 << 16;
  Statistics& statistics_;
  Labels& labels_;
  bool to_nanoseconds_;
};

}  // namespace barefxt::host
