// Messages of the verbs on standard error, a line there that is overwritten, and the end of
// standard output.
#pragma once

#include <cerrno>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

#include <barefxt/host/output.h>
#include <barefxt/host/status.h>

#include "exit_status.h"

namespace barefxt::cli {

// Prints a message, or keeps it: as long as messages are held, and with --quiet.
void say(const std::string& line);
// Between these, as long as a pager has the terminal, messages are kept.
void hold_messages();
void release_messages();
// Returns those that are kept, which nobody prints then.
std::vector<std::string> take_messages();
// Prints what --quiet has kept if the exit status is about a failure.
void end_messages(int status);

// Shows a line on the terminal that is standard error, in place of the one shown before. An empty
// one clears it, and so does a message.
void show_line(const std::string& line);
// Leaves it there.
void keep_line();

// Prints what is wrong with the usage or with a file. Returns the exit status for that.
inline int complain(const host::Error& error) {
  say(error.text());
  return kUsage;
}

// Flushes standard output; a failure is reported and makes the exit status kUsage. A reader that
// has enough is no failure.
inline int finish_output(host::DescriptorOutput& out, int status) {
  out.flush();
  if (!out.failed() || out.errno_at_failure() == EPIPE) return status;
  return complain(host::system_error("cannot write standard output", out.errno_at_failure(), {}));
}

// Prints a text as the whole output. Returns the exit status.
inline int print_text(std::string_view text, int status) {
  host::DescriptorOutput out(STDOUT_FILENO);
  out.text(text);
  return finish_output(out, status);
}

}  // namespace barefxt::cli
