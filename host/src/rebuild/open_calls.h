// Which calls are open on each thread: so that an archive has no end without a begin, and none that
// ends inside another one.
//
// Invariants: memory is bounded, and so is the search for what an exit belongs to. A call that is
// nested deeper than kDeepest, or beyond kMaxOpen of all threads, is left out and counted.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include <barefxt/host/nesting_stacks.h>

#include "call_reader.h"

namespace barefxt::host {

class OpenCalls {
 public:
  static constexpr size_t kDeepest = 4096;
  static constexpr size_t kMaxOpen = size_t{1} << 20;
  static constexpr size_t kMaxThreads = 65536;  // within calls

  // A function that is entered. False: it is left out, and so will be its exit.
  bool enter(const FunctionCall& call) {
    Stack* const stack = stack_of(call.thread);
    if (stack == nullptr || stack->left_out != 0 || stack->open.size() == kDeepest ||
        !open_.push(stack->open, {call.function})) {
      if (stack != nullptr) ++stack->left_out;
      ++left_out_;
      return false;
    }
    return true;
  }

  // The functions to end, innermost first, where one is left: those inside it have no exit of their
  // own. None where it is not open: it was entered before the recording, or where records are lost.
  std::vector<uint32_t> leave(const FunctionCall& call) {
    const auto found = stacks_.find(key_of(call.thread));
    if (found == stacks_.end()) {
      ++orphan_exits_;
      return {};
    }
    Stack& stack = found->second;
    std::vector<uint32_t> ended;
    if (stack.left_out != 0) {
      --stack.left_out;
    } else {
      const size_t count = open_.height_of(stack.open, call.function);
      orphan_exits_ += count == 0 ? 1 : 0;
      added_exits_ += count == 0 ? 0 : count - 1;
      ended = end(stack, count);
    }
    // A thread that comes back saves the allocation.
    if (stack.open.empty() && stack.left_out == 0 && stacks_.size() > kMaxIdle)
      stacks_.erase(found);
    return ended;
  }

  // All of a thread that ended, innermost first.
  std::vector<uint32_t> leave_all(const ArchiveThread& thread) {
    const auto found = stacks_.find(key_of(thread));
    if (found == stacks_.end()) return {};
    const std::vector<uint32_t> ended = end(found->second, found->second.open.size());
    stacks_.erase(found);
    return ended;
  }

  bool any() const { return !stacks_.empty(); }

  uint64_t orphan_exits() const { return orphan_exits_; }
  uint64_t added_exits() const { return added_exits_; }
  uint64_t left_out() const { return left_out_; }

 private:
  static constexpr size_t kMaxIdle = 1024;

  struct Open {
    uint32_t key;  // the function
  };
  struct Stack {
    NestingStacks<Open>::Stack open;
    uint64_t left_out = 0;  // that have not ended
  };

  // An index, or a koid, which may be the same number.
  static std::pair<bool, uint64_t> key_of(const ArchiveThread& thread) {
    return {thread.index != 0, thread.index != 0 ? thread.index : thread.thread};
  }
  Stack* stack_of(const ArchiveThread& thread) {
    const auto key = key_of(thread);
    const auto found = stacks_.find(key);
    if (found != stacks_.end()) return &found->second;
    return stacks_.size() == kMaxThreads ? nullptr : &stacks_[key];
  }
  std::vector<uint32_t> end(Stack& stack, size_t count) {
    std::vector<uint32_t> ended;
    ended.reserve(count);
    for (; count != 0; --count) {
      ended.push_back(open_.top(stack.open).key);
      open_.pop(stack.open);
    }
    return ended;
  }

  struct Hash {
    size_t operator()(const std::pair<bool, uint64_t>& key) const {
      return (key.second << 1 | (key.first ? 1 : 0)) * 0x9E3779B97F4A7C15U;
    }
  };
  std::unordered_map<std::pair<bool, uint64_t>, Stack, Hash> stacks_;
  NestingStacks<Open> open_{kMaxOpen};
  uint64_t orphan_exits_ = 0;
  uint64_t added_exits_ = 0;
  uint64_t left_out_ = 0;
};

}  // namespace barefxt::host
