#include "arriving_owners.h"

#include <algorithm>

#include <barefxt/wire/frame.h>

namespace barefxt::host {
namespace {

// Entries of threads that have changed hands, until records as late as the changes are merged.
constexpr size_t kMaxChanges = size_t{1} << 17;

}  // namespace

void ArrivingOwners::forget(size_t made) {
  changes_.erase(changes_.begin(), changes_.begin() + static_cast<ptrdiff_t>(made));
  owners_.changes = changes_;
}

void ArrivingOwners::take(std::span<const ThreadFacts> entries) {
  const size_t known = owned_.size();
  owned_.resize(entries.size());
  for (size_t i = 0; i < entries.size(); ++i) {
    const ThreadFacts& entry = entries[i];
    owners_.have_changed = owners_.have_changed || entry.has_since;
    const bool has_index = entry.kind != 0 && entry.index != 0 &&
                           wire::is_thread(static_cast<wire::ThreadsEntryKind>(entry.kind));
    const std::pair<uint8_t, uint64_t> owned{entry.index, entry.koid};
    if (!has_index || (i < known && owned_[i] == owned)) continue;
    owned_[i] = owned;
    const OwnerChange change{entry.since, entry.index, true, entry.process, entry.koid};
    const auto later = std::upper_bound(
        changes_.begin(), changes_.end(), change,
        [](const OwnerChange& a, const OwnerChange& b) { return a.time < b.time; });
    changes_.insert(later, change);
  }
  owners_.changes = changes_;
}

std::optional<uint64_t> ArrivingOwners::overflows_at() const {
  if (changes_.size() <= kMaxChanges) return std::nullopt;
  return changes_[changes_.size() - kMaxChanges].time;
}

}  // namespace barefxt::host
