/* Threads and objects of kernels that have no room for a tracer in their control blocks: tables,
 * found by address. One file of each kernel's hooks includes this; it defines KNOWN_THREADS and
 * KNOWN_OBJECTS, the most that may exist at one time, and KNOWN_INTERRUPT(), where the CPU knows
 * it: the number of the interrupt that runs, 0 for none.
 *
 * The tables change under a lock that the includer takes, or that the kernel has taken. A caller
 * that only looks takes none: it looks at the record of the thread that runs, or of one that
 * sleeps, and both stay where they are. While another CPU changes the list a search may fail, but
 * it ends, and its result is right. Call known_add with the lock, after one more look.
 *
 * A thread is known from when it is first seen until it is gone: a later thread at its address is
 * another one.
 */
#ifndef BAREFXT_KNOWN_H
#define BAREFXT_KNOWN_H

#include <barefxt/barefxt.h>

#include "barefxt_object_event.h"

/* 1: each has a stack, see known_stack. */
#ifndef KNOWN_STACKS
#define KNOWN_STACKS 0
#endif

struct known {
  barefxt_thread thread;
  const void* of; /* null: this place is free */
  struct known* next;
  int priority; /* as the kernel has it */
  bool is_idle;
  uint8_t calls; /* what it is about to wait for, and what it waits for: the includer's */
  uint8_t kind;
  uint32_t awake_in;   /* the session that knows it to be ready or running; 0: none */
  uint32_t waiting_in; /* the session in which it began to wait; 0: none */
  uint32_t object;     /* the koid of what it waits for; 0: it has none */
  uint64_t wait_begin;
#if KNOWN_STACKS
  barefxt_stack stack;
#endif
};

/* Place 0 is all those that have none. Lists begin in `known_first`, by the address's hash. */
static struct known known_places[KNOWN_THREADS + 1];
static struct known* known_first[64];
static uint32_t known_process;
/* The highest place that was ever taken: a search through all of them ends there. */
static uint32_t known_highest;

static struct known** known_list_of(const void* thread) {
  const uint32_t scattered = (uint32_t)((uintptr_t)thread >> 4) * 2654435769u;
  return &known_first[scattered >> 26];
}

static bool known_has_place(const struct known* who) { return who != known_places; }

/* With one CPU, its own order is enough. */
#if BAREFXT_MAX_CPUS == 1
#define KNOWN_ACQUIRE __ATOMIC_RELAXED
#else
#define KNOWN_ACQUIRE __ATOMIC_ACQUIRE
#endif

static bool known_is(const struct known* who, const void* thread) {
  return __atomic_load_n(&who->of, KNOWN_ACQUIRE) == thread;
}
/* Most threads are the first in their list. */
static struct known* known_first_of(const void* thread) {
  return __atomic_load_n(known_list_of(thread), KNOWN_ACQUIRE);
}

__attribute__((noinline)) static struct known* known_find_behind(struct known* who,
                                                                 const void* thread) {
  for (uint32_t steps = 0; who != NULL && steps < KNOWN_THREADS; ++steps) {
    if (known_is(who, thread)) return who;
    who = __atomic_load_n(&who->next, KNOWN_ACQUIRE);
  }
  return NULL;
}

/* Null if it is not known. */
__attribute__((noinline)) static struct known* known_find(const void* thread) {
  struct known* const first = known_first_of(thread);
  if (first != NULL && known_is(first, thread)) return first;
  return known_find_behind(first, thread);
}

/* The two that begin the table of names. */
static void known_prepare(const char* system) {
  if (known_process != 0) return;
  known_process = barefxt_koid_new();
  barefxt_process_register(known_process, system);
  barefxt_thread_register(&known_places[0].thread, known_process, barefxt_koid_new(),
                          "(more threads)", 1);
}

/* Takes a place, in no list yet, whose thread is to be registered next; place 0 if there is none.
 */
static struct known* known_take(const char* system, int priority, bool is_idle) {
  known_prepare(system);
  uint32_t place = 1;
  while (place <= KNOWN_THREADS && known_places[place].of != NULL) ++place;
  if (place > KNOWN_THREADS) return known_places;
  if (place > known_highest) known_highest = place;
  struct known* const who = &known_places[place];
  who->priority = priority;
  who->is_idle = is_idle;
  who->awake_in = 0;
  who->waiting_in = 0;
  who->calls = 0;
  return who;
}

static void known_add(struct known* who, const void* thread) {
  struct known** const list = known_list_of(thread);
  __atomic_store_n(&who->next, *list, __ATOMIC_RELAXED);
  __atomic_store_n(&who->of, thread, __ATOMIC_RELEASE);
  __atomic_store_n(list, who, __ATOMIC_RELEASE);
}

/* `shown` is the priority as viewers have it: the higher the sooner, and 0 is idle. */
static struct known* known_new(const char* system, const void* thread, const char* name,
                               int priority, uint8_t shown) {
  struct known* const who = known_take(system, priority, false);
  if (!known_has_place(who)) return who;
  barefxt_thread_register(&who->thread, known_process, barefxt_koid_new(), name, shown);
  known_add(who, thread);
  return who;
}

