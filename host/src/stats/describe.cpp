// Numbers and their subjects in words.
#include <cstdio>

#include <barefxt/host/measures.h>

namespace barefxt::host {

std::string describe(const Subject& subject) {
  std::string text;
  const auto add = [&](std::string_view key, const std::string& value) {
    if (!text.empty()) text += ' ';
    text += key;
    text += '=';
    const bool quoted = value.find_first_of(" \t\"#") != std::string::npos;
    text += quoted ? '"' + value + '"' : value;
  };
  const auto thread = [&](std::string_view key, std::optional<uint64_t> koid,
                          const std::string& name) {
    if (koid) add(key, name.empty() ? std::to_string(*koid) : name);
  };
  if (subject.cpu) add("cpu", std::to_string(*subject.cpu));
  thread("thread", subject.thread, subject.thread_name);
  if (!subject.category.empty()) add("category", subject.category);
  if (!subject.name.empty()) add("name", subject.name);
  if (!subject.argument.empty()) add("argument", subject.argument);
  if (!subject.object_name.empty()) add("object", subject.object_name);
  thread("holder", subject.holder, subject.holder_name);
  if (subject.holder_unknown) add("holder", subject.holder_name);
  thread("runner", subject.runner, subject.runner_name);
  return text;
}

std::string describe_seconds(double seconds) {
  char text[48];
  if (seconds >= 1) {
    std::snprintf(text, sizeof text, "%.3f s", seconds);
  } else if (seconds >= 1e-3) {
    std::snprintf(text, sizeof text, "%.3f ms", seconds * 1e3);
  } else if (seconds >= 1e-6) {
    std::snprintf(text, sizeof text, "%.3f us", seconds * 1e6);
  } else {
    std::snprintf(text, sizeof text, "%.0f ns", seconds * 1e9);
  }
  return text;
}

std::string describe(const Statistics& statistics, Unit unit, double value) {
  if (unit == Unit::kTicks) return describe_seconds(statistics.seconds(value));
  char text[48];
  if (unit == Unit::kShare) {
    std::snprintf(text, sizeof text, "%.3f %%", value * 100);
  } else if (unit == Unit::kPerSecond) {
    std::snprintf(text, sizeof text, "%.1f a second", value);
  } else {
    std::snprintf(text, sizeof text, "%.10g", value);
  }
  return text;
}

}  // namespace barefxt::host
