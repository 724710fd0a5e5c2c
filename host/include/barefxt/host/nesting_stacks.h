// Stacks of what is open, such as calls of each thread, in which the innermost element of a key is
// found.
//
// Invariants: memory is bounded by the number of elements of all stacks together. A search that
// ends in vain passes kShallow elements at most; any other passes those that its caller then pops.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>

#include <barefxt/host/node_pool.h>

namespace barefxt::host {

// T has a member `key`, a uint32_t.
template <typename T>
class NestingStacks {
  using Pool = NodePool<T>;

 public:
  class Stack {
   public:
    size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }

   private:
    friend NestingStacks;
    typename Pool::Place top_ = Pool::kNone;
    typename Pool::Place top_of_shallow_ = Pool::kNone;  // its kShallow-th, where it has more
    size_t size_ = 0;
  };

  static constexpr size_t kShallow = 64;

  explicit NestingStacks(size_t most) : most_(most) {}

  // False where all stacks together are full.
  bool push(Stack& stack, const T& value) {
    if (pool_.used() == most_) return false;
    if (stack.size_ >= kShallow) add_deep(stack, value.key);
    stack.top_ = pool_.take(value, stack.top_);
    ++stack.size_;
    return true;
  }
  T& top(const Stack& stack) { return pool_[stack.top_]; }
  const T& top(const Stack& stack) const { return pool_[stack.top_]; }
  void pop(Stack& stack) {
    if (stack.size_ > kShallow) remove_deep(stack, top(stack).key);
    const auto below = pool_.below(stack.top_);
    pool_.give_back(stack.top_);
    stack.top_ = below;
    --stack.size_;
  }
  void clear(Stack& stack) {
    while (!stack.empty()) pop(stack);
  }

  // How many elements lie on the innermost one of this key, itself included; 0 where there is none.
  size_t height_of(const Stack& stack, uint32_t key) const {
    auto at = stack.top_;
    size_t passed = 0;
    if (stack.size_ > kShallow && !deep_.contains(deep_key(stack, key))) {
      at = stack.top_of_shallow_;
      passed = stack.size_ - kShallow;
    }
    for (; at != Pool::kNone; at = pool_.below(at)) {
      ++passed;
      if (pool_[at].key == key) return passed;
    }
    return 0;
  }
  // Calls `see` with each element, innermost first.
  template <typename See>
  void for_each(const Stack& stack, const See& see) const {
    for (auto at = stack.top_; at != Pool::kNone; at = pool_.below(at)) see(pool_[at]);
  }
  size_t size() const { return pool_.used(); }  // of all stacks

 private:
  static uint64_t deep_key(const Stack& stack, uint32_t key) {
    return uint64_t{stack.top_of_shallow_} << 32 | key;
  }
  [[gnu::noinline]] void add_deep(Stack& stack, uint32_t key) {
    if (stack.size_ == kShallow) stack.top_of_shallow_ = stack.top_;
    ++deep_[deep_key(stack, key)];
  }
  [[gnu::noinline]] void remove_deep(const Stack& stack, uint32_t key) {
    const auto found = deep_.find(deep_key(stack, key));
    if (--found->second == 0) deep_.erase(found);
  }

  Pool pool_;
  size_t most_;
  // The number of elements above a stack's kShallow-th, by that element and key.
  std::unordered_map<uint64_t, uint32_t> deep_;
};

}  // namespace barefxt::host
