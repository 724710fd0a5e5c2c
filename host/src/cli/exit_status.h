// The exit statuses of the command; scripts rely on them.
#pragma once

#include <cstdint>

namespace barefxt::cli {

enum ExitStatus : uint8_t {  // unscoped: main returns it
  kDone = 0,
  kFindings = 1,    // lint or doctor found something, a budget of stats is violated
  kUsage = 2,       // bad usage, or a file that cannot be opened or written
  kIncomplete = 3,  // there is an output, but something of the input is missing from it
  kNothing = 4,     // nothing could be read or recovered
};

}  // namespace barefxt::cli
