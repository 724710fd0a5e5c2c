// The places of an archive where records are missing, in order of time, found by a look ahead.
//
// Invariants: an archive that names no loss is not read, only searched for the name. At most
// kMaxLosses places are remembered; later ones are as if they were none.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include <barefxt/host/reader.h>

namespace barefxt::host {

struct ArchiveLoss {
  uint64_t from;    // ticks
  uint64_t to;      // ticks
  uint64_t notice;  // the offset of the provider event that announces it, or of the slice
  uint64_t slice;   // the offset of the slice `drop_stats`
  unsigned cpu;
  // The thread that the first switch behind it takes off its CPU, and its weight.
  std::optional<uint64_t> after = {};  // NOLINT(readability-redundant-member-init): for GCC
  int32_t weight = 0;
};

class ArchiveLosses {
 public:
  static constexpr size_t kMaxLosses = size_t{1} << 16;
  static constexpr size_t kMaxCpus = 4096;

  using Losses = std::vector<ArchiveLoss>;  // by `from`

  // Losses ahead of a provider's first record are none of these: nothing is open there. Nor are
  // those of a provider that has added records already.
  ArchiveLosses(Bytes bytes, Form form, const Reader::Passed& passed);

  const Losses* of(uint64_t provider) const {
    const auto found = of_providers_.find(provider);
    return found == of_providers_.end() ? nullptr : &found->second;
  }
  bool any() const { return !of_providers_.empty(); }

 private:
  class Search;
  std::unordered_map<uint64_t, Losses> of_providers_;
};

// The key of the provider that a record belongs to.
inline uint64_t provider_key(const Record& record) {
  return record.provider ? *record.provider : ~uint64_t{0};
}

// The moment at which a record counts in the order of an archive. A record of a loss has none: it
// stands behind others of its time.
std::optional<uint64_t> moment_of(const Record& record);

// The CPU whose pseudo-thread this is.
std::optional<unsigned> cpu_of_thread(const ThreadId& thread);

// Hands on losses where they begin, in the order of an archive's records.
class LossOrder {
 public:
  explicit LossOrder(const ArchiveLosses& losses) : losses_(losses) {}

  // Calls `start` with each loss that begins ahead of this record, and its number among its
  // provider's, from 1.
  template <typename Start>
  void before(const Record& record, const Start& start) {
    const uint64_t provider = provider_key(record);
    const ArchiveLosses::Losses* const all = losses_.of(provider);
    if (all == nullptr) return;
    size_t& next = next_[provider];
    const std::optional<uint64_t> moment = moment_of(record);
    while (next < all->size()) {
      const ArchiveLoss& loss = (*all)[next];
      const bool has_begun = (moment && *moment > loss.from) || record.offset >= loss.notice;
      if (!has_begun) return;
      ++next;
      start(loss, static_cast<uint32_t>(next));
    }
  }

 private:
  const ArchiveLosses& losses_;
  std::unordered_map<uint64_t, size_t> next_;  // by provider
};

}  // namespace barefxt::host
