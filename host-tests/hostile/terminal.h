// A terminal that a command runs on, as people see it.
#pragma once

#include <map>
#include <string>
#include <sys/types.h>

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

// A terminal of 80 columns that a test acts on while the command runs.
class OpenTerminal {
 public:
  explicit OpenTerminal(const std::string& line);
  ~OpenTerminal();
  OpenTerminal(const OpenTerminal&) = delete;
  OpenTerminal& operator=(const OpenTerminal&) = delete;

  pid_t child() const { return child_; }
  int handle() const { return terminal_; }
  void type(const std::string& keys) const;
  // Reads until the text has come. Returns false if it does not within 30 s.
  bool comes(const std::string& text);
  // Waits for the end, and kills the command after some seconds. Returns the status.
  int wait(bool reads);

 private:
  void read_some();

  int terminal_ = -1;
  pid_t child_ = -1;
  std::string shown_;
};

// The text without escape sequences.
std::string without_codes(const std::string& text);

}  // namespace barefxt::test
