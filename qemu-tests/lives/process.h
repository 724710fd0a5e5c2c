// A process of one thread in the kernel, and the event that it records about itself.
#pragma once

#include <barefxt/barefxt.h>

namespace kernel::lives {

constexpr uint32_t kNameBytes = 16;

struct Process {
  uint32_t koid = 0;  // 0: not there; its thread's is the next
  char name[kNameBytes + 1] = {};
  barefxt_thread thread = {};
};

// "fork-17"
void set_name(Process& process, const char* word, uint32_t number);

// Report the process to the tracer, under its current name.
void begin(Process& process, uint32_t koid);
void rename(Process& process);
void end(Process& process);

// Records an instant "said" whose arguments are true now. `number` counts those of its father.
void say(const Process& process, uint32_t number);

// A session must record these categories.
extern const uint32_t kCategories;

}  // namespace kernel::lives
