// The write paths that a sweep goes through, and the threads that they name.
//
// Every path exists once for each writer, and a writer's records differ from the other writers' in
// a text or a number. So a record that is found reveals its writer. The code that the paths share,
// all of the runtime but the instances of its templates, is the same.
#pragma once

#include <barefxt/barefxt.h>

namespace kernel::sweep {

enum Writer : unsigned {  // unscoped: indices
  kInterrupted,
  kInterrupting,
  kNested,
  kWriters,
};

enum class Runs : uint8_t {
  kIndexed,  // a thread with an index runs
  kInline,   // one without: its koids stand in its records
  kUnknown,  // the thread is not known
};

enum class Length : uint8_t { kShort, kLong };

struct Path {
  const char* name;
  void (*write)();
  Runs runs;
  Length length;  // long: most of it is one loop over bytes
};

// The same names in the same order for each writer.
inline constexpr unsigned kMaxPaths = 50;
struct Paths {
  const Path* path;
  unsigned count;
};
Paths paths_of(Writer writer);

// The one that runs, and one for each writer to switch to and name; with and without an index.
struct Threads {
  barefxt_thread running;
  barefxt_thread of_writer[kWriters];
};
extern Threads indexed;
extern Threads inlined;
void register_threads();

}  // namespace kernel::sweep

extern "C" {
// The probe of C, whose arguments stand in memory.
void sweep_c_probe_interrupted(void);
void sweep_c_probe_interrupting(void);
void sweep_c_probe_nested(void);
}
