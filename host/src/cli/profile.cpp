// barefxt profile: where samples fell.
#include <algorithm>
#include <array>
#include <memory>

#include <barefxt/host/output_file.h>

#include "archive_input.h"
#include "messages.h"
#include "same_file.h"
#include "sample_input.h"
#include "selection_options.h"
#include "terminal.h"
#include "verbs.h"

namespace barefxt::cli {
namespace {

constexpr Choice<host::ProfileBy> kProfileGroups[] = {{"thread", host::ProfileBy::kThread},
                                                      {"process", host::ProfileBy::kProcess},
                                                      {"cpu", host::ProfileBy::kCpu},
                                                      {"interrupt", host::ProfileBy::kInterrupt},
                                                      {"none", host::ProfileBy::kNothing}};
constexpr std::array kProfileForms = {"folded", "speedscope", "pprof"};

struct ProfileOptions {
  ArchiveOptions archive;
  bool json = false;
  host::ProfileBy by = host::ProfileBy::kThread;
  host::ProfileLook look;
  uint64_t rows = host::ProfileLook().functions;
  std::vector<std::string> to;  // the form, and a time
  std::string form;
  std::string output;
  SelectionOptions selection;
};

// --to has both the form and, as for all verbs, the end of the stretch of time.
host::Status take_apart(ProfileOptions& options) {
  for (const std::string& word : options.to) {
    const bool is_form = std::ranges::count(kProfileForms, word) > 0;
    std::string& value = is_form ? options.form : options.selection.to;
    if (!is_form && !is_time(word))
      return host::Error{"'" + word + "' is neither a form nor a time", "--to",
                         "barefxt profile --help lists the forms"};
    if (!value.empty())
      return host::Error{host::formatted("given twice: '{}' and '{}'", value, word), "--to", {}};
    value = word;
  }
  if (options.json && !options.form.empty())
    return host::Error{"is another output than --json", "--to " + options.form, {}};
  if (options.form.empty() != options.output.empty())
    return host::Error{"needs the other", options.form.empty() ? "-o" : "--to " + options.form,
                       "as in --to folded -o stacks.txt; -o - is standard output"};
  return {};
}

class FormOutput final : public host::Output {
 public:
  explicit FormOutput(host::OutputFile& file) : file_(file) {}
  const host::Status& status() const { return status_; }

 private:
  bool drain(std::string_view piece) override {
    status_ = file_.write({reinterpret_cast<const uint8_t*>(piece.data()), piece.size()});
    return status_.ok();
  }

  host::OutputFile& file_;
  host::Status status_;
};

int write_form(const ProfileOptions& options, const host::Profile& profile,
               const host::ProfileTree& tree, host::ProfileSymbols& symbols, int status) {
  auto file = host::OutputFile::create(options.output);
  if (!file.ok()) return complain(file.error());
  FormOutput out(*file.value());
  if (options.form == "folded")
    host::print_folded(out, tree, symbols);
  else if (options.form == "speedscope")
    host::print_speedscope(out, tree, symbols, options.archive.name());
  else
    host::print_pprof(out, profile, options.by, symbols);
  out.flush();
  if (!out.status().ok()) return complain(out.status().error());
  if (const host::Status written = file.value()->commit(); !written.ok())
    return complain(written.error());
  return status;
}

int profile(ProfileOptions options) {
  if (const host::Status wrong = take_apart(options); !wrong.ok()) return complain(wrong.error());
  options.look.functions = static_cast<size_t>(options.rows);
  auto selection = options.selection.selection();
  if (!selection.ok()) return complain(selection.error());
  if (const host::Status status = check_named_once(options.archive.inputs(), {&options.output, 1});
      !status.ok())
    return complain(status.error());
  const auto opened = open_program(options.archive);
  if (!opened.ok()) return complain(opened.error());
  int status = kDone;
  std::optional<Archive> archive = open_archive(options.archive, status);
  if (!archive) return status;
  host::Reader reader(archive->source.bytes(), archive->form);
  const auto samples = read_samples(*archive, selection.value(), reader);
  if (!samples.ok()) return complain(samples.error());
  status = report_reading(archive->source, reader);
  if (status == kNothing) return status;
  const host::Profile& profile = samples.value();
  const std::string& name = archive->source.name();
  if (profile.samples() == 0 && !selection.value().is_all())
    say(name + ": the options choose no sample of it");
  else if (profile.samples() == 0)
    say(name + ": no samples. Hint: barefxt_sample records them, if the category is on");
  host::ProfileSymbols symbols = symbols_of(profile, opened.value().get(), name, status);
  const host::ProfileTree tree(profile, options.by, symbols);
  if (!options.form.empty()) return write_form(options, profile, tree, symbols, status);
  FittedText out(options.json ? TextKind::kForPrograms : TextKind::kForPeople);
  if (options.json)
    host::print_profile_json(out, profile, tree, symbols);
  else
    host::print_profile(out, profile, tree, symbols, options.look);
  return out.finish(status);
}

}  // namespace

void add_profile(CommandLine& command) {
  const Verb verb = command.add_verb("profile", "Show where samples of the CPU fell");
  auto options = std::make_shared<ProfileOptions>();
  options->archive.add_to(verb);
  verb.flag("--json", options->json, "One JSON object, for programs");
  verb.choice("--by", options->by, kProfileGroups, "Group samples by what they hit")
      .placeholder("thread|process|cpu|interrupt|none")
      .shows_default();
  verb.option("--least", options->look.least_percent,
              "Leave smaller parts out of the tree, in percent of all samples")
      .not_negative()
      .placeholder("PERCENT")
      .shows_default();
  verb.option("--rows", options->rows, "Functions in the table").placeholder("N").shows_default();
  verb.option("--to", options->to,
              "folded: a line for each path, for flame graphs; speedscope: for speedscope.app; "
              "pprof: for pprof. Given once more with a time (--to TIME): only up to this time")
      .one_each_time()
      .suggests({"folded", "speedscope", "pprof"})
      .placeholder("FORM");
  verb.option("-o,--output", options->output, "The file for --to FORM; - is standard output")
      .placeholder("OUT");
  options->selection.add_from(verb);
  options->selection.add_lists(verb);
  verb.footer(
      "Examples:\n"
      "  barefxt profile trace.fxt --elf kernel.elf\n"
      "  barefxt profile trace.fxt --elf kernel.elf --by interrupt --from 1s --to 2s\n"
      "  barefxt profile trace.fxt --elf kernel.elf --to folded -o stacks.txt");
  verb.run([options] { return profile(*options); });
}

}  // namespace barefxt::cli
