// The last records of an archive that arrives, as an archive of their own.
//
// Invariants: memory is bounded by kMaxBytes and by the tables of a trace: the texts, threads and
// names that the records refer to are kept from before them. No reference means another text than
// it did.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <utility>
#include <vector>

#include <barefxt/host/source.h>

namespace barefxt::top {

class RecentRecords {
 public:
  static constexpr size_t kMaxBytes = size_t{8} << 20;

  explicit RecentRecords(size_t most = kMaxBytes) : most_(most) {}

  // Whole records, little-endian, which follow those before.
  void add(host::Bytes records);
  // Everything that was added is in archive().
  bool is_all() const { return is_all_; }
  std::vector<uint8_t> archive() const;

 private:
  using Key = std::pair<uint8_t, uint64_t>;  // the kind of record, and what it is about

  void forget_first();
  void keep(host::Bytes record);

  size_t most_;
  size_t bytes_ = 0;
  std::deque<std::vector<uint8_t>> records_;
  std::map<Key, std::vector<uint8_t>> tables_;  // as of the first record
  bool is_all_ = true;
};

}  // namespace barefxt::top
