/* operator new and delete of C++, traced with their callers; by barefxt_malloc.c alone, the caller
 * is operator new. Compile this file as well, and link with @barefxt_new.wrap, too.
 *
 * For operators that call malloc and free, as those of libstdc++ and libc++ do: here these are
 * called in their place. Without memory the operator goes on, which asks the handler and throws.
 * Operators with an alignment are left as they are. With exceptions compile this file with
 * -fexceptions, too: the operator's passes through these functions.
 */
#include "../rtos/common/barefxt_heap_calls.h"

void* __real_malloc(size_t bytes);
void __real_free(void* block);

/* As the ABI spells size_t. */
#if __SIZEOF_SIZE_T__ == 8
#define SIZED(before, after) before##m##after
#else
#define SIZED(before, after) before##j##after
#endif

#define NEW(name, parameters, arguments)                                                 \
  HEAP_WRAP(void*, name, parameters) {                                                   \
    const void* const caller = __builtin_return_address(0);                              \
    const void* const call = HEAP_ENTER();                                               \
    void* const allocated = __real_malloc(bytes == 0 ? 1 : bytes);                       \
    if (call != NULL && allocated != NULL) barefxt_heap_alloc(allocated, bytes, caller); \
    if (call != NULL) HEAP_LEAVE(call);                                                  \
    return allocated != NULL ? allocated : HEAP_REAL(name) arguments;                    \
  }
NEW(SIZED(_Znw, ), (size_t bytes), (bytes))
NEW(SIZED(_Zna, ), (size_t bytes), (bytes))
NEW(SIZED(_Znw, RKSt9nothrow_t), (size_t bytes, const void* nothrow), (bytes, nothrow))
NEW(SIZED(_Zna, RKSt9nothrow_t), (size_t bytes, const void* nothrow), (bytes, nothrow))

#define DELETE(name, parameters)                                             \
  HEAP_WRAP(void, name, parameters) {                                        \
    const void* const call = HEAP_ENTER();                                   \
    if (call != NULL) barefxt_heap_free(block, __builtin_return_address(0)); \
    __real_free(block);                                                      \
    if (call != NULL) HEAP_LEAVE(call);                                      \
  }
DELETE(_ZdlPv, (void* block))
DELETE(_ZdaPv, (void* block))
DELETE(SIZED(_ZdlPv, ), (void* block, __attribute__((unused)) size_t bytes))
DELETE(SIZED(_ZdaPv, ), (void* block, __attribute__((unused)) size_t bytes))
