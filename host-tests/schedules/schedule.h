// Threads as stacks of one process, of which any may go on between two steps, and the choices that
// make one execution differ from the next: their tree is walked depth first.
#pragma once

#include <cstdint>

#include "explorer.h"

namespace barefxt::test {

constexpr unsigned kMaxThreads = 4;

// Returns one of so many options, from 0: in a new execution the first.
unsigned choose(unsigned options);
void forget_choices();
// Makes the next execution take the next option at the last choice that has one. False: none has.
bool find_next_choices();

// Those of the executions to come. Each calls `at_end` behind its body.
void take_threads(const std::vector<Thread>& all, void (*at_end)());
// Runs them until all are done. False: one abandoned the execution.
bool run_threads(unsigned preemptions);
[[noreturn]] void abandon();

// A place where others may go on. False: the execution has had too many.
[[nodiscard]] bool step();

unsigned current_thread();
unsigned current_processor();

// The exclusive monitors. A thread's holds what it linked last, until another thread stores there
// or another thread of the processor runs.
void link(const volatile void* word);
bool unlink(const volatile void* word);  // the caller's; false: it was not linked
void unlink_others(const volatile void* word);

}  // namespace barefxt::test
