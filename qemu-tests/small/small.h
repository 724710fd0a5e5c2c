/* The kernel for machines with 16 KiB of RAM: what differs. Included ahead of everything that is
 * compiled for it, the runtime too, in place of what the other images are built with. */
#ifndef SMALL_SMALL_H
#define SMALL_SMALL_H

#define KERNEL_SMALL 1

/* A frame on the line is no longer than a segment, and is put together in RAM. */
#undef BAREFXT_SEGMENT_BYTES
#define BAREFXT_SEGMENT_BYTES 512

/* Threads, processes and the CPU. */
#undef BAREFXT_MAX_THREADS
#define BAREFXT_MAX_THREADS 16
#undef BAREFXT_INLINE_THREADS
#define BAREFXT_INLINE_THREADS 0

#undef BAREFXT_MODES
#define BAREFXT_MODES 4
#undef BAREFXT_SNAPSHOTS
#define BAREFXT_SNAPSHOTS 0
#undef BAREFXT_TRIGGERS
#define BAREFXT_TRIGGERS 0
#undef BAREFXT_DUMP_FORMS
#define BAREFXT_DUMP_FORMS 1
#undef BAREFXT_RETAINED
#define BAREFXT_RETAINED 0
#undef BAREFXT_WAY_BACK
#define BAREFXT_WAY_BACK 0
#undef BAREFXT_RESEND_SEGMENTS
#define BAREFXT_RESEND_SEGMENTS 0

#endif
