// Finds the wakers in archives whose wakeups do not name them, by a second reader that goes ahead
// of the caller's. ../../src/rebuild/waker_judge.h has the rules.
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
  static constexpr size_t kMaxCpus = 4096;

  // A wakeup that is not decided within this many bytes is the running thread's.
  static constexpr uint64_t kMaxAhead = uint64_t{2} << 20;

  // `passed` as Reader::on_passed has it.
  ArchiveWakers(Bytes bytes, Form form, Reader::Passed passed = {});
  ~ArchiveWakers();
  ArchiveWakers(const ArchiveWakers&) = delete;
  ArchiveWakers& operator=(const ArchiveWakers&) = delete;

  // Returns the waker's koid: from the wakeup's own argument, otherwise from the records around it;
  // nothing if they leave that open. Call it for each wakeup of the archive once, in order.
  // `offset`: of the wakeup.
  std::optional<uint64_t> next(std::optional<uint32_t> provider, const ThreadWakeup& wakeup,
                               uint64_t offset);

 private:
  class Ahead;
  std::unique_ptr<Ahead> ahead_;
};

}  // namespace barefxt::host
