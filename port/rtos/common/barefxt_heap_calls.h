/* Functions that stand ahead of an allocator's by the linker's --wrap, and record each block with
 * its caller.
 *
 * A block is recorded as free ahead of the allocator's free, and as allocated behind its
 * allocation, a wait included. So no other thread can have it in between, whatever lock the
 * allocator takes.
 *
 * If wrapped functions call others, define HEAP_ENTER() and HEAP_LEAVE(call) first: for all but the
 * outermost call of a thread, HEAP_ENTER returns null, and the call is not recorded.
 */
#ifndef BAREFXT_HEAP_CALLS_H
#define BAREFXT_HEAP_CALLS_H

#include <barefxt/barefxt.h>

#ifndef HEAP_ENTER
#define HEAP_ENTER() ((const void*)1)
#define HEAP_LEAVE(call) (void)(call)
#endif

#define HEAP_WRAP(type, name, parameters) \
  type __real_##name parameters;          \
  type __wrap_##name parameters;          \
  type __wrap_##name parameters
#define HEAP_REAL(name) __real_##name

/* Parameters and arguments are in brackets of their own. */
#define HEAP_ALLOCATES(name, size, parameters, arguments)   \
  HEAP_WRAP(void*, name, parameters) {                      \
    const void* const caller = __builtin_return_address(0); \
    const void* const call = HEAP_ENTER();                  \
    void* const allocated = __real_##name arguments;        \
    if (call == NULL) return allocated;                     \
    barefxt_heap_alloc(allocated, size, caller);            \
    HEAP_LEAVE(call);                                       \
    return allocated;                                       \
  }

#define HEAP_FREES(name, block, parameters, arguments)                       \
  HEAP_WRAP(void, name, parameters) {                                        \
    const void* const call = HEAP_ENTER();                                   \
    if (call != NULL) barefxt_heap_free(block, __builtin_return_address(0)); \
    __real_##name arguments;                                                 \
    if (call != NULL) HEAP_LEAVE(call);                                      \
  }

/* The block may move: then another thread may get its memory at once. If there is no room, it stays
 * as it is, of a size that only the allocator knows. */
#define HEAP_REALLOCATES(name, block, size, parameters, arguments)                               \
  HEAP_WRAP(void*, name, parameters) {                                                           \
    const void* const caller = __builtin_return_address(0);                                      \
    const void* const call = HEAP_ENTER();                                                       \
    if (call != NULL) barefxt_heap_free(block, caller);                                          \
    void* const changed = __real_##name arguments;                                               \
    if (call == NULL) return changed;                                                            \
    if (changed != NULL || (size) != 0) barefxt_heap_alloc(changed, size, caller);               \
    if (changed == NULL && (size) != 0 && (block) != NULL) barefxt_heap_alloc(block, 0, caller); \
    HEAP_LEAVE(call);                                                                            \
    return changed;                                                                              \
  }

#endif
