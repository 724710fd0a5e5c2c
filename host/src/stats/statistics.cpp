// Two looks at the archive, sorted in between where that is needed.
#include <algorithm>
#include <charconv>

#include "survey.h"
#include "timeline.h"

namespace barefxt::host {
namespace {

// Sorting needs the moments in memory: 48 bytes each.
constexpr std::size_t kMostSorted = std::size_t{1} << 23;

}  // namespace

std::optional<unsigned> cpu_of_name(std::string_view name) {
  constexpr std::string_view kPrefix = "cpu-";
  if (!name.starts_with(kPrefix)) return std::nullopt;
  name.remove_prefix(kPrefix.size());
  unsigned number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (error != std::errc{} || end != name.data() + name.size()) return std::nullopt;
  return number;
}

bool Statistics::is_idle(std::uint64_t thread) const {
  const auto found = names.find(thread);
  if (found == names.end()) return thread == 0;
  return found->second.name.starts_with("idle/") || found->second.process == 0;
}

std::string Statistics::name_of(std::uint64_t thread) const {
  const auto found = names.find(thread);
  return found == names.end() ? std::string() : found->second.name;
}

std::uint64_t Statistics::idle_ticks(const CpuStatistics& cpu) const {
  std::uint64_t sum = 0;
  for (const auto& [thread, ticks] : cpu.by_thread) sum += is_idle(thread) ? ticks : 0;
  return sum;
}

std::uint64_t Statistics::busy_ticks(const CpuStatistics& cpu) const {
  std::uint64_t sum = 0;
  for (const auto& [thread, ticks] : cpu.by_thread) sum += is_idle(thread) ? 0 : ticks;
  return sum;
}

std::uint64_t Statistics::ticks_of(std::uint64_t thread) const {
  std::uint64_t sum = 0;
  for (const auto& [number, cpu] : cpus) {
    const auto found = cpu.by_thread.find(thread);
    if (found != cpu.by_thread.end()) sum += found->second;
  }
  return sum;
}

Statistics collect_statistics(Source& source, Form form) {
  Statistics statistics;
  Surveyor surveyor(statistics);
  {
    Reader reader(source.bytes(), form);
    while (const Record* record = reader.next()) {
      surveyor.see(*record, reader.provider());
      source.done_with(record->offset);
    }
    surveyor.finish();
    statistics.malformed_places = reader.malformed_places();
    statistics.malformed_bytes = reader.malformed_bytes();
  }
  const Survey& survey = surveyor.survey();
  statistics.sorted = !survey.ordered || survey.several_rates;
  if (!survey.several_rates && survey.rate) statistics.ticks_per_second = *survey.rate;

  Labels labels;
  Translator translator(statistics, labels, survey.several_rates);
  Timeline timeline(labels, statistics);
  std::vector<Moment> moments;
  Reader reader(source.bytes(), form);
  while (const Record* record = reader.next()) {
    source.done_with(record->offset);
    std::optional<Moment> moment = translator.translate(*record, reader.provider());
    if (!moment) continue;
    moment->offset = record->offset;
    if (!statistics.sorted) {
      timeline.add(*moment);
    } else if (moments.size() < kMostSorted) {
      moments.push_back(*moment);
    } else {
      ++statistics.left_out;
    }
  }
  std::sort(moments.begin(), moments.end(), [](const Moment& a, const Moment& b) {
    return std::tie(a.time, a.offset) < std::tie(b.time, b.offset);
  });
  for (const Moment& moment : moments) timeline.add(moment);
  timeline.finish();
  return statistics;
}

}  // namespace barefxt::host
