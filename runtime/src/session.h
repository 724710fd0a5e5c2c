// What there is once, whatever the number of CPUs.
#pragma once

#include <barefxt/atomic.h>
#include <barefxt/descriptor.h>
#include <barefxt/types.h>
#include <barefxt/wire/frame.h>

namespace barefxt {

struct Session {
  Atomic<bool> running;
  bool holds_records = false;  // from the first start on: the rings may name threads
  uint32_t starts = 0;
  uint64_t stop_ticks = 0;
  barefxt_config config = {};  // what it was started with
};

extern Session session;

// Ends recording: closes every ring, so that no reservation succeeds any more. Wait-free; context:
// any, also more than one at a time.
void stop_recording();

// An id for a capture, as different from others as this machine can make it.
uint32_t make_capture_id(uint64_t ticks, uint32_t count);

}  // namespace barefxt
