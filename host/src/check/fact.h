// A record as rules see it, in order of time.
#pragma once

#include <cstdint>

namespace barefxt::host {

enum class FactKind : uint8_t {
  kSwitch,  // thread: outgoing, other: incoming, cpu; state: 1 where an event is about that
  kWakeup,
  kInstant,
  kBegin,  // of a duration: thread, label
  kEnd,    // of one whose begin is recorded; other: its begin, state: a DurationEnd
  kFlowBegin,
  kFlowEnd,
  kFlowed,  // a flow whose begin is recorded has ended: as kEnd
  kSample,  // of a counter; thread: its id, other: bits of the value, state: its ValueKind, label:
            // the series
  kHold,    // thread, other: the lock's number, cpu: provider, label: of the hold
  kRelease,
  kLose,  // cpu, or kNoCpu: all
  kRegain,
  kLoseEnd,  // of a duration, one tick later, in doubt: thread, label; state: a DurationEnd
  kRegainEnd,
};

enum class DurationEnd : uint8_t { kMissing, kInDoubt, kWhole };

struct Fact {
  uint64_t time;
  uint64_t offset;  // of the record
  uint64_t thread;
  uint64_t other;
  uint32_t label;
  uint32_t cpu;
  FactKind kind;
  uint8_t state;

  // Ends of losses come ahead of the records of a tick, their begins behind.
  int rank() const {
    if (kind == FactKind::kRegain || kind == FactKind::kRegainEnd) return 0;
    return kind == FactKind::kLose || kind == FactKind::kLoseEnd ? 2 : 1;
  }
};

}  // namespace barefxt::host
