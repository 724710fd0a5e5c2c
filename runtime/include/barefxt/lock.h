/* Locks: who waits for one, for how long, and who holds it (category `locks`, shown as `lock`).
 *
 * A lock is known by its address, or by any number that no other lock has at the time, such as the
 * koid of a named object. Its name is a literal, BAREFXT_TEXT("bus"), the same in all calls, or
 * BAREFXT_LOCK_UNNAMED.
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
 * a wait is two records of 24 bytes. `barefxt stats` makes contention, holders and priority
 * inversions of them.
 */
#ifndef BAREFXT_LOCK_H
#define BAREFXT_LOCK_H

#include <barefxt/category.h>
#include <barefxt/config.h>
#include <barefxt/text.h>
#include <barefxt/types.h>

BAREFXT_CATEGORY(locks, BAREFXT_LOCK_CATEGORY);

/* The name of a lock that has none. */
#define BAREFXT_LOCK_UNNAMED BAREFXT_TEXT("lock")

#if !BAREFXT_DISABLED

#ifdef __cplusplus
extern "C" {
#endif

/* The running thread is about to wait for the lock. `holder` holds it now; null where the caller
 * does not know. Returns the time, for the call that ends the wait; 0 if nothing is recorded.
 * Context: any; wait-free. */
uint64_t barefxt_lock_contended(uintptr_t lock, barefxt_text name, const barefxt_thread* holder);

/* The running thread holds the lock from now on. `contended` is what barefxt_lock_contended
 * returned; 0 if the lock was free. Context: any; wait-free. */
void barefxt_lock_acquired(uintptr_t lock, barefxt_text name, uint64_t contended);

/* The wait ended without the lock, after a timeout for example. Records nothing if `contended` is
 * 0. Context: any; wait-free. */
void barefxt_lock_given_up(uintptr_t lock, barefxt_text name, uint64_t contended);

/* The running thread gives the lock back. Call it before the lock is free, so that the next holder
 * comes later. Context: any; wait-free. */
void barefxt_lock_released(uintptr_t lock, barefxt_text name);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif
#endif
