// Durations of threads that have ended, and whose parent is not known yet, since a complete
// duration counts by its end.
//
// Invariants: memory is bounded. A thread keeps at most kMax children that ended within one open
// duration; beyond that the older ones are joined. So an open duration's sums are exact at its end,
// however many children there were. Beyond kMaxOfThread of a thread, or kMaxInAll of all threads,
// all those within one open duration are joined, so there are at most two for each open duration
// and each thread more. A complete duration that begins amid joined ones does not know what was
// within it.
#pragma once

#include <cstdint>

#include <barefxt/host/node_pool.h>

namespace barefxt::host {

class Children {
 public:
  // Sums of a duration's children: the ticks of the durations directly within it, and those of the
  // outermost calls of functions. Each is known or not.
  struct Within {
    uint64_t ticks = 0;
    uint64_t calls = 0;
    bool ticks_known = true;
    bool calls_known = true;
  };
  struct Ended {
    uint64_t begin;
    uint64_t end;
    Within holds;  // itself included
    bool joined = false;
  };
  // The state of one thread.
  struct Stack {
    NodePool<Ended>::Place top = NodePool<Ended>::kNone;
    uint32_t size = 0;
  };

  // Takes those that began no earlier than a duration, or call, that ends now.
  Within take(Stack& stack, uint64_t begin, bool call);
  // `first`: what begin() returned for the innermost open duration.
  void add(Stack& stack, const Ended& ended, uint32_t first);
  // The begin of a duration, and `first` is that of the one around it.
  uint32_t begin(Stack& stack, uint32_t first);

  size_t size() const { return pool_.used(); }  // of all threads

  static constexpr uint32_t kMax = 64;
  static constexpr uint32_t kMaxOfThread = 1024;
  static constexpr size_t kMaxInAll = size_t{1} << 18;

 private:
  void pop(Stack& stack);
  void join(Stack& stack, uint32_t first, uint32_t count);

  NodePool<Ended> pool_;
};

}  // namespace barefxt::host
