// barefxt explain: why something was late.
#include <memory>
#include <unistd.h>

#include <barefxt/host/explain.h>

#include "archive_input.h"
#include "budget_file.h"
#include "messages.h"
#include "selection_options.h"
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

int explain(const ExplainVerb& options) {
  auto how = options_of(options);
  if (!how.ok()) return complain(how.error());
  const auto budget = read_budget(options.budget);
  if (!budget.ok()) return complain(budget.error());
  int status = kDone;
  std::optional<Archive> archive = open_archive(options, status);
  if (!archive) return status;
  if (!options.budget.empty()) {
    auto lines = violated_lines(options, *archive, how.value().selection, budget.value());
    if (!lines.ok()) return complain(lines.error());
    how.value().budget = std::move(lines.value());
    if (how.value().budget.empty()) {
      // Nothing is asked for.
      how.value().worst = 0;
      say(options.name() + ": no line about intervals is violated");
    }
  }
  const host::Result<host::Explained> explained =
      host::explain(archive->source, archive->form, how.value());
  if (!explained.ok()) return complain(explained.error());
  status = report_statistics(archive->source, explained.value().statistics);
  if (status == kNothing) return status;
  if (explained.value().cases.empty() && how.value().worst != 0)
    say(options.name() + ": no such interval. Hint: barefxt stats shows what there is");
  host::DescriptorOutput out(STDOUT_FILENO);
  if (options.json) {
    host::print_explanations_json(out, explained.value());
  } else {
    host::print_explanations(out, explained.value());
  }
  return finish_output(out, status);
}

}  // namespace

void add_explain(CommandLine& command) {
  const Verb verb = command.add_verb("explain", "Explain why something was late, tick by tick");
  auto options = std::make_shared<ExplainVerb>();
  options->add_to(verb);
  verb.flag("--json", options->json, "One JSON object, for programs");
  verb.option("--worst", options->worst, "Explain the N longest (default 5)")
      .in_range(1, host::ExplainOptions::kMaxCases)
      .placeholder("N");
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
  const Option thread = options->selection.add_to(verb);
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
      "  barefxt explain trace.fxt --budget budget.txt");
  verb.run([options] { return explain(*options); });
}

}  // namespace barefxt::cli
