// barefxt explain: why something was late.
#include <memory>
#include <unistd.h>

#include <barefxt/host/explain.h>

#include "archive_input.h"
#include "messages.h"
#include "selection_options.h"
#include "verbs.h"

namespace barefxt::cli {
namespace {

struct ExplainVerb : ArchiveOptions {
  bool json = false;
  uint64_t worst = host::ExplainOptions().worst;
  std::string thread;
  std::string at;
  std::string lock;
  std::string flow;
  std::string slice;
};

int explain(const ExplainVerb& options) {
  host::ExplainOptions how;
  how.worst = static_cast<size_t>(options.worst);
  how.thread = options.thread;
  how.lock = options.lock;
  how.flow = options.flow;
  how.slice = options.slice;
  if (!options.at.empty()) {
    const auto at = time_bound(options.at, "--at");
    if (!at.ok()) return complain(at.error());
    how.at = at.value();
  }
  int status = kDone;
  std::optional<Archive> archive = open_archive(options, status);
  if (!archive) return status;
  const host::Result<host::Explained> explained =
      host::explain(archive->source, archive->form, how);
  if (!explained.ok()) return complain(explained.error());
  status = report_statistics(archive->source, explained.value().statistics);
  if (status == kNothing) return status;
  if (explained.value().cases.empty())
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
  const Option thread =
      verb.option("--thread", options->thread,
                  "The delays of this thread, by name (* for any text) or koid: wakeup latencies, "
                  "preemptions and waits for locks")
          .placeholder("T");
  verb.option("--at", options->at, "What the thread did at this time, or did not do")
      .placeholder("TIME")
      .needs(thread);
  const Option lock = verb.option("--lock", options->lock, "Waits for this lock, by name or number")
                          .placeholder("L")
                          .excludes(thread);
  const Option flow = verb.option("--flow", options->flow, "Flows of this name, over all threads")
                          .placeholder("F")
                          .excludes(thread)
                          .excludes(lock);
  verb.option("--slice", options->slice, "Durations of this name")
      .placeholder("NAME")
      .excludes(thread)
      .excludes(lock)
      .excludes(flow);
  verb.footer(
      "Examples:\n"
      "  barefxt explain trace.fxt --thread control --at 1.234s\n"
      "  barefxt explain trace.fxt --lock bus --worst 3");
  verb.run([options] { return explain(*options); });
}

}  // namespace barefxt::cli
