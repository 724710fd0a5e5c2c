// The providers of an archive that is written, and the one whose records come next.
//
// Invariant: memory is bounded. Beyond the limit of providers the one declared first is forgotten,
// and would be declared again. If all tables together grow too large, those of all other providers
// are forgotten, which costs only new registrations.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string_view>
#include <unordered_map>

#include <barefxt/host/convert.h>

#include "../archive/archive_provider.h"

namespace barefxt::host {

class ProviderSet {
 public:
  ProviderSet(ArchiveWriter& writer, ChangeCounts& changes);

  // The provider of the next records; at the start, one for records ahead of any provider.
  ArchiveProvider& current() { return *current_->provider; }
  bool anybody() const { return current_ != &nobody_; }

  bool declared(uint32_t id) const { return slots_.contains(id); }
  // Writes its provider info record. The current provider stays current.
  void declare(uint32_t id, std::string_view name);
  // Makes one that was declared the current one.
  void enter(uint32_t id);

  // Adds the providers' counts to the changes.
  void finish();

 private:
  struct Slot {
    std::unique_ptr<ArchiveProvider> provider;
    size_t memory = 0;  // when it was left
  };
  void retire(const Slot& slot);
  void forget_others();

  static constexpr size_t kMax = 1024;
  static constexpr size_t kMaxMemory = size_t{64} << 20;

  ArchiveWriter& writer_;
  ChangeCounts& changes_;
  Slot nobody_;
  std::unordered_map<uint32_t, Slot> slots_;
  std::deque<uint32_t> order_;  // of declaration
  Slot* current_ = &nobody_;
  size_t memory_of_others_ = 0;
};

}  // namespace barefxt::host
