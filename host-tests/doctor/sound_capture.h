// A capture of an integration in which nothing is wrong, and what tests do to it.
#pragma once

#include <functional>

#include "rebuild/capture_builder.h"

namespace barefxt::test {

// Words of a duration's begin (2) or end (3), by indices.
Words duration_edge(unsigned event, uint64_t timestamp, unsigned thread, unsigned category,
                    unsigned name);

// The records of one CPU in one round: its worker comes in, something happens, an interrupt with
// another inside, and its idle thread comes in again.
struct Round {
  uint16_t cpu = 0;
  uint64_t begin = 0;  // ticks; it takes 100
  std::vector<Words> records() const;

  static constexpr uint64_t kTicks = 100;
  unsigned worker() const { return 1 + cpu; }
  unsigned idle() const { return 3 + cpu; }
  unsigned pseudo_thread() const { return 5 + cpu; }
};

inline constexpr uint64_t kSoundStart = 1000;

// Two CPUs, one-shot, complete. With `change`, each record goes through it first: it may change
// records, add some, and take them away.
using Change = std::function<void(uint16_t cpu, std::vector<Words>& round)>;
TestCapture sound_capture(const Change& change = {});

}  // namespace barefxt::test
