// The parts of a record that statistics need, in a size that allows sorting.
#pragma once

#include <cstdint>
#include <tuple>

namespace barefxt::host {

enum class MomentKind : uint8_t {
  kSwitch,    // a: outgoing thread, b: incoming thread, cpu, state, priorities
  kWakeup,    // a: the woken thread, b: the waker's koid or 0, cpu; state 1: an interrupt woke it,
              // which has no record of its own; label: its name
  kBegin,     // a: thread, label
  kEnd,       // a: thread, label
  kCut,       // the same, of a duration whose end is missing
  kComplete,  // a: thread, b: its begin, label
  kWait,      // the same, for a lock; label: number of the object, state: 1 if it was given up
  kBlocks,    // a: thread, b: the holder's koid or 0, label: number of the object, cpu: provider
  kHold,      // a: thread, b: the lock's number, cpu: provider, label, which may have no number
  kRelease,
  kCounter,    // a: id, b: bits of the value, state: its ValueKind, label: number of the series
  kFlowBegin,  // a: correlation id, b: thread, cpu: provider, label
  kFlowStep,
  kFlowEnd,
  kJobBegin,  // a: thread, state: flags of jobs.h, label: number of the terms
  kJobEnd,    // a: thread, label
  kInstant,   // the same; only for observers that want it
};

enum class ValueKind : uint8_t { kSigned, kUnsigned, kReal };

struct Moment {
  // The order of reservation: a complete duration counts by its end.
  uint64_t time;
  uint64_t offset;  // of the record: what came first is first among equals
  uint64_t a;
  uint64_t b;
  uint32_t label;
  uint32_t cpu;
  MomentKind kind;
  uint8_t state;  // of a switch's outgoing thread
  uint8_t outgoing_priority;
  uint8_t incoming_priority;
  bool has_priorities;
};

struct MomentBefore {
  bool operator()(const Moment& x, const Moment& y) const {
    return std::tie(x.time, x.offset) < std::tie(y.time, y.offset);
  }
};

inline constexpr uint32_t kNoCpu = ~uint32_t{0};

}  // namespace barefxt::host
