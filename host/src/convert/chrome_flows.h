// Flow events, bound to durations as the specification defines it: a flow leaves at the end of the
// duration that encloses its begin event; step and end events enter at the begin of theirs.
//
// Viewers bind a flow event to the innermost duration open at its time on its thread. So the event
// is written with the time of that end (a nanosecond before it, where the duration is still open)
// or begin. It must wait until the enclosing duration is known, since a complete event mostly
// stands behind its content. The wanted time may bind the event to an inner duration that begins or
// ends at the same time. It may also put events of one flow out of order, if the duration that the
// flow leaves outlives its arrival elsewhere. The event's own time is used then: it binds the same,
// and Perfetto draws from end to begin of the bound durations in any case.
//
// A flow event that no duration encloses has nothing to leave or enter: it is left out and counted.
//
// Invariant: memory is bounded, however many threads and flows there are, and however long their
// names. Beyond kMaxWaiting waiting flow events, or kMaxBytes of their bytes, the oldest is left
// out. Each thread's last kMaxCompleted completed durations are remembered, and the last
// kMaxCompletedInAll of all threads. Durations within kMaxOpen open ones of a thread, or begun
// beside kMaxOpenInAll of all threads, enclose no flow event. Names are views into the archive.
#pragma once

#include <cstdint>
#include <deque>
#include <list>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "chrome_writer.h"

namespace barefxt::host {

struct ThreadDurations;

struct WaitingFlow {
  char phase;  // s, t or f
  uint64_t process;
  uint64_t thread;
  ThreadDurations* durations;
  Nanoseconds own;
  std::string flow;  // the viewer's id
  Text category;
  Text name;
  std::string arguments;  // JSON

  size_t depth = 0;  // of begun durations around it
  enum class State : uint8_t { kWaiting, kPlaced, kLeftOut };
  State state = State::kWaiting;
  Nanoseconds wanted = 0;
};
using WaitingFlows = std::list<WaitingFlow>;

// A thread's open durations, and its completed ones.
struct ThreadDurations {
  struct Span {
    Nanoseconds begin;
    Nanoseconds end;
    bool operator==(const Span&) const = default;
  };
  struct Open {
    Nanoseconds begin;
    std::optional<Nanoseconds> first_child;
  };
  std::vector<Open> open;
  uint64_t deeper = 0;  // opened beyond kMaxOpen or kMaxOpenInAll
  // Lists: most threads need neither, and an empty deque takes half a KiB.
  std::list<Span> completed;
  size_t forgotten = 0;                       // of `completed`, while the order of all has them
  std::list<WaitingFlows::iterator> waiting;  // the oldest first
};

class ChromeFlows {
 public:
  ChromeFlows(ChromeWriter& writer, ChangeCounts& changes) : writer_(writer), changes_(changes) {}

  // Events on a thread, in the archive's order. Begins and complete durations are written before
  // these calls, ends after.
  void begin(ThreadDurations& thread, Nanoseconds time);
  void end(ThreadDurations& thread, Nanoseconds time);
  void complete(ThreadDurations& thread, Nanoseconds begin, Nanoseconds end);
  void flow(WaitingFlow flow);
  // Everything still waiting on the thread: nothing follows.
  void finish(ThreadDurations& thread);

 private:
  static constexpr size_t kMaxOpen = 4096;
  static constexpr size_t kMaxOpenInAll = size_t{1} << 17;
  static constexpr size_t kMaxCompleted = 256;
  static constexpr size_t kMaxCompletedInAll = size_t{1} << 17;
  static constexpr size_t kMaxWaiting = 65536;
  static constexpr size_t kMaxBytes = size_t{16} << 20;
  static constexpr size_t kMaxFlows = 2 * kMaxWaiting;

  struct Flow {
    std::list<WaitingFlows::iterator> events;    // in the archive's order
    std::optional<Nanoseconds> latest;           // of what was written
    std::optional<std::pair<Text, Text>> label;  // the begin's category and name
  };

  using Span = ThreadDurations::Span;
  void place(WaitingFlow& flow, Span span, bool has_end);
  void settle(const std::string& flow);
  void write(const WaitingFlow& event, Flow& flow, Nanoseconds time);
  void leave_oldest_out();
  void forget_idle_flows();
  static bool covered(const ThreadDurations& thread, Span span, Nanoseconds time);
  void remember(ThreadDurations& thread, Span span);
  static size_t bytes_of(const WaitingFlow& flow);

  ChromeWriter& writer_;
  ChangeCounts& changes_;
  WaitingFlows waiting_;  // the oldest first
  size_t waiting_bytes_ = 0;
  size_t open_ = 0;  // of all threads
  // The threads of all completed durations that are remembered, the oldest first.
  std::deque<ThreadDurations*> completed_;
  std::unordered_map<std::string, Flow> flows_;
};

}  // namespace barefxt::host
