// One memory for the elements of many stacks. A stack is a list from its top down.
//
// Invariant: memory is that of the most elements that there were at a time, however they were
// spread over stacks, so a limit on their number is a limit on memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace barefxt::host {

template <typename T>
class NodePool {
 public:
  using Place = uint32_t;
  static constexpr Place kNone = ~Place{0};

  // A new element, which lies on the one at `below`.
  Place take(const T& value, Place below) {
    ++used_;
    if (free_ == kNone) {
      nodes_.push_back({value, below});
      return static_cast<Place>(nodes_.size() - 1);
    }
    const Place at = free_;
    free_ = nodes_[at].below;
    nodes_[at] = {value, below};
    return at;
  }
  void give_back(Place at) {
    nodes_[at].below = free_;
    free_ = at;
    --used_;
  }

  T& operator[](Place at) { return nodes_[at].value; }
  const T& operator[](Place at) const { return nodes_[at].value; }
  Place& below(Place at) { return nodes_[at].below; }
  Place below(Place at) const { return nodes_[at].below; }
  size_t used() const { return used_; }

 private:
  struct Node {
    T value;
    Place below;
  };
  std::vector<Node> nodes_;
  Place free_ = kNone;
  size_t used_ = 0;
};

}  // namespace barefxt::host
