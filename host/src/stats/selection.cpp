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
}

}  // namespace barefxt::host
