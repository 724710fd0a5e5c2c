// Whose turn it is in a merge of rings: the one whose next record is the earliest.
//
// At the same tick the lower ring goes first, so that an archive depends on nothing but its
// capture. A heap, of which one ring after the other moves: a merge does that once for each record.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace barefxt::host {

class Turns {
 public:
  void add(uint64_t time, size_t ring) {
    heap_.push_back({time, ring});
    std::push_heap(heap_.begin(), heap_.end(), std::greater<>());
  }
  bool empty() const { return heap_.empty(); }
  // The ring whose turn it is; this and all below need one.
  size_t ring() const { return heap_.front().ring; }
  // It has no more records.
  void remove() {
    std::pop_heap(heap_.begin(), heap_.end(), std::greater<>());
    heap_.pop_back();
  }
  // Its next record is of this time, which is no earlier.
  [[gnu::always_inline]] void go_on_at(uint64_t time) {
    Turn* const heap = heap_.data();
    const size_t count = heap_.size();
    const Turn turn{time, heap->ring};
    size_t at = 0;
    for (size_t child = 1; child < count; child = 2 * at + 1) {
      if (child + 1 < count && heap[child] > heap[child + 1]) ++child;
      if (!(turn > heap[child])) break;
      heap[at] = heap[child];
      at = child;
    }
    heap[at] = turn;
  }

 private:
  struct Turn {
    uint64_t time;
    size_t ring;
    bool operator>(const Turn& other) const {
      // Without a branch: which ring is next is hard to predict.
      return (time > other.time) | ((time == other.time) & (ring > other.ring));
    }
  };
  std::vector<Turn> heap_;
};

}  // namespace barefxt::host
