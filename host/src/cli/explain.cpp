// barefxt explain: why something was late.
#include <memory>

#include <barefxt/host/explain.h>

#include "archive_input.h"
#include "budget_file.h"
#include "messages.h"
#include "rows_output.h"
#include "selection_options.h"
#include "terminal.h"
#include "verbs.h"

namespace barefxt::cli {
namespace {

struct ExplainVerb : ArchiveOptions {
  bool json = false;
  uint64_t worst = host::ExplainOptions().worst;
  SelectionOptions selection;
  std::string at;
  std::string lock;
  std::string flow;
  std::string slice;
  std::string budget;
  RowsOptions rows;
};

host::Result<host::ExplainOptions> options_of(const ExplainVerb& options) {
  host::ExplainOptions how;
  how.worst = static_cast<size_t>(options.worst);
  how.lock = options.lock;
  how.flow = options.flow;
  how.slice = options.slice;
  auto selection = options.selection.selection();
  if (!selection.ok()) return selection.error();
  how.selection = std::move(selection.value());
  if (options.at.empty()) return how;
  const auto at = time_bound(options.at, "--at");
  if (!at.ok()) return at.error();
  how.at = at.value();
  return how;
}

// The lines that the trace violates.
host::Result<std::vector<host::BudgetLine>> violated_lines(
    const ExplainVerb& options, Archive& archive, const host::Selection& selection,
    const std::vector<host::BudgetLine>& budget) {
  host::StatisticsOptions how;
  how.selection = selection;
  how.precision = host::Precision::kExact;
  const auto statistics = host::collect_statistics(archive.source, archive.form, how);
  if (!statistics.ok()) return statistics.error();
  const auto verdicts = host::hold_to_budget(statistics.value(), budget, options.budget);
  if (!verdicts.ok()) return verdicts.error();
  return host::lines_to_explain(verdicts.value());
}

// Nothing: it cannot be read, as the exit status has it.
std::optional<host::Explained> explain_archive(const ExplainVerb& options, Archive& archive,
                                               host::ExplainOptions how,
                                               const std::vector<host::BudgetLine>& budget,
                                               int& status) {
  const std::string& name = archive.source.name();
  const auto fail = [&](const host::Error& error) {
    status = complain(error);
    return std::nullopt;
  };
  if (!options.budget.empty()) {
    auto lines = violated_lines(options, archive, how.selection, budget);
    if (!lines.ok()) return fail(lines.error());
    how.budget = std::move(lines.value());
    if (how.budget.empty()) {
      // Nothing is asked for.
      how.worst = 0;
      say(name + ": no line about intervals is violated");
    }
  }
  host::Result<host::Explained> explained = host::explain(archive.source, archive.form, how);
  if (!explained.ok()) return fail(explained.error());
  status = report_statistics(archive.source, explained.value().statistics);
  if (status == kNothing) return std::nullopt;
  if (explained.value().cases.empty() && how.worst != 0)
    say(name + ": no such interval. Hint: barefxt stats shows what there is");
  return std::move(explained.value());
}

int explain(ExplainVerb options) {
  if (host::Status status = options.rows.take_apart(options.selection); !status.ok())
    return complain(status.error());
  if (host::Status status = options.rows.check_alone({{"--json", options.json}}); !status.ok())
    return complain(status.error());
  const auto how = options_of(options);
  if (!how.ok()) return complain(how.error());
  const auto budget = read_budget(options.budget);
  if (!budget.ok()) return complain(budget.error());
  if (options.rows.is_wanted())
    return options.rows.write(
        options, host::cause_columns(), [&](Archive& archive, host::TraceRows& rows) {
          int status = kDone;
          const std::optional<host::Explained> explained =
              explain_archive(options, archive, how.value(), budget.value(), status);
          if (!explained) return status;
          identify(rows, archive, explained->statistics);
          host::add_causes(rows, *explained);
          return status;
        });
  int status = kDone;
  std::optional<Archive> archive = open_archive(options, status);
  if (!archive) return status;
  const std::optional<host::Explained> explained =
      explain_archive(options, *archive, how.value(), budget.value(), status);
  if (!explained) return status;
  FittedText out(options.json ? TextKind::kForPrograms : TextKind::kForPeople);
  if (options.json) {
    host::print_explanations_json(out, *explained);
  } else {
    host::print_explanations(out, *explained, look_of_output(kNoWidth));
  }
  return out.finish(status);
}

}  // namespace

void add_explain(CommandLine& command) {
  const Verb verb = command.add_verb("explain", "Explain why something was late, tick by tick");
  auto options = std::make_shared<ExplainVerb>();
  options->add_to(verb);
  verb.flag("--json", options->json, "One JSON object, for programs");
  verb.option("--worst", options->worst, "Explain the N longest")
      .in_range(1, host::ExplainOptions::kMaxCases)
      .placeholder("N")
      .shows_default();
  const Option lock = verb.option("--lock", options->lock, "Waits for this lock, by name or number")
                          .placeholder("L");
  const Option flow = verb.option("--flow", options->flow, "Flows of this name, over all threads")
                          .placeholder("F")
                          .excludes(lock);
  const Option slice = verb.option("--slice", options->slice, "Durations of this name")
                           .placeholder("NAME")
                           .excludes(lock)
                           .excludes(flow);
  const Option budget =
      verb.option("--budget", options->budget,
                  "Intervals that violate lines of this budget, as in stats: the N longest of each")
          .placeholder("FILE")
          .excludes(lock)
          .excludes(flow)
          .excludes(slice);
  const Option thread = options->rows.add_to(verb, options->selection);
  verb.option("--at", options->at, "What the thread did at this time, or did not do")
      .placeholder("TIME")
      .needs(thread)
      .excludes(lock)
      .excludes(flow)
      .excludes(slice)
      .excludes(budget);
  verb.footer(
      "Examples:\n"
      "  barefxt explain trace.fxt --thread control --at 1.234s\n"
      "  barefxt explain trace.fxt --lock bus --worst 3 --from 1s --to 2s\n"
      "  barefxt explain trace.fxt --budget budget.txt\n"
      "  barefxt explain traces/*.fxt --to parquet -o causes.parquet --jobs 8");
  verb.run([options] { return explain(*options); });
}

}  // namespace barefxt::cli
