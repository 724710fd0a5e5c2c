// Two looks at the archive, sorted in between where that is needed.
#include <charconv>
#include <cmath>

#include "../archive/spilling_sorter.h"
#include "groups.h"
#include "selection.h"
#include "survey.h"
#include "timeline.h"
#include "translator.h"

namespace barefxt::host {

std::optional<unsigned> cpu_of_name(std::string_view name) {
  constexpr std::string_view kPrefix = "cpu-";
  if (!name.starts_with(kPrefix)) return std::nullopt;
  name.remove_prefix(kPrefix.size());
  unsigned number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (error != std::errc{} || end != name.data() + name.size()) return std::nullopt;
  return number;
}

namespace {

double ticks_in(const TimeBound& time, uint64_t ticks_per_second) {
  constexpr double kNanoseconds = 1e9;
  if (time.in_ticks) return time.value;
  return time.value * static_cast<double>(ticks_per_second) / kNanoseconds;
}

uint64_t as_ticks(double all) {
  constexpr auto kMax = static_cast<double>(uint64_t{1} << 63);
  if (!(all > 0)) return 0;
  return all >= kMax ? ~uint64_t{0} : static_cast<uint64_t>(all);
}

}  // namespace

uint64_t TimeBound::ticks(uint64_t ticks_per_second) const {
  const double all = ticks_in(*this, ticks_per_second);
  return as_ticks(in_ticks ? all : std::round(all));
}

uint64_t TimeBound::whole_ticks(uint64_t ticks_per_second) const {
  return as_ticks(ticks_in(*this, ticks_per_second));
}

bool Statistics::is_idle(uint64_t thread) const {
  const auto found = names.find(thread);
  if (found == names.end()) return thread == 0;
  return found->second.name.starts_with("idle/") || found->second.process == 0;
}

std::string Statistics::name_of(uint64_t thread) const {
  const auto found = names.find(thread);
  return found == names.end() ? std::string() : found->second.name;
}

std::string Statistics::name_of(const ObjectKey& object) const {
  const auto found = object.pointer ? object_names.find(*object.pointer) : object_names.end();
  return found == object_names.end() ? std::string() : found->second;
}

namespace {

// Reads on, and calls `sink` with each moment.
template <typename Sink>
void translate(Source& source, Reader& reader, Translator& translator, const Sink& sink) {
  reader.walk([&](const auto& view, const Place& place) __attribute__((always_inline)) {
    translator.see(view, place, sink);
    source.release_before(place.offset);
  });
}

// Nothing before and after the window is part of it, though what came before is known.
void cut(Statistics& statistics, const Window& window) {
  statistics.first = std::max(statistics.first, window.from);
  statistics.last = std::min(statistics.last, window.to);
  statistics.last = std::max(statistics.first, statistics.last);
}

}  // namespace

Result<Statistics> collect_statistics(Source& source, Form form, const StatisticsOptions& options,
                                      TimelineObserver* observer) {
  Statistics statistics;
  statistics.precision = options.precision;
  Survey seen = survey(source, form, statistics);
  statistics.sorted = !seen.ordered || seen.several_rates;
  if (!seen.several_rates && seen.rate) statistics.ticks_per_second = *seen.rate;

  const uint64_t rate = statistics.ticks_per_second;
  DistributionRoom room;
  const auto stretch = stretch_of(options.selection, rate, source.name());
  if (!stretch.ok()) return stretch.error();
  const Window window{stretch.value().from, stretch.value().to, options.precision, &room};
  Names names;
  Reader reader(source.bytes(), form);
  reader.on_passed([&](uint64_t offset) { source.release_before(offset); });
  Translator translator(reader, statistics, names, seen.several_rates, window);
  Timeline timeline(statistics, names, seen, window, options, observer);
  if (observer != nullptr) {
    observer->begin(statistics, seen.several_rates);
    observer->know(names);
    observer->foresee(seen.losses);
    if (observer->wants_moments()) translator.want_instants();
  }
  if (!statistics.sorted) {
    translate(source, reader, translator, [&](const Moment& moment) { timeline.add(moment); });
  } else {
    SpillingSorter<Moment, MomentBefore> sorter({.elements = options.sorted_in_memory});
    Status status;
    translate(source, reader, translator, [&](const Moment& moment) {
      if (status.ok()) status = sorter.add(moment);
    });
    if (status.ok())
      status = sorter.take([&](const Moment& moment, std::string_view) { timeline.add(moment); });
    if (!status.ok()) return status.error();
  }
  for (const Threshold& one : options.above)
    statistics.above.push_back({one.text, one.time.whole_ticks(statistics.ticks_per_second)});
  cut(statistics, window);
  timeline.finish(statistics.last);
  statistics.left_out += room.left_out();
  statistics.forgotten_providers = reader.forgotten_providers();
  select(statistics, options.selection);
  group(statistics, options.group_by);
  return statistics;
}

}  // namespace barefxt::host
