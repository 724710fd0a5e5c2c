/* Hooks for a tracer between barefxt and somebody else's kernel.
 *
 * port/rtos/ is written with these. A kernel of your own calls barefxt_context_switch and the
 * macros of interrupts, which cost less.
 */
#ifndef BAREFXT_KERNEL_HOOKS_H
#define BAREFXT_KERNEL_HOOKS_H

#include <stddef.h>

#include <barefxt/category.h>
#include <barefxt/config.h>
#include <barefxt/text.h>
#include <barefxt/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Kernels that are not yours ----
 *
 * The hooks of port/rtos/ are made of these. The scheduler reports a switch in halves, on the CPU
 * that switches; the category is `sched`. Interrupts may be on between the halves. Interrupts by
 * number are durations on the pseudo-thread cpu-N, category `irq`.
 */

#if !BAREFXT_DISABLED

/* Returns the number of sessions started so far.
 *
 * @return The number; 0 before the first start.
 * @context any
 *
 * Keep it with anything that you remember of a recording, to see later whether that recording still
 * runs.
 */
uint32_t barefxt_session_number(void);

/* Returns an id that nothing else in this image has had.
 *
 * @return 65536, 65537, ... to 0x7cffffff, apart from a caller's own numbers of 16 bits. After two
 *   thousand million the ids begin anew.
 * @context any
 *
 * Threads, processes and objects take ids. Give a control block that is used again another one.
 */
uint32_t barefxt_koid_new(void);

/* Notes that a thread leaves this CPU: the first half of a switch.
 *
 * @param thread The thread that leaves.
 * @param state The state in which it leaves.
 * @context any
 *
 * The next barefxt_switch_in on this CPU records both halves. If another thread is recorded as
 * running here, its switch away was not reported: the runtime records one, as preempted.
 */
void barefxt_switch_out(const barefxt_thread* thread, barefxt_thread_state state);

/* Records a switch to a thread: the second half.
 *
 * @param thread The thread that comes in.
 * @context any
 *
 * Without a barefxt_switch_out since the last call, the thread that ran here was preempted. If no
 * thread is known, the pseudo-thread cpu-N leaves. A thread that leaves and comes in again at once
 * has not been switched: there is no record.
 */
void barefxt_switch_in(const barefxt_thread* thread);

/* Notes that this CPU switches threads while `sched` is off, so that there is no record.
 *
 * @context any
 *
 * Call it instead of barefxt_switch_in, or call that with any thread or null. The call that turned
 * the category off may have interrupted a switch, which then stores its thread as the one that
 * runs. Until this call later records would name that thread, though it has left. It costs a load
 * and a comparison while nothing is recorded.
 */
static inline void barefxt_switch_unrecorded(void) {
  if (BAREFXT_ANY_ENABLED_(~(uint32_t)0)) barefxt_switch_in(NULL);
}

/* Clears the CPU's exclusive monitor.
 *
 * @context any
 *
 * Call it at every switch, recorded or not, of a kernel that may leave the monitor set. A writer
 * that was switched away within a reservation must not succeed by another thread's reservation. It
 * does nothing on CPUs without a monitor, and on Cortex-M, where exceptions clear it. See
 * docs/how-to/new-cpu.md.
 */
static inline void barefxt_clear_exclusive(void) {
#if defined(__riscv_atomic) || defined(__riscv_zalrsc)
  uint32_t unused;
  __asm__ volatile("sc.w zero, zero, (%0)" : : "r"(&unused) : "memory");
#elif defined(__aarch64__) || \
    (defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'A' && __ARM_ARCH >= 7)
  __asm__ volatile("clrex" : : : "memory");
#endif
}

/* Records that an interrupt begins.
 *
 * @param number The kernel's number of the interrupt. The record has it as the argument "irq".
 * @param name Its name.
 * @context any, the same interrupt on one CPU not within itself
 *
 * If the interrupt entered before and has not left, its exit was not reported: the runtime records
 * that exit, and those of the interrupts inside it. With more than 8 interrupts inside each other,
 * the inner ones are not recorded.
 */
void barefxt_interrupt_enter(uint32_t number, barefxt_text name);
/* Records that an interrupt ends, with those inside it.
 *
 * @param number The kernel's number of the interrupt.
 * @context any, as for barefxt_interrupt_enter
 *
 * An interrupt that did not enter is ignored.
 */
void barefxt_interrupt_exit(uint32_t number);
/* Records a wakeup as barefxt_thread_wakeup does, and the interrupt that made it.
 *
 * @param thread The thread that becomes ready.
 * @param number The number of the interrupt that runs on this CPU, as the CPU knows it; 0 for none.
 * @context any
 *
 * If that interrupt has not entered, the record has its number as the argument "irq", since nothing
 * else shows that an interrupt woke the thread.
 */
void barefxt_thread_wakeup_in_interrupt(const barefxt_thread* thread, uint32_t number);

/* Gives a thread another name.
 *
 * @param thread A registered thread.
 * @param name Its name, ended by a zero; 16 bytes are kept.
 * @context any but NMI
 *
 * It does nothing if the name is unchanged. So a kernel whose names come late may call it at every
 * switch-in, for threads that have an entry in the table (`reference` is not 0). A thread without
 * one gets the next free entry, and its name goes into the ring, each time.
 *
 * If two contexts rename a thread at once, one name holds; the other counts as a lost record. A
 * concurrent dump or drain sends the old name, the new one, or none until it sends the thread
 * again. With BAREFXT_SMALL=2 a dump may send the begin of one name with the end of the other.
 */
void barefxt_thread_rename(barefxt_thread* thread, const char* name);

#endif

/* Kinds of kernel objects other than threads and processes, by the format's numbers. See
 * barefxt_kernel_object.
 */
typedef enum barefxt_object_type {
  BAREFXT_OBJECT_MEMORY = 3,
  BAREFXT_OBJECT_EVENT = 5, /* threads wait for it: semaphores, mutexes, event flags */
  BAREFXT_OBJECT_QUEUE = 19,
  BAREFXT_OBJECT_TIMER = 22,
  BAREFXT_OBJECT_STREAM = 31
} barefxt_object_type;

#if !BAREFXT_DISABLED

/* Names an object in the table of threads.
 *
 * @param koid The object, 1 to 0x7cffffff.
 * @param type Its kind.
 * @param name Its name, ended by a zero; 16 bytes are kept.
 * @context any but NMI
 *
 * A full ring cannot lose the name, and later sessions have it, too. It takes an entry. If the
 * object is named again, the newer name holds; if two contexts do so at once, one of both. Two
 * contexts that name an object for the first time at once may both take an entry, and a dump sends
 * both names. If the table has no room, the name goes into the ring of a running session.
 */
void barefxt_object_register(uint32_t koid, barefxt_object_type type, const char* name);
/* Ends an object.
 *
 * @param koid The object.
 * @context any but NMI
 *
 * Its entry is used again when no record can name it any more.
 */
void barefxt_object_unregister(uint32_t koid);

#endif

#ifdef __cplusplus
}  // extern "C"
#endif

#endif
