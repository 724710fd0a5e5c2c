#include "time_window.h"

#include <barefxt/host/budget.h>

#include "archive_input.h"
#include "messages.h"

namespace barefxt::cli {
namespace {

// "1.5ms", "1.5" (seconds, as print shows them), "12345ticks".
host::Result<host::TimeBound> time_bound(const std::string& text, const char* option) {
  constexpr std::string_view kTicks = "ticks";
  std::string number = text;
  const bool in_ticks = text.ends_with(kTicks);
  if (in_ticks) number.resize(number.size() - kTicks.size());
  // Every number is one of seconds, or of nanoseconds, for the parser; ticks stay as they are.
  const bool has_unit = !number.empty() && number.back() == 's';
  const auto value = host::nanoseconds_in(has_unit ? number : number + (in_ticks ? "ns" : "s"));
  if (value && *value >= 0 && !(has_unit && in_ticks)) return host::TimeBound{in_ticks, *value};
  return host::Error{"'" + text + "' is no time", option,
                     "write seconds, or a number with s, ms, us, ns or ticks"};
}

}  // namespace

void TimeWindow::add_to(const Verb& verb) {
  verb.option("--from", from,
              "Only from this time on: seconds as print shows them, or with a unit (ms, us, "
              "ns, ticks)")
      .placeholder("TIME");
  verb.option("--to", to, "Only up to this time").placeholder("TIME");
}

host::Status TimeWindow::apply_to(host::StatisticsOptions& options) const {
  if (!from.empty()) {
    const auto bound = time_bound(from, "--from");
    if (!bound.ok()) return bound.error();
    options.from = bound.value();
  }
  if (!to.empty()) {
    const auto bound = time_bound(to, "--to");
    if (!bound.ok()) return bound.error();
    options.to = bound.value();
  }
  return {};
}

int report_statistics(const host::Source& source, const host::Statistics& statistics) {
  const std::string& file = source.name();
  int status = report_damage(source);
  if (statistics.malformed_places > 0) {
    say(host::formatted("{}: {} malformed places, {} bytes that could not be read", file,
                        statistics.malformed_places, statistics.malformed_bytes));
    status = kIncomplete;
  }
  report_forgotten(source, statistics.forgotten_providers);
  if (statistics.left_out > 0) {
    say(host::formatted("{}: {} records were left out: too many threads or names", file,
                        statistics.left_out));
    status = kIncomplete;
  }
  if (statistics.records == 0) {
    say(file + ": no record of an FXT archive in it");
    return kNothing;
  }
  return status;
}

}  // namespace barefxt::cli
