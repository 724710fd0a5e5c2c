/* The runtime without segments (BAREFXT_LINEAR) in a kernel: what differs. Included ahead of
 * everything that is compiled for it, the runtime too, in place of what the other images are built
 * with. */
#ifndef LINEAR_CONFIGURATION_H
#define LINEAR_CONFIGURATION_H

#undef BAREFXT_SMALL
#define BAREFXT_SMALL 2
#undef BAREFXT_MAX_CPUS
#define BAREFXT_MAX_CPUS 1
/* No record is larger. The ring has none. */
#undef BAREFXT_SEGMENT_BYTES
#define BAREFXT_SEGMENT_BYTES 512
/* Threads and processes. */
#undef BAREFXT_MAX_THREADS
#define BAREFXT_MAX_THREADS 16

#undef BAREFXT_RETAINED
#define BAREFXT_RETAINED 0
#undef BAREFXT_WAY_BACK
#define BAREFXT_WAY_BACK 0
#undef BAREFXT_RESEND_SEGMENTS
#define BAREFXT_RESEND_SEGMENTS 0

#endif
