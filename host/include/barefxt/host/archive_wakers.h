// The wakers of an archive's wakeups, found by a reader of its own that goes ahead of the one that
// asks (../../src/rebuild/waker_judge.h says by what). For archives that do not name them.
//
// Invariants: the archive is read once more, in linear time, and at most kMaxAhead bytes ahead.
// Memory is bounded by that, by the number of CPUs in all providers (kMaxCpus) and by the memory of
// each CPU's judge.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include <barefxt/host/reader.h>

namespace barefxt::host {

class ArchiveWakers {
 public:
  // The limit for all providers together. Wakeups on CPUs beyond have no waker.
  static constexpr std::size_t kMaxCpus = 4096;

  // A wakeup that is not decided within this many bytes is the running thread's.
  static constexpr std::uint64_t kMaxAhead = std::uint64_t{2} << 20;

  // `passed` as Reader::on_passed has it.
  ArchiveWakers(Bytes bytes, Form form, Reader::Passed passed = {});
  ~ArchiveWakers();
  ArchiveWakers(const ArchiveWakers&) = delete;
  ArchiveWakers& operator=(const ArchiveWakers&) = delete;

  // The waker's koid: what the wakeup says itself, otherwise what the archive shows; nothing where
  // it leaves that open. To be asked for each wakeup of the archive once, in order.
  // `offset`: of the wakeup.
  std::optional<std::uint64_t> next(std::optional<std::uint32_t> provider,
                                    const ThreadWakeup& wakeup, std::uint64_t offset);

 private:
  class Ahead;
  std::unique_ptr<Ahead> ahead_;
};

}  // namespace barefxt::host
