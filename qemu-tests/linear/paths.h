// The interrupted paths, and the interrupts, in a sweep of a runtime without segments.
//
// Each path is taken from the same beginning again and again: as after boot, with the threads below
// in the table, `running` running. Its records differ from the handler's in the threads that they
// name.
#pragma once

#include <stdint.h>

#include <barefxt/barefxt.h>

namespace kernel::linear {

struct Threads {
  barefxt_thread running;
  barefxt_thread of_path;
  barefxt_thread of_handler;
  barefxt_thread unregistered;  // never
  // Registered by a path, and by the handler in the middle of that.
  barefxt_thread new_of_path;
  barefxt_thread new_of_handler;
};
extern Threads threads;

enum class Kind : uint8_t {
  kWrites,
  kEnds,       // recording, or switches it off: what comes then is not recorded, and not lost
  kStarts,     // a session; likewise what comes before
  kRegisters,  // a thread
};

struct Path {
  const char* name;
  void (*write)();
  Kind kind;
  uint32_t entries_left;  // of the table of threads
};

inline constexpr uint32_t kAmpleEntries = 4;
inline constexpr unsigned kPaths = 18;
extern const Path paths[kPaths];

// A whole session's memory, and how it is started.
inline constexpr size_t kMemoryBytes = 1024;
extern uint8_t memory[kMemoryBytes];
void start();

// Puts `threads` into the table, which is empty, and others, so that this many entries are left.
void register_threads(uint32_t entries_left);

// Returns true if each entry belongs wholly to one thread above. `registered`: the path's and the
// handler's threads that are done registering. Each of these with an index is the only one that has
// it, and has none only if the table is full.
bool is_table_sound(bool path_registered, bool handler_registered);
void register_new_of_handler();

// The handler: a switch away from the thread that is taken for the running one, an event, and a
// switch back.
void write_in_handler();

// Events that ask for no category: recorded while the session runs, and else passed over.
void write_ungated_events();

}  // namespace kernel::linear
