// Who waited for which lock, for whom, and whether someone of a priority in between made it longer.
//
// No record says who holds a lock: the holder is who ended the wait, the thread that ran where the
// waiter's wakeup was recorded. Where that was an interrupt, or is not known, there is none.
#pragma once

#include <vector>

#include "names.h"
#include "scheduling.h"

namespace barefxt::host {

class Contention {
 public:
  Contention(Statistics& statistics, const Names& names, const Window& window,
             const Selection& selection, const Scheduling& scheduling)
      : statistics_(statistics),
        names_(names),
        window_(window),
        selection_(selection),
        scheduling_(scheduling) {}

  void wait(const Extent& extent, std::uint64_t thread, std::uint32_t object);

 private:
  bool is_shown(std::uint64_t waiter, std::optional<std::uint64_t> holder) const;
  ObjectKey key_of(std::uint32_t object) const;
  ContentionStatistics& sum_of(std::uint32_t object);
  void look_for_inversion(std::uint32_t object, const Extent& extent, Scheduling::Number waiter,
                          Scheduling::Number holder);

  static constexpr std::size_t kMostPairs = std::size_t{1} << 16;
  Statistics& statistics_;
  const Names& names_;
  const Window& window_;
  const Selection& selection_;
  const Scheduling& scheduling_;
  std::vector<ContentionStatistics*> sums_;  // by object, each in a map, which moves none
  NamedRoom room_of_inversions_;
  std::size_t pairs_ = 0;  // of locks and holders, and of inversions
};

}  // namespace barefxt::host
