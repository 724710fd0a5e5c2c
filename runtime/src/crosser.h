// A writer that opens a segment of a ring, or a context that owns segments for a while to write
// them back.
//
// While one exists a session does not start in other memory: what its writer found of the ring's
// memory, having looked at the position again since, stays the ring's. With BAREFXT_END_RECORDS it
// shows what its thread owns, so that nothing stays owned if the thread is killed (open_records.h).
#pragma once

#include "open_records.h"
#include "session.h"

#if !BAREFXT_LINEAR

namespace barefxt {

class Crosser {
 public:
  // For an opening that leaves the segment of `position`. Either a start sees this one, or this one
  // sees that the position was closed before that start.
  Crosser(Ring& ring, [[maybe_unused]] PositionWord position) : ring_(ring) {
#if BAREFXT_END_RECORDS
    thread_ = running_thread(ring);
    take(position);
#else
    change_visibly(ring.crossers, 1);
#endif
  }
#if BAREFXT_END_RECORDS
  // For the caller that writes segments back.
  explicit Crosser(Ring& ring) : ring_(ring), thread_(calling_thread()), is_known_(true) {
    take(0);
  }
#endif
  ~Crosser() {
#if BAREFXT_END_RECORDS
    if (crossing_ != nullptr) {
      // Otherwise another thread may have been taken for this one, and the place may be another's
      // by now.
      if (is_known_) {
        crossing_->claims.store_release(0);
        crossing_->from.store_release(0);
      }
      crossing_->thread.compare_exchange(thread_, Crossing::kNobody);
      return;
    }
#endif
    change_visibly(ring_.crossers, ~uint32_t{0});
  }
  Crosser(const Crosser&) = delete;
  Crosser& operator=(const Crosser&) = delete;

  // The position was found unchanged.
  void is_there_still() {
#if BAREFXT_END_RECORDS
    is_known_ = true;
#endif
  }
#if BAREFXT_END_RECORDS
  // The segment has something unfinished, and is passed over.
  void note_owner(const SegmentHeader& segment) const {
    if (crossing_ == nullptr) return;
    const auto maker = static_cast<unsigned>(crossing_ - open_records_of(ring_).crossings);
    barefxt::note_owner(ring_, segment, maker, thread_);
  }
#endif
  // Ahead of the swap that claims it, or makes it the caller's for a while.
  void announce([[maybe_unused]] uint32_t slot) {
#if BAREFXT_END_RECORDS
    // In this order: a context that sees the count sees the claim (end_claim).
    if (crossing_ != nullptr) crossing_->claims.store_release(slot + 1);
    open_records_of(ring_).announced.fetch_add_release(1);
#endif
  }

 private:
#if BAREFXT_END_RECORDS
  void take(PositionWord position) {
    for (Crossing& crossing : open_records_of(ring_).crossings) {
      if (!crossing.thread.compare_exchange(Crossing::kNobody, thread_)) continue;
      crossing.from.store_release(position);
      crossing_ = &crossing;
      full_fence();
      return;
    }
    change_visibly(ring_.crossers, 1);
  }
#endif

  Ring& ring_;
#if BAREFXT_END_RECORDS
  uint32_t thread_;
  bool is_known_ = false;
  Crossing* crossing_ = nullptr;
#endif
};

}  // namespace barefxt

#endif
