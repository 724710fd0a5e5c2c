/* The kernel's own counts of its traced events, in plain variables apart from the tracer.
 *
 * Counting begins and ends with recording, while all other CPUs are held, so that the counts and
 * the trace agree exactly. After the dump they are printed on the console, a line each:
 *
 *   TALLY begin version=1 cpus=C
 *   TALLY switches cpu=N count=X hash=0xH
 *   TALLY interrupts cpu=N count=X hash=0xH      entries; the hash is over entries and exits
 *   TALLY wakeups cpu=N count=X hash=0xH
 *   TALLY messages cpu=N count=X hash=0xH        flow begins; the hash is over begins, steps, ends
 *   TALLY messages count=X                       on all CPUs
 *   TALLY migrations count=X                     while recording
 *   TALLY events kind=K count=X                  K as `barefxt print --json` names it
 *   TALLY records count=X                        every record written or attempted: events,
 *                                                switches and wakeups
 *   TALLY created count=X recorded=Y             threads created in all, and while recording
 *   TALLY process koid=K name=S
 *   TALLY thread koid=K name=S process=P         each that lived at the start or was created since
 *   TALLY bracket id=I before=T after=T cpu=N    around the instant "bracketed" with argument
 *                                                bracket = I
 *   TALLY clock id=I cpu=N own=T from=T to=T     if each CPU has a counter of its own: around
 *                                                that bracket CPU 0's counter, read by CPU N, and
 *                                                in between CPU N's own, as they are
 *   TALLY calls function=S count=X               entries of the function S while recording, which
 *                                                an image that records its calls has, too
 *   TALLY report recorded=X lost=Y unfinished=Z  the report of barefxt_stop; lost: or overwritten
 *   TALLY end
 *
 * Order within one kind is by CPU, koid or id. K, N, X and so on are decimal; H has 16 hexadecimal
 * digits; a name S runs to the next space, as no name has one.
 *
 * The hash of a sequence of 64-bit words, FNV-1a over words instead of bytes:
 *
 *   hash = 0xcbf29ce484222325
 *   for each word: hash = (hash ^ word) * 0x100000001b3  modulo 2^64
 *
 * with these words for each event, in the order of the CPU's records:
 *
 *   switch     koid out, state (0 new, 3 blocked, 4 dying, 5 dead), koid in, priority out,
 *              priority in
 *   interrupt  number, 0 at entry and 1 at exit; the number is the argument "irq" of the entry,
 *              and an exit has that of the entry before it. The events are durations of the
 *              category "irq" on the pseudo-thread cpu-N
 *   wakeup     koid
 *   message    0 begin, 1 step, 2 end; the correlation id; then the value of each argument in
 *              order (int32 with its sign extended to 64 bits, bool 0 or 1). The events are flows
 *              of the category "message"; their argument "cpu" is the CPU
 *
 * A migration is a switch to a thread that was last switched to on another CPU.
 */
#ifndef KERNEL_TALLY_H
#define KERNEL_TALLY_H

#include <stdint.h>

enum tally_kind {
  TALLY_INSTANT,
  TALLY_COUNTER,
  TALLY_DURATION_BEGIN,
  TALLY_DURATION_END,
  TALLY_DURATION_COMPLETE,
  TALLY_ASYNC_BEGIN,
  TALLY_ASYNC_INSTANT,
  TALLY_ASYNC_END,
  TALLY_FLOW_BEGIN,
  TALLY_FLOW_STEP,
  TALLY_FLOW_END,
  TALLY_KINDS
};

#ifdef __cplusplus
extern "C" {
#endif

/* Counts an event that a thread is about to record. Exact although interrupts may come between,
 * since the threads that have probes pause at the start and the stop. */
void tally_probe(enum tally_kind kind);

#ifdef __cplusplus
}  // extern "C"

#include <barefxt/barefxt.h>

#include "kernel/thread.h"

namespace kernel::tally {

enum class InterruptPhase : uint8_t { kEnter, kExit };
enum class MessagePhase : uint8_t { kBegin, kStep, kEnd };

// ---- While all other CPUs are held.
void start();
void stop(const barefxt_stop_report& report);

bool is_recording();

// Every record written or attempted so far. Exact while all other CPUs are held.
uint64_t records();

// ---- Interrupts off, at the place of the record.
void context_switch(unsigned cpu, const Thread& out, barefxt_thread_state state, const Thread& in);
void interrupt(unsigned cpu, uint32_t number, InterruptPhase phase);
void wakeup(unsigned cpu, const Thread& thread);

// One word of a message's event after another: the hash goes on from the last.
class MessageHash {
 public:
  MessageHash(unsigned cpu, MessagePhase phase, uint64_t flow);
  void add(uint64_t word) const;

 private:
  unsigned cpu_;
};

struct Bracket {
  uint64_t before;
  uint64_t after;
  uint32_t cpu;
  // See "clock" above.
  uint64_t own;
  uint64_t from;
  uint64_t to;
};
#if defined(KERNEL_SMALL)
inline constexpr uint32_t kMaxBrackets = 8;
#else
inline constexpr uint32_t kMaxBrackets = 256;
#endif
// A number for a bracketed probe; kMaxBrackets once all are given out.
uint32_t take_bracket();
void keep_bracket(uint32_t id, const Bracket& bracket);

// ---- Scheduler's lock held.
void thread(const Thread& thread);

// ---- At boot, one CPU.
void process(uint32_t koid, const char* name);

inline void probe(tally_kind kind) { tally_probe(kind); }

// The functions whose calls are counted. No such call begins during the start or the stop, so
// counts are exact: some functions run with interrupts off, and the threads that call the others
// pause.
enum class Counted : uint8_t { kTick, kSwitchAway, kSend, kReceive, kDescend, kCount };
// First thing in such a function.
void call(Counted function);

// A counted function stays one that is called.
#define KERNEL_COUNTED __attribute__((noinline))

// After the stop.
void print_all();

}  // namespace kernel::tally
#endif

#endif
