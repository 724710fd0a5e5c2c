// The command barefxt: the command line taken apart, the verb run, its exit status handed on.
#include <csignal>
#include <exception>
#include <new>
#include <optional>
#include <string>

#include <barefxt/host/leftovers.h>
#include <barefxt/host/source.h>

#include "described.h"
#include "messages.h"
#include "progress.h"
#include "standard_streams.h"
#include "verbs.h"
#include "version.h"

namespace barefxt::cli {
namespace {

int run(int argc, char** argv) {
  CommandLine command(
      "barefxt", version(),
      "Reads, checks and rebuilds FXT traces of kernels and bare-metal systems.",
      "Data goes to standard output, everything else to standard error. FILE may be -.\nExit "
      "status: 0 done, 1 findings, 2 bad usage or a file that cannot be opened or written, 3 part "
      "of the input is missing from the output, 4 nothing could be read.");
  std::string shell;
  command.options()
      .option("--completion", shell, "Print a completion script for that shell")
      .one_of({"bash", "zsh"});
  bool wants_manual = false;
  command.options().flag("--man", wants_manual, "Print the manual page, for man");
  add_rebuild(command);
  add_capture(command);
  add_top(command);
  add_print(command);
  add_lint(command);
  add_stats(command);
  add_explain(command);
  add_check(command);
  add_learn(command);
  add_profile(command);
  add_report(command);
  add_open(command);
  add_convert(command);
  add_doctor(command);

  if (const std::optional<int> ended = command.parse(argc, argv)) return *ended;
  if (wants_manual) return print_text(manual_page(command.describe()), kDone);
  if (!shell.empty()) {
    const auto completion = shell == "bash" ? bash_completion : zsh_completion;
    return print_text(completion(command.describe()), kDone);
  }
  if (!command.has_run_verb()) return print_text(command.help(), kDone);
  return command.status();
}

}  // namespace
}  // namespace barefxt::cli

int main(int argc, char** argv) {
  barefxt::cli::open_missing_streams();
  // A closed pipe and a file at its size limit make write() fail instead of ending the process.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  barefxt::host::remove_leftovers_on_signals();
  barefxt::host::read_zeros_behind_cut_files();
  barefxt::cli::show_reading();
  int status = barefxt::cli::kUsage;
  try {
    status = barefxt::cli::run(argc, argv);
  } catch (const std::bad_alloc&) {
    barefxt::cli::say("out of memory: allow it more (ulimit -v)");
  } catch (const std::exception& trouble) {
    barefxt::cli::say(trouble.what());
  }
  barefxt::cli::end_messages(status);
  return status;
}
