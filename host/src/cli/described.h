// The texts of --help, the manual page and the completion scripts for shells. All are made of the
// options that there are, so that none can lag behind.
#pragma once

#include <string>
#include <vector>

namespace barefxt::cli {

struct DescribedOption {
  std::vector<std::string> names;  // "-o", "--output"; none if it is given without a name
  std::string positional;          // "FILE"; empty if it has names
  bool takes_value;
  bool takes_several;
  std::string value;                // as --help calls it: "FILE", "little|big"
  std::vector<std::string> values;  // all that it accepts; none if it accepts others
  std::string preset;               // the value where it is not given; empty where none is shown
  bool is_required;
  std::string group;  // the heading in --help
  std::string description;
};

struct DescribedVerb {
  std::string name;
  std::string description;
  std::string footer;
  std::vector<DescribedOption> options;
};

// `options` are those without a verb.
struct DescribedCommand : DescribedVerb {
  std::string version;
  std::vector<DescribedVerb> verbs;
};

// For a terminal of 80 columns.
std::string help_of(const DescribedCommand& command);
std::string help_of(const DescribedCommand& command, const DescribedVerb& verb);

// The one of `known` that a mistyped word may stand for; empty: none is like it.
std::string likely_meant(const std::string& word, const std::vector<std::string>& known);

// In troff, for man.
std::string manual_page(const DescribedCommand& command);
std::string bash_completion(const DescribedCommand& command);
std::string zsh_completion(const DescribedCommand& command);

}  // namespace barefxt::cli
