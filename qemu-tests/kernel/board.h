// The interface of a board. The kernel and the workload know nothing else of the machine, so a new
// board is a folder under board/ that defines this.
//
// board_inline.h, from the board's folder, defines the constants kName, kMaxCpus, kMaxThreads,
// kStackBytes, kTraceBytes, the type InterruptState, and the functions
//   interrupts_save_and_disable, interrupts_restore, interrupts_enable,
//   wait_for_interrupt, relax, set_cpu, cpu (a pointer that is the CPU's own),
//   set_ring (if BOARD_HAS_RING_REGISTER: what the port may read the CPU's ring from),
//   interrupted (what an interrupt came to, in its handler),
//   ticks, instructions_in (converts ticks, under the options for counting in
//   toolchain/targets.txt);
// and for sweeps (sweep/) kInstructionBytes (instructions begin at its multiples),
//   interrupted_address, instruction_after, may_follow, is_swap, and the macro
//   BOARD_HAS_EXCLUSIVES; if that is 1, load_exclusive and store_exclusive.
// A board that can interrupt code with interrupts off defines the macro BOARD_HAS_NMI, and one
// whose console can be read BOARD_HAS_CONSOLE_INPUT.
//
// A board's startup calls kernel_main on one CPU and kernel_secondary_main on those that start_cpu
// started, on stacks that stay theirs, interrupts off; its interrupt vector calls kernel_interrupt,
// interrupts off, with all registers of the interrupted thread saved on that thread's stack. It
// passes what board::interrupted reads: the place of what was saved, and the frame pointer.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "board_inline.h"

namespace board {

// ---- CPUs
bool start_cpu(unsigned cpu);                     // false: the machine has none of this number
void* prepare_stack(void* top, void (*entry)());  // for the first switch to a thread

// ---- Interrupts
enum class InterruptKind : uint8_t { kNone, kTimer, kReschedule, kPark, kNonmaskable };
struct Interrupt {
  InterruptKind kind;
  uint32_t number;  // as shown in the trace
  uint32_t token;   // the board's own
  // The place of what the vector's code has saved, and the interrupted frame pointer.
  const void* saved = nullptr;
  uintptr_t fp = 0;
};
void interrupts_initialize_cpu();
Interrupt interrupt_begin();
void interrupt_end(const Interrupt& interrupt);
void send_reschedule(unsigned cpu);
void send_park(unsigned cpu);
void send_nonmaskable(unsigned cpu);  // with BOARD_HAS_NMI

// ---- Time
uint64_t ticks_per_millisecond();
void timer_start_cpu(uint32_t ticks_a_second);
void timer_rearm();
uint64_t wall_clock_ns();  // since 1970, 0 where the board cannot know
// One interrupt on this CPU, by the timer, so much later or at once, until it is stopped. Under the
// options for counting a step is an instruction, or a little less where the timer cannot do that.
void timer_fire_after(uint64_t steps_from_now);
void timer_stop();
void timer_fire_nonmaskable_after(uint64_t steps_from_now);  // with BOARD_HAS_NMI

// ---- The outside
void console_write(const uint8_t* bytes, size_t count);
bool console_read(uint8_t& byte);  // with BOARD_HAS_CONSOLE_INPUT; false: none has come
// Ends with a zero byte; the first word is the image's name. False: there is none.
bool command_line(char* buffer, size_t bytes);
// The file trace.bin on the host. False: not all of it was written.
bool file_open();
void file_write(const uint8_t* bytes, size_t count);
bool file_close();
[[noreturn]] void exit(int status);
[[noreturn]] void reset();  // of the whole machine, whose memory keeps what it holds

}  // namespace board

extern "C" {
extern const char image_text_start;  // by the linker script

// Saves the callee-saved registers on the stack and its pointer in *save, then goes on with `next`.
// Clears the CPU's exclusive monitor.
void board_context_switch(void** save, void* next);
void board_context_switch_without_clrex(void** save, void* next);  // wrong, for a test

[[noreturn]] void kernel_main();
[[noreturn]] void kernel_secondary_main(unsigned cpu);
void kernel_interrupt(const void* saved, uintptr_t fp);
}
