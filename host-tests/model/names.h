/* Names that the model (ring.pml) and its checks (ring_checks.h) share: numbers, since both
   languages read this file. */

/* SegmentState of segment.h. */
#define FREE 0
#define CLAIMED 1
#define LIVE 2
#define RETIRED 3
#define LEAVING 4
#define HELD 5
#define HELD_LEAVING 6

/* A ring of up to 4 segments with room for 2 records of 2 words each. */
#define MAX_SEGMENTS 4
#define WORDS 4

/* A segment's memory: 4 words, then its header. */
#define END 4  /* 1 + words in use; 0 while open */
#define ID 5   /* capture * 32 + sequence */
#define LOST 6 /* records_lost */
#define OVR 7  /* overwritten */
#define OWC 8  /* overwritten_with_content */
#define STATE 9
#define FIELDS 10
#define AT(slot, field) ((slot) * FIELDS + (field))
#define WHOLE_SEGMENT 100 /* + slot: all of its words and its end, as one store of zeros */
#define WITH_HEADER 110   /* + slot: and its header */

/* The content of a word. The size of all records is 2. */
#define HEADER_OF(record) (2 + 2 * (record))
#define PAYLOAD_OF(record) (3 + 2 * (record))
#define PLACEHOLDER_OF(record) (128 + (record))

/* Records: 8 of each writer, and those written before anything else happens. */
#define RECORD_OF(writer, number) ((writer) * 8 + (number))
#define EARLIER_RECORD(number) (16 + (number))
#define MAX_RECORDS 24

/* The position: sequence * 32 + slot * 8 + 1 + word; closed: the last slot, and why. */
#define POSITION(sequence, slot, offset) ((sequence) * 32 + (slot) * 8 + (offset))
#define SEQUENCE_PART(position) ((position) / 32)
#define SLOT(position) (((position) / 8) % 4)
#define OFFSET(position) ((position) % 8)
#define STOPPED 0
#define FULL 7
#define IS_OPEN(position) (OFFSET(position) != STOPPED && OFFSET(position) != FULL)

#define ENTRIES 6 /* of a store buffer */

/* The kind of a run (BAREFXT_MODEL_MODE). */
#define ONE_SHOT 0
#define CIRCULAR 1
#define STREAMING 2

/* The work of the third process (BAREFXT_MODEL_CONTROL). */
#define NOTHING 0
#define DRAINS 1
#define SNAPSHOTS 2
#define STARTS_AGAIN 3   /* stop, dump, start again, stop, dump */
#define STARTS_AT_ONCE 4 /* stop, start again */
#define DUMPS 5          /* stop, dump */
