/* A port whose register names what the test plays. */
#ifndef BAREFXT_INTERRUPTED_H
#define BAREFXT_INTERRUPTED_H

#include <barefxt/sample.h>

#ifdef __cplusplus
extern "C" {
#endif
extern barefxt_interrupted stand_in_interrupted;
#ifdef __cplusplus
}  // extern "C"
#endif

#define BAREFXT_PORT_INTERRUPTED_THREAD 1
static inline barefxt_interrupted barefxt_interrupted_thread(void) { return stand_in_interrupted; }

#endif
