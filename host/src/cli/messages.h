// What the verbs say to people, on standard error.
#pragma once

#include <cstdio>
#include <string>

#include <barefxt/host/result.h>

#include "exit_status.h"

namespace barefxt::cli {

inline void say(const std::string& line) { std::fprintf(stderr, "barefxt: %s\n", line.c_str()); }

// Says what went wrong with the usage or with a file; the exit status for that.
inline int complain(const host::Error& error) {
  say(error.text());
  return kUsage;
}

}  // namespace barefxt::cli
