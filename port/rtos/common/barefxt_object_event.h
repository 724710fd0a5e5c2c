/* An instant with one object, the most frequent record of a busy kernel. Its arguments are words
 * and stay in registers. Included by the files with a kernel's hooks.
 */
#ifndef BAREFXT_OBJECT_EVENT_H
#define BAREFXT_OBJECT_EVENT_H

#include <barefxt/barefxt.h>

/* `category` and `name` are numbers of interned strings, see BAREFXT_STRING. Context: any. */
static inline void object_instant(uint32_t category, uint32_t name, uint32_t koid) {
  /* An instant of 4 words, one argument. */
  const uint64_t header = (uint64_t)(name << 16 | category) << 32 | (1u << 20 | 4u << 4 | 4u);
  barefxt_write_event_2(header, barefxt_arg_koid(BAREFXT_TEXT("object"), koid).header, koid);
}

/* An instant that leads from the id that the hooks made up to what has it. `category`, `name` and
 * `key`, that of the id, are numbers of interned strings. Context: any. */
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

#endif
