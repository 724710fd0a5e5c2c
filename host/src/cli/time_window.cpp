#include "time_window.h"

#include <cinttypes>
#include <cstdio>

#include <barefxt/host/budget.h>

#include "archive_input.h"

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

void TimeWindow::add_to(CLI::App& verb) {
  verb.add_option("--from", from,
                  "Only from this time on: seconds as print shows them, or with a unit (ms, us, "
                  "ns, ticks)")
      ->option_text("TIME");
  verb.add_option("--to", to, "Only up to this time")->option_text("TIME");
}

host::Outcome TimeWindow::apply_to(host::StatisticsOptions& options) const {
  if (!from.empty()) {
    const auto bound = time_bound(from, "--from");
    if (!bound) return bound.error();
    options.from = bound.value();
  }
  if (!to.empty()) {
    const auto bound = time_bound(to, "--to");
    if (!bound) return bound.error();
    options.to = bound.value();
  }
  return {};
}

int report_statistics(const host::Source& source, const host::Statistics& statistics) {
  const std::string& file = source.name();
  int status = report_damage(source);
  if (statistics.malformed_places > 0) {
    std::fprintf(stderr,
                 "barefxt: %s: %" PRIu64 " malformed places, %" PRIu64
                 " bytes that could not be read\n",
                 file.c_str(), statistics.malformed_places, statistics.malformed_bytes);
    status = kIncomplete;
  }
  if (statistics.left_out > 0) {
    std::fprintf(stderr,
                 "barefxt: %s: %" PRIu64
                 " records were left out: too many threads or names to be told apart\n",
                 file.c_str(), statistics.left_out);
    status = kIncomplete;
  }
  if (statistics.records == 0) {
    std::fprintf(stderr, "barefxt: %s: no record of an FXT archive in it\n", file.c_str());
    return kNothing;
  }
  return status;
}

}  // namespace barefxt::cli
