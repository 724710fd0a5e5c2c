// Critical paths by an evaluator that reads nothing but switches and wakeups. At each time the path
// of a thread lies in one thread: in the thread itself while it runs or is ready, or sleeps until
// an interrupt; in the thread that wakes it up while it sleeps otherwise, and in turn in that one's
// path. This is the meaning of Perfetto's module `sched.thread_executing_span`.
#pragma once

#include <cstdint>
#include <map>
#include <utility>

#include "reader/plain_decoder.h"

namespace barefxt::test {

// Nanoseconds by two koids: the thread whose path it is, and the thread that the path lies in.
using CriticalPaths = std::map<std::pair<uint64_t, uint64_t>, uint64_t>;

// Perfetto has no place for a wakeup from an interrupt where nothing ran that it knows. Its reader
// of archives knows nothing of interrupts: there, the CPU's own thread never runs.
enum class InterruptsBegin : uint8_t { kNoSpan, kSpanOverThreads };

CriticalPaths critical_paths(const PlainArchive& archive, InterruptsBegin interrupts);

}  // namespace barefxt::test
