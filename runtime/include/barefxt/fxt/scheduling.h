// Record type 8: the "Context switch record" of 2020, today a scheduling record
// of subtype 0 ("legacy context switch"), and the newer subtypes 1 and 2.
#pragma once

#include <barefxt/fxt/record.h>
#include <barefxt/fxt/reference.h>

namespace barefxt::fxt {

// The ZX_THREAD_STATE_ values that a record can hold for the outgoing thread.
enum class ThreadState : uint8_t {
  kNew = 0,  // also: preempted or yielding, that is runnable, since the format has no name for it
  kRunning = 1,
  kSuspended = 2,
  kBlocked = 3,
  kDying = 4,
  kDead = 5,
};

struct SchedulingHeader : RecordHeader {
  using Subtype = Field<60, 63>;
  static constexpr unsigned kLegacyContextSwitch = 0;
  static constexpr unsigned kContextSwitch = 1;
  static constexpr unsigned kThreadWakeup = 2;
};

// Header, timestamp, [outgoing process koid, thread koid], [incoming process koid, thread koid].
struct LegacyContextSwitch : SchedulingHeader {
  using Cpu = Field<16, 23>;
  using OutgoingState = Field<24, 27>;
  using OutgoingThread = Field<28, 35>;  // thread ref
  using IncomingThread = Field<36, 43>;  // thread ref
  using OutgoingPriority = Field<44, 51>;
  using IncomingPriority = Field<52, 59>;

  static constexpr size_t kFixedWords = 2;  // header and timestamp

  static constexpr Word make(size_t words, unsigned cpu, ThreadState outgoing_state,
                             ThreadRef outgoing, ThreadRef incoming, uint8_t outgoing_priority,
                             uint8_t incoming_priority) {
    return RecordHeader::make(RecordType::kScheduling, words) | Cpu::of(cpu) |
           OutgoingState::of(static_cast<Word>(outgoing_state)) |
           OutgoingThread::of(outgoing.value) | IncomingThread::of(incoming.value) |
           OutgoingPriority::of(outgoing_priority) | IncomingPriority::of(incoming_priority);
  }
};

// Header, timestamp, outgoing thread koid, incoming thread koid, arguments.
struct ContextSwitch : SchedulingHeader {
  using ArgumentCount = Field<16, 19>;
  using Cpu = Field<20, 35>;
  using OutgoingState = Field<36, 39>;
  using MustBeZero = Reserved<40, 59>;
  static constexpr size_t kFixedWords = 4;

  static constexpr Word make(size_t words, size_t arguments, unsigned cpu,
                             ThreadState outgoing_state) {
    return RecordHeader::make(RecordType::kScheduling, words) | ArgumentCount::of(arguments) |
           Cpu::of(cpu) | OutgoingState::of(static_cast<Word>(outgoing_state)) |
           Subtype::of(kContextSwitch);
  }
};

// Header, timestamp, waking thread koid, arguments.
struct ThreadWakeup : SchedulingHeader {
  using ArgumentCount = Field<16, 19>;
  using Cpu = Field<20, 35>;
  using MustBeZero = Reserved<36, 59>;
  static constexpr size_t kFixedWords = 3;

  static constexpr Word make(size_t words, size_t arguments, unsigned cpu) {
    return RecordHeader::make(RecordType::kScheduling, words) | ArgumentCount::of(arguments) |
           Cpu::of(cpu) | Subtype::of(kThreadWakeup);
  }
};

}  // namespace barefxt::fxt