static struct known* known_new_idle(const char* system, const void* thread, uint32_t cpu) {
  struct known* const who = known_take(system, 0, true);
  if (!known_has_place(who)) return who;
  char name[] = "idle/0";
  name[sizeof name - 2] = (char)('0' + cpu % 10);
  barefxt_thread_register(&who->thread, 0, barefxt_koid_new(), name, 0);
  known_add(who, thread);
  return who;
}

static void known_forget(struct known* gone) {
  if (!known_has_place(gone)) return;
  struct known** link = known_list_of(gone->of);
  while (*link != gone) link = &(*link)->next;
#if KNOWN_STACKS
  barefxt_stack_unregister(&gone->stack);
#endif
  __atomic_store_n(link, gone->next, __ATOMIC_RELEASE);
  __atomic_store_n(&gone->of, NULL, __ATOMIC_RELEASE);
  barefxt_thread_unregister(&gone->thread);
}

#if KNOWN_STACKS
/* The stack of a new thread, which the kernel has painted; null: it has none. */
static void known_stack(struct known* who, const volatile void* lowest, size_t bytes,
                        uint32_t paint) {
  if (known_has_place(who) && lowest != NULL)
    barefxt_stack_register(&who->stack, (uint32_t)who->thread.koid, (uintptr_t)lowest, bytes,
                           paint);
}

/* A step of a scan. */
static void known_scan_stacks(void) { barefxt_stack_scan(64); }
#endif

/* Needs no lock, of a thread that is not about to end. */
static void known_wake(struct known* who) {
  const uint32_t session = barefxt_session_number();
  if (who->awake_in == session) return;
  who->awake_in = session;
#ifdef KNOWN_INTERRUPT
  const uint32_t interrupt = KNOWN_INTERRUPT();
  if (interrupt != 0) {
    barefxt_thread_wakeup_in_interrupt(&who->thread, interrupt);
    return;
  }
#endif
  barefxt_thread_wakeup(&who->thread);
}

/* ---- Objects, which have neither an id nor a name ---- */

struct known_object {
  const void* address;
  uint32_t kind;
  uint32_t koid;
};
static struct known_object known_objects[KNOWN_OBJECTS];

/* Its kind, and the lowest 32 bits of the address. */
static void known_name_object(const struct known_object* object, barefxt_object_type type,
                              const char* kind) {
  char name[16];
  uint32_t at = 0;
  for (; *kind != 0 && at < sizeof name - 9; ++kind) name[at++] = *kind;
  const uint32_t address = (uint32_t)(uintptr_t)object->address;
  for (int shift = 28; shift >= 0; shift -= 4)
    name[at++] = "0123456789abcdef"[(address >> shift) & 15];
  name[at] = 0;
  barefxt_object_register(object->koid, type, name);
}

/* An object at the former address of one of another kind is a new one. The kind's name has at most
 * 7 bytes. */
static uint32_t known_object(const void* address, uint32_t kind, barefxt_object_type type,
                             const char* kind_name) {
  static uint32_t oldest;
  struct known_object* found = NULL;
  for (uint32_t i = 0; i < KNOWN_OBJECTS && found == NULL; ++i)
    if (known_objects[i].address == address) found = &known_objects[i];
  if (found != NULL && found->kind == kind) return found->koid;
  if (found == NULL) found = &known_objects[oldest++ % KNOWN_OBJECTS];
  if (found->koid != 0) barefxt_object_unregister(found->koid);
  *found = (struct known_object){address, kind, barefxt_koid_new()};
  known_name_object(found, type, kind_name);
  return found->koid;
}

/* ---- Waits. Record the begin before the switch away, so that the event belongs to the waiting
 * thread; record the end when that runs again. ---- */

/* Returns the koid of a mutex's holder, as the kernel has it; 0 if there is none, or if it is not
 * known. */
__attribute__((unused)) static uint32_t known_holder(const void* holder) {
  const struct known* const who = holder != NULL ? known_find(holder) : NULL;
  return who != NULL ? (uint32_t)who->thread.koid : 0;
}

/* `holder` is the koid of the thread that holds the object; 0 if none does, or if it is not known.
 */
static void known_begin_wait(struct known* who, barefxt_text category, uint32_t kind,
                             barefxt_text kind_name, uint32_t object, uint32_t holder) {
  who->waiting_in = barefxt_session_number();
  who->kind = (uint8_t)kind;
  who->object = object;
  who->wait_begin = barefxt_ticks();
  wait_begins(&who->thread, category.reference, kind_name.reference, object, holder);
}

/* Returns true if it waited, and in this session, so that known_end_wait has a wait to record. */
static bool known_has_waited(struct known* who) {
  const bool is_of_now = who->waiting_in == barefxt_session_number();
  who->waiting_in = 0;
  return is_of_now;
}

static void known_end_wait(const struct known* who, barefxt_text category, barefxt_text kind_name,
                           bool failed) {
  wait_ends(&who->thread, category.reference, kind_name.reference, who->wait_begin, who->object,
            failed);
}

#endif
