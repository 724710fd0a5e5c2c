// Reads the ring after an experiment of a sweep of calls: each record whole, calls that nest on
// their threads, in the order of time.
#pragma once

#include <stdint.h>

#include <barefxt/fxt/record.h>
#include <barefxt/segment.h>

#include "sweep/called.h"
#include "sweep/paths.h"

namespace kernel::sweep {

class CallsLook {
 public:
  CallsLook(const Threads& threads, const Way& way);

  const char* wrong = nullptr;
  uint64_t calls = 0;                 // entries, and complete calls
  uint32_t entries[kCalled][2] = {};  // of each function, in each thread
  uint32_t events[2] = {};            // custom ones and typed ones

 private:
  static constexpr uint32_t kDepth = 32;
  // Open calls of a thread.
  struct Stack {
    uint64_t function[kDepth];
    uint32_t depth;
  };
  // Complete calls that do not nest.
  struct Spans {
    uint64_t begin[kDepth];
    uint64_t end[kDepth];
    uint32_t count;
  };

  void fail(const char* what) {
    if (wrong == nullptr) wrong = what;
  }
  const barefxt_thread& thread(unsigned which) const {
    return which == 0 ? threads_.running : threads_.of_writer[kInterrupting];
  }
  unsigned thread_of(barefxt::fxt::Word index, const barefxt::fxt::Word* koid);
  void look_at(const barefxt::SegmentWalker::Record& record);
  void look_at_call(const barefxt::fxt::Word* words);
  void look_at_whole_call(const barefxt::fxt::Word* words, uint64_t function);
  void look_at_event(const barefxt::fxt::Word* words);
  void look_at_time(uint64_t time);

  const Threads& threads_;
  const Way& way_;
  Stack stacks_[2] = {};
  Spans spans_[2] = {};
  unsigned thread_ = 0;
  bool has_base_ = false;
  uint64_t last_long_ = 0;
  uint64_t last_time_ = 0;
};

}  // namespace kernel::sweep
