/* Events that busy kernels record most, made of words alone: instants with one object, and waits.
 * Included by the files with a kernel's hooks. Categories, names, and keys of arguments are
 * numbers of interned strings, see BAREFXT_STRING.
 */
#ifndef BAREFXT_OBJECT_EVENT_H
#define BAREFXT_OBJECT_EVENT_H

#include <barefxt/barefxt.h>

/* `words` counts those behind the time. */
static inline uint64_t event_header(barefxt_event_type type, uint32_t category, uint32_t name,
                                    uint32_t arguments, uint32_t words) {
  return (uint64_t)(name << 16 | category) << 32 |
         (arguments << 20 | (uint32_t)type << 16 | (2 + words) << 4 | 4);
}

static inline uint64_t koid_header(uint32_t key) {
  return barefxt_arg_koid(barefxt_text_interned(key), 0).header;
}

/* An instant of the running thread, with the argument `key`. Context: any. */
static inline void koid_instant(uint32_t category, uint32_t name, uint32_t key, uint32_t koid) {
  barefxt_write_event_2(event_header(BAREFXT_EVENT_INSTANT, category, name, 1, 2), koid_header(key),
                        koid);
}

static inline void object_instant(uint32_t category, uint32_t name, uint32_t koid) {
  koid_instant(category, name, BAREFXT_STRING("object"), koid);
}

/* An instant that leads from the id that the hooks made up to what has it. `key` is that of the id.
 * Context: any. */
__attribute__((unused, noinline)) static void created_instant(uint32_t category, uint32_t name,
                                                              uint32_t key, uint32_t koid,
                                                              const void* address) {
  const barefxt_argument arguments[] = {
      barefxt_arg_koid(barefxt_text_interned(key), koid),
      barefxt_arg_pointer(BAREFXT_TEXT("address"), address),
  };
  barefxt_event(BAREFXT_EVENT_INSTANT, NULL, barefxt_text_interned(category),
                barefxt_text_interned(name), 0, arguments, 2);
}

/* An instant of the running thread with a thread's priority, an argument of one word. `key` is that
 * of the thread. Context: any. */
__attribute__((unused, noinline)) static void priority_instant(uint32_t category, uint32_t name,
                                                               uint32_t key, uint32_t koid,
                                                               barefxt_argument priority) {
  const uint64_t words[] = {event_header(BAREFXT_EVENT_INSTANT, category, name, 2, 3),
                            koid_header(key), koid, priority.header};
  barefxt_write_event_words(NULL, words);
}

/* The begin of a wait: an instant of the thread's, before the switch away. `kind` names the wait.
 * `holder` is the koid of the thread that holds the object; 0 if none does, or if it is not known.
 * Without an object there is none. Context: any. */
__attribute__((unused, noinline)) static void wait_begins(const barefxt_thread* thread,
                                                          uint32_t category, uint32_t kind,
                                                          uint32_t object, uint32_t holder) {
  const uint32_t arguments = object == 0 ? 1 : holder == 0 ? 2 : 3;
  const uint32_t count = 2 * arguments - 1;
  uint64_t words[6];
  words[0] =
      event_header(BAREFXT_EVENT_INSTANT, category, BAREFXT_STRING("blocks"), arguments, count);
  words[1] = barefxt_arg_text(BAREFXT_TEXT("in"), barefxt_text_interned(kind)).header;
  words[2] = koid_header(BAREFXT_STRING("object"));
  words[3] = object;
  words[4] = koid_header(BAREFXT_STRING("holder"));
  words[5] = holder;
  barefxt_write_event_words(thread, words);
}

/* The whole wait, a duration, when the thread runs again. `begin` is in ticks. Context: any. */
__attribute__((unused, noinline)) static void wait_ends(const barefxt_thread* thread,
                                                        uint32_t category, uint32_t kind,
                                                        uint64_t begin, uint32_t object,
                                                        bool failed) {
  uint64_t words[5];
  words[1] = begin;
  uint32_t count = 1;
  uint32_t arguments = 0;
  if (object != 0) {
    words[++count] = koid_header(BAREFXT_STRING("object"));
    words[++count] = object;
    ++arguments;
  }
  if (failed) {
    words[++count] = barefxt_arg_bool(BAREFXT_TEXT("failed"), true).header;
    ++arguments;
  }
  /* Its end takes a word, and its begin the place of the time. */
  words[0] = event_header(BAREFXT_EVENT_DURATION_COMPLETE, category, kind, arguments, count);
  barefxt_write_event_words(thread, words);
}

#endif
