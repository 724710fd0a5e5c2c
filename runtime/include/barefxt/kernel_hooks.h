/* What a tracer between barefxt and somebody else's kernel needs: switches that are told in halves,
 * interrupts that are told by number and not always in pairs, ids, and names of objects.
 *
 * port/rtos/ is written with these. A kernel that is yours calls barefxt_context_switch and the
 * macros of interrupts, which cost less.
 */
#ifndef BAREFXT_KERNEL_HOOKS_H
#define BAREFXT_KERNEL_HOOKS_H

#include <barefxt/config.h>
#include <barefxt/text.h>
#include <barefxt/types.h>

#ifdef __cplusplus
extern "C" {
#endif

#if !BAREFXT_DISABLED

/* How many sessions were started so far: whoever remembers something of a recording remembers this
 * with it, to know whether it is still that one. 0: none. Context: any. */
uint32_t barefxt_session_number(void);

/* An id that nothing else in this image has had, for a thread, a process or an object: 65536,
 * 65537, ... to 0x7cffffff, so that a caller's own numbers of 16 bits stand apart. A control block
 * that is used again gets another. After two thousand million they begin anew. Context: any. */
uint32_t barefxt_koid_new(void);

/* ---- Switches in halves (category `sched`), told by the scheduler on the CPU that switches;
 * interrupts may be on between the halves. ---- */

/* `thread` leaves this CPU in that state: the next barefxt_switch_in here makes a record of both.
 * Is another taken to run here, its switch away was not told: it is made up, as preempted. Context:
 * any. */
void barefxt_switch_out(const barefxt_thread* thread, barefxt_thread_state state);

/* `thread` comes in. Without a barefxt_switch_out since the last one the thread that ran here was
 * preempted; where none is known, the pseudo-thread cpu-N leaves. A thread that leaves and comes in
 * again at once has not been switched, and there is no record. Context: any. */
void barefxt_switch_in(const barefxt_thread* thread);

/* At every switch, whether it is recorded or not, of a kernel that may leave the CPU's exclusive
 * monitor set: a writer that was switched away in the middle of a reservation must not succeed by
 * that of another thread. Nothing on CPUs where there is no such thing, and on Cortex-M, where
 * exceptions see to it. docs/how-to/new-cpu.md has more. Context: any. */
static inline void barefxt_clear_exclusive(void) {
#if defined(__riscv_atomic)
  uint32_t nobody;
  __asm__ volatile("sc.w zero, zero, (%0)" : : "r"(&nobody) : "memory");
#elif defined(__aarch64__) || \
    (defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'A' && __ARM_ARCH >= 7)
  __asm__ volatile("clrex" : : : "memory");
#endif
}

/* ---- Interrupts (category `irq`), durations on the pseudo-thread cpu-N. ---- */

/* The numbers are the kernel's, and come as the argument "irq". One that enters while it has not
 * left, left untold: that is made up, for those inside it as well. Of more than 8 inside each
 * other the inner ones are left out. Context: any, the same interrupt on one CPU not within itself.
 */
void barefxt_interrupt_enter(uint32_t number, barefxt_text name);
/* Closes those inside it, too. One that did not enter is left out. Context: any, as for the enter.
 */
void barefxt_interrupt_exit(uint32_t number);
/* barefxt_thread_wakeup, in the interrupt `number` of this CPU; 0: in none. If that interrupt has
 * not entered, the record says its number (argument "irq"), since nothing else shows that an
 * interrupt woke the thread. Context: any. */
void barefxt_thread_wakeup_in_interrupt(const barefxt_thread* thread, uint32_t number);

/* ---- Names ---- */

/* Names a thread anew, where the name is another one; so it may be called at every switch-in of a
 * kernel whose names come late, of a thread that has an entry in the table (`reference` is not 0).
 * A thread without one gets the next that is free, and its name goes into the ring, each time. Of
 * two renames of one thread at once one holds; the other is counted as a lost record. A
 * concurrent dump or drain sends the old name, the new one, or none until it sends the thread
 * again. With BAREFXT_SMALL=2 a dump may send the begin of one name with the end of the other.
 * Context: any but NMI. */
void barefxt_thread_rename(barefxt_thread* thread, const char* name);

#endif

/* What is neither thread nor process; the numbers are those of the format, see
 * barefxt_kernel_object. */
typedef enum barefxt_object_type {
  BAREFXT_OBJECT_MEMORY = 3,
  BAREFXT_OBJECT_EVENT = 5, /* what is waited for: semaphores, mutexes, event flags */
  BAREFXT_OBJECT_QUEUE = 19,
  BAREFXT_OBJECT_TIMER = 22,
  BAREFXT_OBJECT_STREAM = 31
} barefxt_object_type;

#if !BAREFXT_DISABLED

/* Names an object, in the table of threads, so that the name is not lost in a full ring, and holds
 * for sessions that start later: takes an entry. Named again: the newer name, or where two contexts
 * do so at once, one of the two. Two that name an object for the first time at once may both take
 * an entry, and both names are told. Where the table has no room it goes into the ring, if
 * something is being recorded. Context: any but NMI. */
void barefxt_object_register(uint32_t koid, barefxt_object_type type, const char* name);
/* The object is gone. Its entry is used again when no record can name it any more. Context: any but
 * NMI. */
void barefxt_object_unregister(uint32_t koid);

#endif

#ifdef __cplusplus
}  // extern "C"
#endif

#endif
