// Numbers and their subjects in words.
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
  if (seconds >= 1) return formatted("{:.3f} s", seconds);
  if (seconds >= 1e-3) return formatted("{:.3f} ms", seconds * 1e3);
  if (seconds >= 1e-6) return formatted("{:.3f} us", seconds * 1e6);
  return formatted("{:.0f} ns", seconds * 1e9);
}

std::string describe(const Statistics& statistics, Unit unit, double value) {
  if (unit == Unit::kTicks) return describe_seconds(statistics.seconds(value));
  if (unit == Unit::kShare) return formatted("{:.3f} %", value * 100);
  if (unit == Unit::kPerSecond) return formatted("{:.1f} a second", value);
  return formatted("{:.10g}", value);
}

}  // namespace barefxt::host
