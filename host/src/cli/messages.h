// Messages of the verbs on standard error, and the end of standard output.
#pragma once

#include <cerrno>
#include <cstdio>
#include <string>
#include <string_view>
#include <unistd.h>

#include <barefxt/host/output.h>
#include <barefxt/host/safe_text.h>
#include <barefxt/host/status.h>

#include "exit_status.h"

namespace barefxt::cli {

inline void say(const std::string& line) {
  std::fprintf(stderr, "barefxt: %s\n", host::safe_text(line).c_str());
}

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
