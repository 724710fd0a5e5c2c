// The manual page and the completion scripts for shells. Both are made of the options that --help
// lists, so that they cannot lag behind.
#pragma once

#include <string>
#include <vector>

namespace barefxt::cli {

struct DescribedOption {
  std::vector<std::string> names;  // "-o", "--output"; none if it is given without a name
  std::string positional;          // "FILE"; empty if it has names
  bool takes_value;
  std::string type;                 // "TEXT", "UINT in [1 - 1000]"
  std::vector<std::string> values;  // all that it accepts; none if it accepts others
  std::string description;
};

struct DescribedVerb {
  std::string name;
  std::string description;
  std::vector<DescribedOption> options;
};

// `options` are those without a verb.
struct DescribedCommand : DescribedVerb {
  std::string version;
  std::string footer;
  std::vector<DescribedVerb> verbs;
};

// In troff, for man.
std::string manual_page(const DescribedCommand& command);
std::string bash_completion(const DescribedCommand& command);
std::string zsh_completion(const DescribedCommand& command);

}  // namespace barefxt::cli
