// The wakers of an archive's wakeups, found by a reader of its own that goes ahead of the one that
// asks (../../src/rebuild/waker_judge.h says by what). For archives that do not name them.
//
// Invariants: the archive is read once more, in linear time; memory is bounded by the number of
// CPUs that are told apart (kMaxCpus) and by what the judge of each remembers.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include <barefxt/host/reader.h>

namespace barefxt::host {

class ArchiveWakers {
 public:
  // Of all providers together. Wakeups on CPUs beyond have no waker.
  static constexpr std::size_t kMaxCpus = 4096;

  ArchiveWakers(Bytes bytes, Form form);
  ~ArchiveWakers();
  ArchiveWakers(const ArchiveWakers&) = delete;
  ArchiveWakers& operator=(const ArchiveWakers&) = delete;

  // The waker's koid: what the wakeup says itself, otherwise what the archive shows; nothing where
  // it leaves that open. To be asked for each wakeup of the archive once, in order.
  std::optional<std::uint64_t> next(std::optional<std::uint32_t> provider,
                                    const ThreadWakeup& wakeup);

 private:
  class Ahead;
  std::unique_ptr<Ahead> ahead_;
};

}  // namespace barefxt::host
