// The functions whose calls are recorded in sweeps of calls, and how they are called: by the hooks
// themselves, or with sleds, where the image has them.
#pragma once

#include <stdint.h>

namespace kernel::sweep {

enum Called : uint32_t {  // unscoped: indices
  kCalledBefore,
  kCalledInterrupted,
  kCalledByHandler,
  kCalledByOther,
  kCalled
};

// Calls that are open while kCalledInterrupted is called.
enum class Within : uint8_t {
  kNothing,
  kCall,     // kCalledBefore, which ends behind it
  kUnended,  // and in that a call without an end of its own, behind an end without a begin
};

struct Way {
  const char* name;
  void (*call)();   // kCalledInterrupted; null: by hooks
  uint32_t events;  // that it makes of each kind
  bool has_argument;
  Within within;
};
// Those that this image has.
struct Ways {
  const Way* way;
  unsigned count;
};
Ways ways();

// Returns true if the runtime records calls.
bool records_calls();

// Enters and leaves it.
void call(const Way& way, Called called);

// Which of them a record's function is; kCalled: none.
Called called_by_number(const Way& way, uint64_t number);

}  // namespace kernel::sweep
