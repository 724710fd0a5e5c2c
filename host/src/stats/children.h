// Of one thread: durations that have ended, and whose parent is not known yet, since a complete
// duration counts by its end.
//
// Invariants: memory is bounded. Those that ended within one open duration are at most kMost, and
// beyond that the older ones are joined; so what an open duration takes at its end is exact,
// however many they were. A complete duration that begins amid joined ones does not know what was
// within it.
#pragma once

#include <cstdint>
#include <vector>

namespace barefxt::host {

class Children {
 public:
  // What was within a duration: the ticks of the durations directly within it, and those of the
  // outermost calls of functions. Each is known or not.
  struct Within {
    std::uint64_t ticks = 0;
    std::uint64_t calls = 0;
    bool ticks_known = true;
    bool calls_known = true;
  };
  struct Ended {
    std::uint64_t begin;
    std::uint64_t end;
    Within holds;  // itself included
    bool joined = false;
  };

  // Takes those that began no earlier than a duration, or call, that ends now.
  Within take(std::uint64_t begin, bool call);
  // `first`: what size() was when the innermost open duration began.
  void add(const Ended& ended, std::size_t first);
  // Where a duration begins, and `first` is that of the one around it; the size then.
  std::size_t begin(std::size_t first);

 private:
  void join(std::size_t first, std::size_t count);

  static constexpr std::size_t kMost = 64;
  static constexpr std::size_t kMostInAll = 1024;  // beyond, those of each open duration are joined
  std::vector<Ended> ended_;
};

}  // namespace barefxt::host
