/* Locks: waits, their durations, and holders. */
#ifndef BAREFXT_LOCK_H
#define BAREFXT_LOCK_H

#include <barefxt/category.h>
#include <barefxt/config.h>
#include <barefxt/text.h>
#include <barefxt/types.h>

/* ---- Locks ----
 *
 * The category is `locks`, shown as `lock`. A lock is known by its address, or by any number that
 * no other lock has at the time, such as the koid of a named object. Its name is a literal's
 * barefxt_text, the same in all calls, or BAREFXT_LOCK_UNNAMED.
 *
 *     uint64_t contended = 0;
 *     if (!try_to_take(&bus)) {
 *       contended = barefxt_lock_contended((uintptr_t)&bus, BAREFXT_TEXT("bus"), NULL);
 *       wait_for(&bus);
 *     }
 *     barefxt_lock_acquired((uintptr_t)&bus, BAREFXT_TEXT("bus"), contended);
 *     ...
 *     barefxt_lock_released((uintptr_t)&bus, BAREFXT_TEXT("bus"));
 *
 * The events belong to the thread that runs on the CPU. A lock that is taken and given back without
 * a wait takes two records of 24 bytes. `barefxt stats` finds contention, holders and priority
 * inversions in them.
 */

BAREFXT_CATEGORY(locks, BAREFXT_LOCK_CATEGORY);

/* The name of a lock that has none. */
#define BAREFXT_LOCK_UNNAMED BAREFXT_TEXT("lock")

#if !BAREFXT_DISABLED

#ifdef __cplusplus
extern "C" {
#endif

/* Records that the running thread is about to wait for the lock.
 *
 * @param lock The lock.
 * @param name Its name.
 * @param holder The thread that holds it now; null if unknown.
 * @return The time in ticks, for the call that ends the wait; 0 if nothing is recorded.
 * @context any; wait-free
 */
uint64_t barefxt_lock_contended(uintptr_t lock, barefxt_text name, const barefxt_thread* holder);

/* Records that the running thread holds the lock from now on.
 *
 * @param lock The lock.
 * @param name Its name.
 * @param contended The value that barefxt_lock_contended returned; 0 if the lock was free.
 * @context any; wait-free
 */
void barefxt_lock_acquired(uintptr_t lock, barefxt_text name, uint64_t contended);

/* Records that the wait ended without the lock, for example after a timeout.
 *
 * @param lock The lock.
 * @param name Its name.
 * @param contended The value that barefxt_lock_contended returned. 0 records nothing.
 * @context any; wait-free
 */
void barefxt_lock_given_up(uintptr_t lock, barefxt_text name, uint64_t contended);

/* Records that the running thread gives the lock back.
 *
 * @param lock The lock.
 * @param name Its name.
 * @context any; wait-free
 *
 * Call it before the lock is free, so that the next holder comes later.
 */
void barefxt_lock_released(uintptr_t lock, barefxt_text name);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif
#endif
