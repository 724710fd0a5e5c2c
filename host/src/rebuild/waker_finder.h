// Finds the wakers of one CPU's wakeups while the merge writes them: reads ahead of the merge in
// the same ring until the next wakeup's waker is decided (waker_judge.h).
//
// Each record is read ahead once, so time is linear in the ring. A ring without wakeups is not read
// ahead at all.
#pragma once

#include <optional>

#include "ring_cursor.h"
#include "waker_judge.h"

namespace barefxt::host {

class WakerFinder {
 public:
  // `start`: at the ring's first record. `cpu_thread`: see WakerJudge.
  WakerFinder(const CaptureContent& capture, const RingCursor& start,
              const ArchiveThread& cpu_thread)
      : capture_(&capture), ahead_(start), cpu_thread_(cpu_thread), judge_(cpu_thread) {}

  // The waker of the ring's next wakeup; to be asked for each of them once, in order. By the
  // target's index or by koids.
  std::optional<ArchiveThread> next_waker();

 private:
  void read_record();
  void read_event(const RecordView& record);

  const CaptureContent* capture_;
  RingCursor ahead_;
  ArchiveThread cpu_thread_;
  WakerJudge judge_;
};

}  // namespace barefxt::host
