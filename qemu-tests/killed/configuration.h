/* The runtime that ends the records of killed threads, with small segments, which few instructions
 * go through. Included ahead of everything that is compiled for it, the runtime too, in place of
 * what the other images are built with. */
#ifndef KILLED_CONFIGURATION_H
#define KILLED_CONFIGURATION_H

#undef BAREFXT_END_RECORDS
#define BAREFXT_END_RECORDS 1
#undef BAREFXT_SEGMENT_BYTES
#define BAREFXT_SEGMENT_BYTES 512
#undef BAREFXT_RETAINED
#define BAREFXT_RETAINED 0

#endif
