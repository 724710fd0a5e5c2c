// Which calls are open on each thread: so that an archive has no end without a begin, and none that
// ends inside another one.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "call_reader.h"

namespace barefxt::host {

class OpenCalls {
 public:
  // A function that is entered.
  void enter(const FunctionCall& call) { of(call.thread).push_back(call.function); }

  // The functions to end, innermost first, where one is left: those inside it have no exit of their
  // own. None where it is not open: it was entered before the recording, or where records are lost.
  std::vector<uint32_t> leave(const FunctionCall& call) {
    std::vector<uint32_t>& open = of(call.thread);
    std::vector<uint32_t> ended;
    for (size_t at = open.size(); at != 0; --at) {
      if (open[at - 1] != call.function) continue;
      ended.assign(open.rbegin(), open.rend() - static_cast<std::ptrdiff_t>(at - 1));
      open.resize(at - 1);
      added_exits_ += ended.size() - 1;
      return ended;
    }
    ++orphan_exits_;
    return ended;
  }

  // All of a thread that ended, innermost first.
  std::vector<uint32_t> leave_all(const ArchiveThread& thread) {
    std::vector<uint32_t>& open = of(thread);
    std::vector<uint32_t> ended(open.rbegin(), open.rend());
    open.clear();
    return ended;
  }

  bool any() const { return !by_index_.empty() || !by_koid_.empty(); }

  uint64_t orphan_exits() const { return orphan_exits_; }
  uint64_t added_exits() const { return added_exits_; }

 private:
  // Koids of threads are unique among processes, too, and larger than an index or in a map of their
  // own.
  std::vector<uint32_t>& of(const ArchiveThread& thread) {
    return thread.index != 0 ? by_index_[thread.index] : by_koid_[thread.thread];
  }

  std::unordered_map<uint8_t, std::vector<uint32_t>> by_index_;
  std::unordered_map<uint64_t, std::vector<uint32_t>> by_koid_;
  uint64_t orphan_exits_ = 0;
  uint64_t added_exits_ = 0;
};

}  // namespace barefxt::host
