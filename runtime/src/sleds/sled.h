// Common parts of all machines' sleds, for sleds.cpp. Each machine's header (aarch64.h, arm.h,
// x86_64.h) describes its sleds.
//
// A sled begins with a switch: an instruction, or the first bytes of one, that a CPU reads whole
// and that is stored whole. Off, it leads around the rest, the body; on, into it. Invariants:
// - A body is written while its switch is off and no CPU has ever been in it: the compiler left
//   nothing there but padding. After that it never changes, so a CPU that is in it when the switch
//   is turned off goes on as if it were on.
// - Only then is the switch turned on. A CPU that reads the old one goes around a body that is of
//   no matter to it; a CPU that reads the new one finds the body written.
// - If the kernel can make all CPUs synchronize themselves, it does so behind the switches as well,
//   and these are written once more as they are. Else a CPU may for a while execute what it fetched
//   before. An emulator may do so for good: QEMU 7.2 reads code, is overtaken by a store that finds
//   no translation to throw away yet, and keeps the old code's as that of the new. The second store
//   finds it, since the translating CPU has taken an interrupt by then.
//
// An event's sled has its body from the compiler: it calls a trampoline by its name. There only the
// switch is ever written.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include <barefxt/fxt/ring_record.h>

namespace barefxt::sleds {

// As in the compiler's map. Others are left alone.
enum class Kind : uint8_t {
  kEntry = 0,
  kExit = 1,
  kTailExit = 2,
  kEntryWithArgument = 3,
  kCustomEvent = 4,
  kTypedEvent = 5,
};

inline bool is_event(Kind kind) { return kind == Kind::kCustomEvent || kind == Kind::kTypedEvent; }

// Returns the action that a call records, if the compiler distinguishes its sleds.
inline fxt::CallAction action_of(Kind kind) {
  switch (kind) {
    case Kind::kExit:
      return fxt::CallAction::kExit;
    case Kind::kTailExit:
      return fxt::CallAction::kTailExit;
    case Kind::kEntryWithArgument:
      return fxt::CallAction::kEntryWithArgument;
    default:
      return fxt::CallAction::kEntry;
  }
}

enum class State : uint8_t { kOff, kOn, kUnknown };

// An event that came to its trampoline, for events.cpp.
struct EventCall {
  const uint64_t* arguments;  // as the sled handed them on
  uint32_t count;
  const uint64_t* saved;  // what it had saved before that, from the top of the stack on
  const uint8_t* behind;  // where it goes on
};

}  // namespace barefxt::sleds
