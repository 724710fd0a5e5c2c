// The command barefxt: the command line taken apart, the verb run, its exit status handed on.
#include <csignal>
#include <cstdio>
#include <exception>
#include <iostream>
#include <string>

#include "described.h"
#include "verbs.h"

namespace barefxt::cli {
namespace {

constexpr const char* kVersion = "barefxt " BAREFXT_VERSION;

int run(int argc, char** argv) {
  CLI::App app{"Reads, checks and rebuilds FXT traces of kernels and bare-metal systems."};
  app.name("barefxt");
  app.set_version_flag("--version", kVersion);
  app.footer(
      "Data goes to standard output, everything else to standard error. FILE may be -.\n"
      "Exit status: 0 done, 1 findings, 2 bad usage or a file that cannot be opened or written,\n"
      "3 something of the input is missing from the output, 4 nothing could be read.");
  std::string shell;
  app.add_option("--completion", shell,
                 "Print a script with which that shell completes this command")
      ->check(CLI::IsMember({"bash", "zsh"}));
  bool wants_manual = false;
  app.add_flag("--man", wants_manual, "Print the manual page, for man");
  app.require_subcommand(0, 1);
  int exit_status = kDone;
  add_rebuild(app, exit_status);
  add_capture(app, exit_status);
  add_print(app, exit_status);
  add_lint(app, exit_status);
  add_stats(app, exit_status);
  add_report(app, exit_status);
  add_open(app, exit_status);
  add_convert(app, exit_status);
  add_doctor(app, exit_status);
  for (CLI::App* verb : app.get_subcommands([](CLI::App*) { return true; })) {
    verb->set_version_flag("--version", kVersion);
  }

  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& asked) {  // --help, --version
    return app.exit(asked) == 0 ? kDone : kUsage;
  } catch (const CLI::ParseError& error) {
    app.exit(error, std::cerr, std::cerr);
    return kUsage;
  }
  if (wants_manual) {
    std::cout << manual_page(app, kVersion);
  } else if (!shell.empty()) {
    std::cout << (shell == "bash" ? bash_completion(app) : zsh_completion(app));
  } else if (app.get_subcommands().empty()) {
    std::cout << app.help();
  }
  std::cout.flush();
  if (!std::cout) {
    std::fputs("barefxt: cannot write standard output\n", stderr);
    return kUsage;
  }
  return exit_status;
}

}  // namespace
}  // namespace barefxt::cli

int main(int argc, char** argv) {
  // A reader that goes away is a failed write like any other.
  std::signal(SIGPIPE, SIG_IGN);
  try {
    return barefxt::cli::run(argc, argv);
  } catch (const std::exception& trouble) {
    std::fprintf(stderr, "barefxt: %s\n", trouble.what());
    return barefxt::cli::kUsage;
  }
}
