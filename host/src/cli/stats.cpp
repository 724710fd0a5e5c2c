// barefxt stats: what an archive adds up to, and whether that is within a budget.
#include <cinttypes>
#include <cstdio>
#include <fstream>
#include <memory>
#include <sstream>
#include <unistd.h>

#include <barefxt/host/baseline.h>
#include <barefxt/host/budget.h>
#include <barefxt/host/output_file.h>
#include <barefxt/host/stats.h>

#include "archive_input.h"
#include "messages.h"
#include "time_window.h"
#include "verbs.h"

namespace barefxt::cli {
namespace {

struct StatsOptions : ArchiveOptions {
  bool json = false;
  bool csv = false;
  bool exact = false;
  bool functions = false;
  TimeWindow window;
  host::Selection selection;
  std::string budget;
  std::string junit;
  std::string baseline;
};

host::Result<host::StatisticsOptions> options_of(const StatsOptions& options) {
  host::StatisticsOptions result;
  result.selection = options.selection;
  // What decides between pass and fail, and what is compared, is exact.
  if (options.exact || !options.budget.empty() || !options.baseline.empty())
    result.precision = host::Precision::kExact;
  if (const host::Outcome failure = options.window.apply_to(result)) return *failure;
  return result;
}

// The budget's lines, null where none is asked for.
host::Result<std::vector<host::BudgetLine>> read_budget(const std::string& file) {
  if (file.empty()) return std::vector<host::BudgetLine>();
  std::ifstream stream(file);
  std::ostringstream text;
  text << stream.rdbuf();
  if (!stream) return host::Error{"cannot read this budget", file, ""};
  return host::parse_budget(text.str(), file);
}

host::Outcome write_junit(const StatsOptions& options, const std::vector<host::Verdict>& verdicts) {
  auto file = host::OutputFile::create(options.junit);
  if (!file) return file.error();
  host::StringOutput out;
  host::print_junit(out, verdicts, options.name(), options.budget);
  const std::string text = out.take();
  const host::Outcome failure =
      file.value()->write({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
  return failure ? failure : file.value()->commit();
}

host::Result<bool> keeps_budget(const StatsOptions& options, const host::Statistics& statistics,
                                const std::vector<host::BudgetLine>& budget) {
  if (options.budget.empty()) return true;
  const auto verdicts = host::hold_to_budget(statistics, budget, options.budget);
  if (!verdicts) return verdicts.error();
  bool kept = true;
  for (const host::Verdict& verdict : verdicts.value()) {
    for (const std::string& violation : verdict.violations) {
      kept = false;
      std::fprintf(stderr, "barefxt: %s:%u: violated: %s\n", options.budget.c_str(),
                   verdict.line->number, violation.c_str());
    }
  }
  if (!options.junit.empty()) {
    if (const host::Outcome failure = write_junit(options, verdicts.value())) return *failure;
  }
  return kept;
}

// Whether nothing became worse.
host::Result<bool> keeps_up(const StatsOptions& options, const host::Statistics& statistics,
                            const host::StatisticsOptions& how) {
  if (options.baseline.empty()) return true;
  StatsOptions old = options;
  old.files = {options.baseline};
  int status = kDone;
  std::optional<Archive> archive = open_archive(old, status);
  if (!archive) return host::Error{"cannot be compared with", options.baseline, ""};
  host::Result<host::Statistics> collected =
      host::collect_statistics(archive->source, archive->form, how);
  if (!collected) return collected.error();
  const host::Comparison comparison = host::compare(collected.value(), statistics);
  bool kept = true;
  for (const host::Difference& difference : comparison.differences) {
    kept = kept && !difference.worse;
    std::fprintf(stderr, "barefxt: %s\n", difference.text.c_str());
  }
  std::fprintf(stderr,
               "barefxt: against %s: %zu of %" PRIu64 " quantiles changed beyond noise; %" PRIu64
               " are of too few lengths, %" PRIu64 " sets are in one of the two only\n",
               options.baseline.c_str(), comparison.differences.size(), comparison.compared,
               comparison.too_few, comparison.unmatched);
  return kept;
}

int stats(const StatsOptions& options) {
  const auto how = options_of(options);
  if (!how) return complain(how.error());
  const auto budget = read_budget(options.budget);
  if (!budget) return complain(budget.error());
  int status = kDone;
  std::optional<Archive> archive = open_archive(options, status);
  if (!archive) return status;
  host::Result<host::Statistics> collected =
      host::collect_statistics(archive->source, archive->form, how.value());
  if (!collected) return complain(collected.error());
  host::Statistics& statistics = collected.value();
  status = report_statistics(archive->source, statistics);
  if (status == kNothing) return status;

  const host::Shown shown = options.functions ? host::Shown::kFunctions : host::Shown::kAll;
  host::DescriptorOutput out(STDOUT_FILENO);
  if (options.json) {
    host::print_statistics_json(out, statistics, shown);
  } else if (options.csv) {
    host::print_statistics_csv(out, statistics, shown);
  } else {
    host::print_statistics(out, statistics, shown);
  }
  status = finish_output(out, status);
  if (status == kUsage) return status;
  const auto kept = keeps_budget(options, statistics, budget.value());
  if (!kept) return complain(kept.error());
  const auto kept_up = keeps_up(options, statistics, how.value());
  if (!kept_up) return complain(kept_up.error());
  return kept.value() && kept_up.value() ? status : kFindings;
}

}  // namespace

void add_stats(CLI::App& app, int& exit_status) {
  CLI::App* verb = app.add_subcommand(
      "stats", "CPU time by thread and CPU, switches, interrupts, latencies, losses");
  auto options = std::make_shared<StatsOptions>();
  options->add_to(*verb);
  CLI::Option* json = verb->add_flag("--json", options->json, "One JSON object, for programs");
  verb->add_flag("--csv", options->csv, "A row for each number")->excludes(json);
  verb->add_flag("--functions", options->functions,
                 "Only calls of functions: count, total, self, min, median, p99, max of each");
  options->window.add_to(*verb);
  verb->add_option("--thread", options->selection.threads,
                   "Show only this thread, by name (* for any text) or koid; may be repeated")
      ->option_text("T");
  verb->add_option("--cpu", options->selection.cpus, "Show only this CPU; may be repeated")
      ->option_text("N");
  verb->add_flag("--exact", options->exact,
                 "Percentiles without error, for 8 bytes of memory for each length");
  CLI::Option* budget =
      verb->add_option("--budget", options->budget,
                       "Bounds on these numbers, a line each, such as wakeup_latency "
                       "thread=control p99 <= 50us; exit status 1 where one is violated")
          ->option_text("FILE");
  verb->add_option("--junit", options->junit, "What became of each bound, as JUnit XML")
      ->option_text("FILE")
      ->needs(budget);
  verb->add_option("--baseline", options->baseline,
                   "Say what changed against this archive, beyond noise; exit status 1 where "
                   "something became worse")
      ->option_text("OLD.fxt");
  verb->callback(
      [options, &exit_status] { exit_status = guarded([&] { return stats(*options); }); });
}

}  // namespace barefxt::cli
