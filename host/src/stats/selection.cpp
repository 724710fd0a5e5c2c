// Chooses the threads and CPUs to show.
#include "selection.h"

#include <algorithm>
#include <cstring>

namespace barefxt::host {

// The text between two stars matches where it comes first; memmem() finds that in linear time.
bool matches(std::string_view pattern, std::string_view text) {
  size_t star = pattern.find('*');
  if (star == std::string_view::npos) return pattern == text;
  if (!text.starts_with(pattern.substr(0, star))) return false;
  text.remove_prefix(star);
  for (;;) {
    pattern.remove_prefix(star + 1);
    star = pattern.find('*');
    if (star == std::string_view::npos) return text.ends_with(pattern);
    if (star == 0) continue;
    if (star > text.size()) return false;
    const void* const found = ::memmem(text.data(), text.size(), pattern.data(), star);
    if (found == nullptr) return false;
    const auto at = static_cast<size_t>(static_cast<const char*>(found) - text.data());
    text.remove_prefix(at + star);
  }
}

bool Selection::has_thread(uint64_t koid, std::string_view name) const {
  if (threads.empty()) return true;
  return std::any_of(threads.begin(), threads.end(), [&](const std::string& one) {
    return matches(one, name) || one == std::to_string(koid);
  });
}

bool Selection::has_cpu(unsigned cpu) const {
  return cpus.empty() || std::find(cpus.begin(), cpus.end(), cpu) != cpus.end();
}

namespace {

bool is_among(const std::vector<std::string>& patterns, std::string_view text) {
  return patterns.empty() || std::ranges::any_of(patterns, [&](const std::string& pattern) {
           return matches(pattern, text);
         });
}

// Numbers of events have a category and a name; what is added up from switches and wakeups has
// neither.
void select_labels(Statistics& statistics, const Selection& selection) {
  const auto is_other = [&](const ProbeName& label) {
    return !selection.has_label(label.category, label.name);
  };
  std::erase_if(statistics.durations, [&](const auto& one) { return is_other(one.first); });
  std::erase_if(statistics.functions,
                [&](const auto& one) { return !selection.has_label(kCallCategory, one.first); });
  std::erase_if(statistics.counters, [&](const auto& one) { return is_other(one.first.label); });
  std::erase_if(statistics.flows, [&](const auto& one) { return is_other(one.first); });
  std::erase_if(statistics.contention, [&](const auto& one) { return is_other(one.first.label); });
  std::erase_if(statistics.inversions,
                [&](const auto& one) { return is_other(one.first.object.label); });
  std::erase_if(statistics.jobs, [&](const auto& one) {
    return one.first.source == JobSource::kWakeups || is_other({"job", one.first.name});
  });
  if (!selection.has_label("barefxt", "drop_stats") &&
      !selection.has_label("kernel:meta", "drop_stats"))
    statistics.losses.clear();
  statistics.cpus.clear();
  statistics.threads.clear();
  statistics.unannounced_interrupts.clear();
}

}  // namespace

bool Selection::has_label(std::string_view category, std::string_view name) const {
  return is_among(categories, category) && is_among(names, name);
}

void select(Statistics& statistics, const Selection& selection) {
  const auto wanted = [&](uint64_t koid) {
    return selection.has_thread(koid, statistics.name_of(koid));
  };
  std::erase_if(statistics.threads, [&](const auto& one) { return !wanted(one.first); });
  std::erase_if(statistics.jobs, [&](const auto& one) { return !wanted(one.first.thread); });
  std::erase_if(statistics.inversions, [&](const auto& one) {
    return !wanted(one.first.waiter) && !wanted(one.first.holder) && !wanted(one.first.runner);
  });
  std::erase_if(statistics.cpus, [&](const auto& one) { return !selection.has_cpu(one.first); });
  std::erase_if(statistics.interrupts,
                [&](const auto& one) { return !selection.has_cpu(one.first.cpu); });
  std::erase_if(statistics.unannounced_interrupts,
                [&](const auto& one) { return !selection.has_cpu(one.first.cpu); });
  std::erase_if(statistics.losses, [&](const auto& one) {
    const auto cpu = cpu_of_name(one.first.first);
    return cpu && !selection.has_cpu(*cpu);
  });
  for (auto& [koid, thread] : statistics.threads)
    std::erase_if(thread.running_by_cpu,
                  [&](const auto& one) { return !selection.has_cpu(one.first); });
  if (selection.is_by_label()) select_labels(statistics, selection);
}

}  // namespace barefxt::host
