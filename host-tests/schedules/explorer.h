// Runs threads in every order, and with every result of a load, that C++ allows, within limits.
//
// Code under test is compiled with -fsanitize=thread and linked without its library: explorer.cpp
// defines the functions that the compiler calls ahead of each load and store. So what is explored
// is the code as it is, and not a model of it. explorer.cpp finds the locations that threads share,
// and puts memory back for the next execution; schedule.cpp switches stacks; weak_memory.cpp has
// the values that loads may return.
//
// Threads are stacks of one process. Ahead of each access to a location that two of them use, and
// one stores to, any other may go on. A load may return any store that neither happens-before nor
// coherence rule out; plain accesses count as relaxed. Stores to a location are seen in the order
// in which they are made, and no load returns a store that is made behind it.
//
// All of this takes 710 lines of code. 250 of them are late loads (140), exclusive pairs, words in
// halves, fences, interrupts and the trace of a failure. Orders of threads alone would need fewer
// than 500 lines, and find no missing fence.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace barefxt::test {

struct Thread {
  void (*body)();
  // Threads of one processor see each other's stores at once.
  unsigned processor = 0;
  // The thread that it interrupts, anywhere: that goes on when this one is done. -1: runs freely.
  int interrupts = -1;
};

struct Limits {
  unsigned preemptions;  // changes from a thread that could go on
  unsigned late_loads;   // loads that return another store than the last
};

struct Explored {
  uint64_t executions = 0;
  unsigned locations = 0;  // that threads share
  std::string problem;     // of the first execution that has one; its accesses are printed
};

// Runs the threads and, when all are done, `judge`, once for each execution. Every execution begins
// with memory as it is now. Only the program's own data is explored: no heap.
Explored explore(const std::vector<Thread>& threads, void (*judge)(), Limits limits);

// Ends the execution with this problem, unless `holds`. Threads and the judge call it.
void require(bool holds, const char* problem);

// A counter that all processors share. By threads: any other may go on ahead of it.
uint64_t count_ticks();

// Words of 64 bits in this memory are loaded and stored in halves, as CPUs of 32 bits do.
void split_words(const void* memory, size_t bytes);

// The position's exclusive load and store (barefxt_port_load_linked) are explored, too: the store
// succeeds only if since the load no thread stored to the word, and no other thread of the
// processor ran. The load returns the last store.

}  // namespace barefxt::test
