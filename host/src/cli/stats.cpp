// barefxt stats: what an archive adds up to, and whether that is within a budget.
#include <algorithm>
#include <map>
#include <memory>
#include <unistd.h>

#include <barefxt/host/budget.h>
#include <barefxt/host/explain.h>
#include <barefxt/host/output_file.h>
#include <barefxt/host/stats.h>

#include "archive_input.h"
#include "budget_file.h"
#include "deadlines.h"
#include "messages.h"
#include "pager.h"
#include "rows_output.h"
#include "same_file.h"
#include "selection_options.h"
#include "stats_baseline.h"
#include "stats_heap.h"
#include "terminal.h"
#include "verbs.h"

namespace barefxt::cli {
namespace {

struct StatsOptions : ArchiveOptions {
  bool json = false;
  bool csv = false;
  bool exact = false;
  bool functions = false;
  HeapViewOptions heap;
  bool stacks = false;
  SelectionOptions selection;
  std::string group_by;
  std::string budget;
  std::string junit;
  BaselineOptions baseline;
  bool allow_unknown = false;
  DeadlineOptions deadlines;
  std::vector<std::string> above;
  RowsOptions rows;
};

host::Result<host::StatisticsOptions> options_of(const StatsOptions& options) {
  host::StatisticsOptions result;
  const auto selection = options.selection.selection();
  if (!selection.ok()) return selection.error();
  result.selection = selection.value();
  if (options.group_by == "name") result.group_by = host::GroupBy::kName;
  if (options.group_by == "process") result.group_by = host::GroupBy::kProcess;
  // Numbers that decide between pass and fail are exact.
  if (options.exact || !options.budget.empty() || !options.above.empty())
    result.precision = host::Precision::kExact;
  if (const host::Status status = options.deadlines.apply_to(result); !status.ok())
    return status.error();
  for (const std::string& text : options.above) {
    const auto limit = host::time_limit_in(text);
    if (!limit)
      return host::Error{"'" + text + "' is no time", "--above",
                         "write a number with s, ms, us, ns or ticks"};
    result.above.push_back({text, *limit});
  }
  return result;
}

host::Status write_junit(const StatsOptions& options, const std::vector<host::Verdict>& verdicts,
                         const std::map<unsigned, std::string>& explanations) {
  host::StringOutput out;
  host::print_junit(out, verdicts, options.name(), options.budget, options.allow_unknown,
                    explanations);
  return host::write_file(options.junit, out.take());
}

void say_lines(std::string_view text) {
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    say(std::string(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

// Explains the longest interval that violates each line, by the line's number.
host::Result<std::map<unsigned, std::string>> explanations_of(
    Archive& archive, const std::vector<host::Verdict>& verdicts,
    const host::Selection& selection) {
  host::ExplainOptions how;
  how.worst = 1;
  how.selection = selection;
  how.budget = host::lines_to_explain(verdicts);
  std::map<unsigned, std::string> texts;
  if (how.budget.empty()) return texts;
  const auto explained = host::explain(archive.source, archive.form, how);
  if (!explained.ok()) return explained.error();
  for (const host::Explanation& one : explained.value().cases) {
    host::StringOutput out;
    host::print_explanation(out, explained.value(), one);
    texts[one.budget_line] = out.take();
  }
  return texts;
}

host::Result<bool> keeps_budget(const StatsOptions& options, Archive& archive,
                                const host::Statistics& statistics,
                                const std::vector<host::BudgetLine>& budget,
                                const host::Selection& selection) {
  if (options.budget.empty()) return true;
  const auto verdicts = host::hold_to_budget(statistics, budget, options.budget);
  if (!verdicts.ok()) return verdicts.error();
  const auto explanations = explanations_of(archive, verdicts.value(), selection);
  if (!explanations.ok()) return explanations.error();
  bool kept = true;
  for (const host::Verdict& verdict : verdicts.value()) {
    for (const std::string& violation : verdict.violations) {
      kept = false;
      say(host::formatted("{}:{}: violated: {}", options.budget, verdict.line->number, violation));
    }
    const auto explanation = explanations.value().find(verdict.line->number);
    if (explanation != explanations.value().end()) say_lines(explanation->second);
    if (verdict.not_judged.empty()) continue;
    kept = kept && options.allow_unknown;
    say(host::formatted("{}:{}: not judged: {}", options.budget, verdict.line->number,
                        verdict.not_judged));
  }
  if (!options.junit.empty()) {
    if (const host::Status status = write_junit(options, verdicts.value(), explanations.value());
        !status.ok())
      return status.error();
  }
  return kept;
}

// Reports options that selected nothing. It is no failure: a thread may not have run.
void say_what_is_not_there(const StatsOptions& options, const host::Statistics& statistics,
                           const host::StatisticsOptions& how) {
  const std::string about = options.name() + ": ";
  const host::Selection& selection = how.selection;
  const bool has_no_events = statistics.durations.empty() && statistics.functions.empty() &&
                             statistics.counters.empty() && statistics.flows.empty() &&
                             statistics.contention.empty() && statistics.jobs.empty();
  if (has_no_events && (selection.from || selection.to) && statistics.span() == 0) {
    say(about + "--from and --to select nothing of it");
  } else if (selection.is_by_label()) {
    if (has_no_events && statistics.losses.empty())
      say(about + "--category and --name select nothing of it");
  } else if (!selection.threads.empty() && statistics.threads.empty()) {
    say(about + "--thread selects no thread of it");
  } else if (!selection.cpus.empty() && statistics.cpus.empty()) {
    say(about + "--cpu selects no CPU of it");
  }
  say_missing_threads(options.name(), how, statistics);
}

int stats_into_rows(const StatsOptions& options, const host::StatisticsOptions& how) {
  return options.rows.write(
      options, host::figure_columns(), [&](Archive& archive, host::TraceRows& rows) {
        const auto statistics = host::collect_statistics(archive.source, archive.form, how);
        if (!statistics.ok()) return complain(statistics.error());
        const int status = report_statistics(archive.source, statistics.value());
        if (status == kNothing) return status;
        identify(rows, archive, statistics.value());
        host::add_figures(rows, statistics.value());
        return status;
      });
}

int stats(StatsOptions options) {
  if (host::Status status = options.rows.take_apart(options.selection); !status.ok())
    return complain(status.error());
  if (options.heap.is_wanted()) {
    const std::pair<const char*, bool> others[] = {{"--csv", options.csv},
                                                   {"--functions", options.functions},
                                                   {"--stacks", options.stacks},
                                                   {"--budget", !options.budget.empty()},
                                                   {"--baseline", !options.baseline.files.empty()},
                                                   {"--to parquet", options.rows.is_wanted()}};
    for (const auto& [name, is_given] : others)
      if (is_given) return complain({"is another output than that of heaps", name, {}});
    return show_heap(options.heap, options, options.selection, options.json, options.allow_unknown);
  }
  if (host::Status status =
          options.rows.check_alone({{"--json", options.json},
                                    {"--csv", options.csv},
                                    {"--functions", options.functions},
                                    {"--stacks", options.stacks},
                                    {"--budget", !options.budget.empty()},
                                    {"--baseline", !options.baseline.files.empty()}});
      !status.ok())
    return complain(status.error());
  std::vector<std::string> inputs = options.inputs();
  inputs.push_back(options.budget);
  inputs.insert(inputs.end(), options.baseline.files.begin(), options.baseline.files.end());
  if (const host::Status status = check_named_once(inputs, {&options.junit, 1}); !status.ok())
    return complain(status.error());
  const auto how = options_of(options);
  if (!how.ok()) return complain(how.error());
  const auto relevance = options.baseline.relevance();
  if (!relevance.ok()) return complain(relevance.error());
  const auto budget = read_budget(options.budget);
  if (!budget.ok()) return complain(budget.error());
  if (options.rows.is_wanted()) return stats_into_rows(options, how.value());
  int status = kDone;
  std::optional<Archive> archive = open_archive(options, status);
  if (!archive) return status;
  host::Result<host::Statistics> collected =
      host::collect_statistics(archive->source, archive->form, how.value());
  if (!collected.ok()) return complain(collected.error());
  host::Statistics& statistics = collected.value();
  status = report_statistics(archive->source, statistics);
  if (status == kNothing) return status;
  say_what_is_not_there(options, statistics, how.value());

  std::optional<host::Comparison> comparison;
  if (!options.baseline.files.empty()) {
    comparison =
        compare_runs(options, options.baseline, relevance.value(), statistics, how.value(), status);
    if (!comparison) return status;
  }
  const host::Shown shown = options.functions ? host::Shown::kFunctions
                            : options.stacks  ? host::Shown::kStacks
                                              : host::Shown::kAll;
  const host::TextLook look = look_of_output(kFileWidth);
  const Pager pager;
  host::DescriptorOutput out(STDOUT_FILENO);
  if (options.json) {
    host::print_statistics_json(
        out, statistics, shown,
        comparison
            ? [&](host::Output& to) { host::comparison_json(to, *comparison, relevance.value()); }
            : std::function<void(host::Output&)>());
  } else if (options.csv) {
    host::print_statistics_csv(out, statistics, shown);
  } else {
    host::print_statistics(out, statistics, shown, look);
  }
  status = finish_output(out, status);
  if (status == kUsage) return status;
  const auto kept =
      keeps_budget(options, *archive, statistics, budget.value(), how.value().selection);
  if (!kept.ok()) return complain(kept.error());
  if (!comparison) return kept.value() ? status : kFindings;
  say_comparison(options.baseline, *comparison);
  const bool keeps_up =
      !comparison->is_worse() && (options.allow_unknown || !comparison->is_unknown());
  return kept.value() && keeps_up ? status : kFindings;
}

}  // namespace

void add_stats(CommandLine& command) {
  const Verb verb = command.add_verb(
      "stats", "Print CPU time by thread and CPU, switches, interrupts, latencies, losses");
  auto options = std::make_shared<StatsOptions>();
  options->add_to(verb);
  options->add_old_byte_order(verb);
  const Option json = verb.flag("--json", options->json, "One JSON object, for programs");
  verb.flag("--csv", options->csv, "One CSV row for each number").excludes(json);
  const Option functions =
      verb.flag("--functions", options->functions,
                "Only calls of functions: count, total, self, min, median, p99, max of each");
  verb.flag("--stacks", options->stacks,
            "Only stacks: the least bytes left of each, its size, and when")
      .excludes(functions);
  options->heap.add_to(verb);
  options->rows.add_to(verb, options->selection);
  verb.flag("--exact", options->exact, "Exact percentiles, at 8 bytes of memory for each length");
  options->deadlines.add_to(verb);
  verb.option("--above", options->above,
              "Count the lengths above this time, in every set; may be repeated")
      .placeholder("TIME");
  const Option group_by =
      verb.option(
              "--group-by", options->group_by,
              "One row for all threads of a name, or of a process, instead of one for each thread")
          .one_of({"name", "process"})
          .placeholder("name|process");
  const Option budget = verb.option("--budget", options->budget,
                                    "Bounds on these numbers, a line each, such as wakeup_latency "
                                    "thread=control p99 <= 50us; exit status 1 if one is violated")
                            .placeholder("FILE")
                            .excludes(group_by);
  verb.option("--junit", options->junit, "The result of each bound, as JUnit XML")
      .placeholder("FILE")
      .needs(budget);
  options->baseline.add_to(verb).excludes(group_by);
  verb.flag("--allow-unknown", options->allow_unknown,
            "Do not fail for lines that this trace cannot judge");
  terminal_options().add_pager(verb);
  verb.footer(
      "Examples:\n"
      "  barefxt stats trace.fxt --thread control --from 1s --to 2s\n"
      "  barefxt stats trace.fxt --budget budget.txt --junit results.xml\n"
      "  barefxt stats traces/*.fxt --to parquet -o figures.parquet --jobs 8");
  verb.run([options] { return stats(*options); });
}

}  // namespace barefxt::cli
