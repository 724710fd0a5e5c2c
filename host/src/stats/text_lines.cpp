#include "text_lines.h"

#include <array>
#include <cinttypes>
#include <cstdarg>
#include <cstdio>

#include <barefxt/host/safe_text.h>

namespace barefxt::host {

namespace {

template <typename Names, typename NameOf>
std::set<std::string, std::less<>> shared(const Names& names, const NameOf& name_of) {
  std::set<std::string, std::less<>> result;
  std::set<std::string_view> seen;
  for (const auto& [koid, one] : names) {
    const std::string& name = name_of(one);
    if (!name.empty() && !seen.insert(name).second) result.insert(name);
  }
  return result;
}

std::string numbered(uint64_t koid) { return " #" + std::to_string(koid); }

}  // namespace

TextLines::TextLines(Output& out, const Statistics& statistics)
    : out_(out),
      statistics_(statistics),
      shared_names_(
          shared(statistics.names, [](const ThreadName& thread) -> auto& { return thread.name; })),
      shared_process_names_(shared(statistics.process_names,
                                   [](const std::string& name) -> auto& { return name; })) {}

void TextLines::format(const char* pattern, ...) const {
  constexpr size_t kLongest = 512;
  std::array<char, kLongest> line;
  std::va_list values;
  va_start(values, pattern);
  const int size = std::vsnprintf(line.data(), line.size(), pattern, values);
  va_end(values);
  if (size > 0) out_.text({line.data(), std::min(static_cast<size_t>(size), kLongest - 1)});
}

std::string TextLines::time(double ticks) const {
  if (statistics_.ticks_per_second == 0) return "?";
  const double seconds = ticks / static_cast<double>(statistics_.ticks_per_second);
  std::array<char, 32> text;
  if (seconds >= 1) {
    std::snprintf(text.data(), text.size(), "%.3f s", seconds);
  } else if (seconds >= 1e-3) {
    std::snprintf(text.data(), text.size(), "%.3f ms", seconds * 1e3);
  } else if (seconds >= 1e-6) {
    std::snprintf(text.data(), text.size(), "%.3f us", seconds * 1e6);
  } else {
    std::snprintf(text.data(), text.size(), "%.0f ns", seconds * 1e9);
  }
  return text.data();
}

std::string TextLines::at(uint64_t ticks) const {
  std::array<char, 40> text;
  std::snprintf(text.data(), text.size(), "%.9f", statistics_.seconds(static_cast<double>(ticks)));
  return text.data();
}

std::string TextLines::lengths_head(const char* title) {
  std::string head = std::string("\n") + title;
  head.resize(1 + kNameColumns, ' ');
  return head + "      count       mean        p50        p95        p99        max  at\n";
}

void TextLines::lengths(const std::string& what, const Distribution& set) const {
  out_.text(what);
  format(" %10" PRIu64 " %10s %10s %10s %10s %10s  %s\n", set.count(), time(set.mean()).c_str(),
         time(set.quantile(500)).c_str(), time(set.quantile(950)).c_str(),
         time(set.quantile(990)).c_str(), time(set.longest()).c_str(),
         at(set.longest_extent().end).c_str());
}

std::string TextLines::column(uint64_t thread) const {
  const std::string recorded = statistics_.name_of(thread);
  std::string name = readable(recorded);
  if (name.empty()) name = "thread " + std::to_string(thread);
  return fitted(name, shared_names_.contains(recorded) ? numbered(thread) : std::string());
}

std::string TextLines::column(const ThreadGroup& group) const {
  std::string name = readable(group.name);
  std::string suffix;
  if (group.process && name.empty()) name = "process " + std::to_string(*group.process);
  if (group.process && shared_process_names_.contains(group.name))
    suffix = numbered(*group.process);
  if (name.empty())
    name = "without a " + std::string(statistics_.group_by == GroupBy::kName ? "name" : "process");
  if (group.threads > 1) suffix += " x" + std::to_string(group.threads);
  return fitted(name, suffix);
}

std::string TextLines::fitted(std::string name, const std::string& suffix) {
  const size_t columns = kNameColumns - std::min(kNameColumns, suffix.size());
  size_t shown = 0;
  size_t end = 0;
  const auto continues = [&](size_t at) {
    return at < name.size() && (static_cast<unsigned char>(name[at]) & 0xC0) == 0x80;
  };
  while (end < name.size() && shown < columns) {
    do ++end;
    while (continues(end));
    ++shown;
  }
  name.resize(end);
  return name + suffix + std::string(columns - shown, ' ');
}

std::string TextLines::padded(const std::string& text) {
  std::string wide = readable(text);
  wide.append(wide.size() < kNameColumns ? kNameColumns - wide.size() : 0, ' ');
  return wide;
}

std::string TextLines::readable(std::string_view bytes) { return safe_text(bytes); }

std::string TextLines::trimmed(const std::string& text) {
  return text.substr(0, text.find_last_not_of(' ') + 1);
}

}  // namespace barefxt::host
