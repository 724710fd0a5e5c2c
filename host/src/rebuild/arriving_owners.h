// Whose each thread index is while a capture arrives: the entries of the table of threads, as
// changes in order of time.
#pragma once

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "former_threads.h"

namespace barefxt::host {

class ArrivingOwners {
 public:
  const FormerOwners& owners() const { return owners_; }

  // Takes entries as they are now: those that are others' than before are changes.
  void take(std::span<const ThreadFacts> entries);
  // Drops the first changes, which have been made.
  void forget(size_t made);
  // When there are more changes than are kept: the time up to which to make them.
  std::optional<uint64_t> overflows_at() const;

 private:
  FormerOwners owners_;
  std::vector<OwnerChange> changes_;
  std::vector<std::pair<uint8_t, uint64_t>> owned_;  // by entry: its index and koid
};

}  // namespace barefxt::host
