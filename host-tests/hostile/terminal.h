// A terminal that a command runs on, as people see it.
#pragma once

#include <map>
#include <string>

namespace barefxt::test {

struct TerminalRun {
  std::string shown;  // all that the terminal got, "\r\n" as "\n"
  int status;
};

// Runs a line in a shell whose standard streams are a terminal. `variables` are set, or not set
// where they are empty. `keys` are typed once the command has printed something.
TerminalRun run_on_terminal(const std::string& line, unsigned columns,
                            const std::map<std::string, std::string>& variables = {},
                            const std::string& keys = {});

// The text without escape sequences.
std::string without_codes(const std::string& text);

}  // namespace barefxt::test
