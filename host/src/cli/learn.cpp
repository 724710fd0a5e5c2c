// barefxt learn: proposes rules from good traces.
#include <memory>

#include <barefxt/host/learn.h>
#include <barefxt/host/output_file.h>

#include "archive_input.h"
#include "messages.h"
#include "same_file.h"
#include "verbs.h"

namespace barefxt::cli {
namespace {

struct LearnVerb : ArchiveOptions {
  std::string output;
  uint64_t margin = host::LearnOptions().margin;
  uint64_t most = host::LearnOptions().most;
};

int learn(const LearnVerb& options) {
  const std::string outputs[] = {options.output};
  if (const host::Status named = check_named_once(options.inputs(), outputs); !named.ok())
    return complain(named.error());
  host::Learner learner(
      {.margin = static_cast<unsigned>(options.margin), .most = static_cast<size_t>(options.most)});
  // They stay open, since a pipe can be read only once.
  std::vector<Archive> archives;
  const int status = for_each_archive(options, [&](const std::string&, Archive& archive, int& one) {
    const auto seen = learner.see(archive.source, archive.form);
    one = seen.ok() ? report_statistics(archive.source, seen.value()) : complain(seen.error());
    if (!seen.ok() || one == kNothing) return false;
    archives.push_back(std::move(archive));
    return true;
  });
  if (archives.size() < options.files.size()) return status;
  for (Archive& archive : archives)
    if (const host::Status held = learner.hold(archive.source, archive.form); !held.ok())
      return complain(held.error());
  if (learner.traces_with_loss() > 0)
    say(host::formatted("{} of {} with losses, which can refute rules, but confirm none",
                        learner.traces_with_loss(), host::counted(learner.traces(), "trace")));
  const std::string text = learner.text();
  if (text.empty()) {
    say(
        host::formatted("no rule holds in {} or more cases, so none is proposed. Hint: use longer "
                        "traces without losses",
                        host::kMinCases));
    return kNothing;
  }
  const host::Status written = host::write_file(options.output, text);
  return written.ok() ? status : complain(written.error());
}

}  // namespace

void add_learn(CommandLine& command) {
  const Verb verb = command.add_verb("learn", "Propose rules for `check` from good traces");
  auto options = std::make_shared<LearnVerb>();
  options->add_to(verb, ArchiveOptions::Files::kAreTraces);
  verb.option("-o,--output", options->output, "The rules, to edit; - is standard output")
      .placeholder("RULES")
      .required();
  verb.option("--margin", options->margin, "Bounds lie this far beyond the extremes seen")
      .placeholder("PERCENT")
      .in_range(0, 1000)
      .shows_default();
  verb.option("--most", options->most, "Rules to propose at most, those with the most cases")
      .placeholder("N")
      .in_range(1, host::kMaxRules)
      .shows_default();
  verb.footer(
      "A rule that is proposed holds in at least 10 cases, and is violated in no trace. Without "
      "one no file is written, and the exit status is 4.\n\n"
      "Examples:\n"
      "  barefxt learn good/*.fxt -o rules.txt\n"
      "  barefxt learn trace.fxt --margin 50 --most 20 -o -");
  verb.run([options] { return learn(*options); });
}

}  // namespace barefxt::cli
