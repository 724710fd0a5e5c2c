// Switches and wakeups as Linux's kernel records them: Perfetto makes the states of threads from
// these.
#pragma once

#include <cstdint>
#include <string>

#include "perfetto_tracks.h"

namespace barefxt::host::perfetto {

// A thread of a switch. `priority`: as the archive has it.
struct Switched {
  PerfettoTracks::Scheduled thread;
  int64_t priority;
};

// Packets. Times are nanoseconds. `state`: in which the outgoing thread is left, as
// fxt::ThreadState has it.
std::string switch_packet(unsigned cpu, uint64_t time, const Switched& outgoing, unsigned state,
                          const Switched& incoming);
// `waker`: its number; 0 if it is not known.
std::string wakeup_packet(unsigned cpu, uint64_t time, const PerfettoTracks::Scheduled& woken,
                          uint64_t waker);
// The waker is an interrupt. Perfetto takes the flag of one from the compact form alone, which
// names no waker. It drops this form on a CPU without an earlier switch.
std::string interrupt_wakeup_packet(unsigned cpu, uint64_t time,
                                    const PerfettoTracks::Scheduled& woken);

}  // namespace barefxt::host::perfetto
