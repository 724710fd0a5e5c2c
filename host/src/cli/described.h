// The command line told to others than its user: a manual page, and scripts with which shells
// complete it. Made of the same options that --help lists, so that neither can lag behind.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace barefxt::cli {

// In troff, for man.
std::string manual_page(const CLI::App& app, const std::string& version);
std::string bash_completion(const CLI::App& app);
std::string zsh_completion(const CLI::App& app);

}  // namespace barefxt::cli
