// A boot of an image that records into one run of memory (runtime/src/linear.h), and can start
// recording only once: its .bss is zero again.
#pragma once

namespace barefxt::test {

// Restores the state before anything was recorded or registered. No writer may be at work.
void boot();

// The same, after which the same threads, processes and objects were registered again.
void boot_and_register_again();

}  // namespace barefxt::test
