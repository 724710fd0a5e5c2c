// Parameters of the command line, as key=value separated by spaces:
//
//   mode=demo|full|circular|streaming|asked|reset|cost|records|torture|lives|injected|sweep|sleds
//                         full: rings so small that they fill; circular: that they overwrite their
//                         oldest records many times; streaming: sent over the UART while the
//                         demo goes on; asked: records and sends only on requests of the host over
//                         the UART, until the host stops the session it started; reset: the machine
//                         is reset while it records, and the memory's trace is dumped at the
//                         next boot; cost: count instructions; records: write every record of the
//                         format once from C++ and once from C; torture: all contexts write at
//                         once, in all modes of the rings; lives: processes come and go in all
//                         contexts, see lives/lives.h; injected: threads are made late, see
//                         injected/injected.h; sweep: the writing of records is
//                         interrupted at every instruction; sleds: see workload/sleds.h
//   rounds=N              with mode=sleds, default 10000; with mode=injected, of all causes
//   seed=N                with mode=injected, of the lengths, default 1
//   records=N             that the threads write in torture's circular rings, and less in others;
//                         with mode=lives, things that each thread does; default 100000
//   sweep=once|twice|restart|switch|monitor|reset|calls|limited|names
//                         kind of sweep, see sweep/; default once
//   extent=short|full     number of places and combinations; default short
//   every=N               interrupts come at every N-th instruction, a prime; default 1
//   later=N               with sweep=names, interrupts come N instructions later; default 0
//   rate=N                interrupts of the timer a second; default 5000 with mode=torture and
//                         lives, else 1000
//   samples=N             samples of each CPU in a period of the tick; default 0
//   stacks=1              marks of the threads' stacks; default 0
//   check=0               the CPUs do not check each other at boot; default 1
//   seconds=N             of its own time, default 2
//   workers=N             threads created while recording, beside those that live throughout;
//                         default 300; 60 with mode=full or circular, where all get a thread
//                         index
//   slow=N                the thread sensor/filter takes N times as long for a sample, default 1
//   burst=N               the thread storage/gc records N instants at once behind its lock, which a
//                         small ring loses; default 0
//   ring=N                bytes of ring a CPU; default as much as there is, and two segments with
//                         mode=full, four with mode=circular, 64 with mode=streaming
//   pause=MS              with mode=streaming: time from each look at the rings to the next,
//                         default 0: as soon as the line is free
//   resend=N              with mode=streaming: segments of each CPU that are kept for resends,
//                         which may be requested until nothing was for two seconds; default 0
//   dump=uart|file|text|fxt|rtt|none
//                         file: trace.bin on the host; fxt: into that, a trace without
//                         frames; rtt: through memory, to a reader like a debug probe
//   deepest=N             in kernel_functions.elf: deeper calls of a thread are left out, at most
//                         32; default 0: no limits
//   least=TICKS           and, if deepest is given, those that take fewer ticks
//   coded=1               the records on their way out, over a line or by way of memory
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace kernel {

enum class Mode : uint8_t {
  kDemo,
  kFull,
  kCircular,
  kStreaming,
  kAsked,
  kReset,
  kCost,
  kProfile,
  kRecords,
  kTorture,
  kLives,
  kInjected,
  kSweep,
  kSleds
};
enum class Sweep : uint8_t {
  kOnce,
  kTwice,
  kRestart,
  kSwitch,
  kMonitor,
  kReset,
  kCalls,
  kLimited,
  kNames
};
enum class Extent : uint8_t { kShort, kFull };
enum class DumpTo : uint8_t { kUart, kFile, kText, kFxt, kProbe, kNowhere };

struct Parameters {
  Mode mode = Mode::kDemo;
  bool checks_cpus = true;
  uint32_t seconds = 2;
  uint32_t workers = 0;
  uint32_t slow = 1;
  uint32_t burst = 0;
  uint32_t records = 100000;
  uint32_t rounds = 10000;
  uint32_t seed = 1;
  size_t ring_bytes = 0;
  uint32_t pause_ms = 0;
  uint32_t resend_segments = 0;
  Sweep sweep = Sweep::kOnce;
  Extent extent = Extent::kShort;
  uint32_t every = 1;
  uint32_t later = 0;
  uint32_t ticks_a_second = 0;
  uint32_t samples = 0;
  bool stacks = false;
  DumpTo dump = DumpTo::kUart;
  bool coded = false;
  uint32_t deepest = 0;
  uint32_t least_ticks = 0;
};

// Reads them from the host. An unknown one ends the run.
Parameters read_parameters();

}  // namespace kernel
