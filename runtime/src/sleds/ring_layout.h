/* Where things lie in a ring, on CPUs of 64 bits, for trampolines in assembler. sleds.cpp has the
 * compiler compare it. */
#ifndef BAREFXT_SLEDS_RING_LAYOUT_H
#define BAREFXT_SLEDS_RING_LAYOUT_H

/* barefxt::rings */
#define BAREFXT_RINGS _ZN7barefxt5ringsE

#define BAREFXT_RING_POSITION 0
#define BAREFXT_RING_MEMORY 8
#define BAREFXT_RING_CPU 44
#define BAREFXT_RING_CALL_BASE 48 /* segment, then upper bits, in one load */
#define BAREFXT_RING_SHIFT 7      /* a ring's size, as a power of two */

#define BAREFXT_FUNCTION_CATEGORY 29

/* A call's header: what its lowest 16 bits are, and the lowest 20 of an entry; where the action
 * stands there, what a tail exit and an entry with an argument are, and the bits from which on
 * function and counter stand. */
#define BAREFXT_CALL_LOW 0x001d
#define BAREFXT_CALL_LOWEST_20 0x8001d
#define BAREFXT_CALL_ACTION 16
#define BAREFXT_CALL_TAIL_EXIT 2
#define BAREFXT_CALL_WITH_ARGUMENT 3
#define BAREFXT_CALL_FUNCTION 20
#define BAREFXT_CALL_COUNTER 44

/* Of a position: zero where a record of one word does not fit, or the ring is closed. */
#define BAREFXT_CALL_FITS (BAREFXT_SEGMENT_BYTES - 16)

#endif
