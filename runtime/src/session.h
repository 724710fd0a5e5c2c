// What there is once, whatever the number of CPUs.
#pragma once

#include <barefxt/types.h>
#include <barefxt/wire/frame.h>

namespace barefxt {

struct Session {
  bool running = false;
  bool holds_records = false;  // from the first start on: the rings may name threads
  uint16_t cpus = 0;
  uint32_t capture = 0;  // id, new at each start
  uint32_t starts = 0;
  wire::Mode mode = wire::Mode::kOneShot;
  uint64_t ticks_per_second = 0;
  uint64_t start_ticks = 0;
  uint64_t stop_ticks = 0;
  barefxt_config config = {};
};

extern Session session;

}  // namespace barefxt
