/* Offsets in a ring, on CPUs of 64 bits, for trampolines in assembler. sleds.cpp has the compiler
 * compare them. */
#ifndef BAREFXT_SLEDS_RING_LAYOUT_H
#define BAREFXT_SLEDS_RING_LAYOUT_H

/* barefxt::rings */
#define BAREFXT_RINGS _ZN7barefxt5ringsE

#define BAREFXT_RING_POSITION 0
#define BAREFXT_RING_MEMORY 8
#define BAREFXT_RING_CPU 44
#define BAREFXT_RING_CALL_BASE 48 /* its segment; then, for one load of a pair, its upper bits */
#define BAREFXT_RING_CALL_BASE_TIME (BAREFXT_RING_CALL_BASE + 8)
#define BAREFXT_RING_SHIFT 7 /* a ring's size, as a power of two */

#define BAREFXT_FUNCTION_CATEGORY 29

/* A call's header: its lowest 16 bits, and the lowest 20 of an entry; the bit of the action, the
 * actions of a tail exit and of an entry with an argument, and the first bits of function and
 * counter. */
#define BAREFXT_CALL_LOW 0x001d
#define BAREFXT_CALL_LOWEST_20 0x8001d
#define BAREFXT_CALL_ACTION 16
#define BAREFXT_CALL_TAIL_EXIT 2
#define BAREFXT_CALL_WITH_ARGUMENT 3
#define BAREFXT_CALL_FUNCTION 20
#define BAREFXT_CALL_COUNTER 44

/* A segment's size, as a power of two. */
#if BAREFXT_SEGMENT_BYTES == 512
#define BAREFXT_SEGMENT_SHIFT 9
#elif BAREFXT_SEGMENT_BYTES == 1024
#define BAREFXT_SEGMENT_SHIFT 10
#elif BAREFXT_SEGMENT_BYTES == 2048
#define BAREFXT_SEGMENT_SHIFT 11
#elif BAREFXT_SEGMENT_BYTES == 4096
#define BAREFXT_SEGMENT_SHIFT 12
#elif BAREFXT_SEGMENT_BYTES == 8192
#define BAREFXT_SEGMENT_SHIFT 13
#else
#define BAREFXT_SEGMENT_SHIFT 14
#endif

#endif
