/* Firedancer's writer of FXT: one producer, which nothing may interrupt. Its records go into a ring
 * of messages of 32 bytes, longer ones beside it. */
#include "tango/fxt/fd_fxt_proto.h"
#include "tango/fxt/fd_fxt_pub.h"
#include "tracer.h"

#define DEPTH 1024UL
#define LONGEST 64UL

static volatile uint32_t number;
static fd_fxt_pub_t publisher[1];
static uchar messages[FD_MCACHE_FOOTPRINT(DEPTH, 0UL)] __attribute__((aligned(FD_MCACHE_ALIGN)));
static uchar records[FD_DCACHE_FOOTPRINT(DEPTH * 2 * LONGEST, 0UL)]
    __attribute__((aligned(FD_DCACHE_ALIGN)));

/* Its log: the functions that make rings complain there. */
char const* fd_log_private_0(char const* format, ...) { return format; }
void fd_log_private_1(int level, long now, char const* file, int line, char const* function,
                      char const* message) {
  (void)level, (void)now, (void)file, (void)line, (void)function, (void)message;
}
long fd_log_wallclock(void) { return 0; }

static void record(ulong type) {
  fd_fxt_pub_rec2(publisher, fd_fxt_rec_event_hdr(16, type, 0, 1, 2, 3), (ulong)fd_tickcount());
}
static void mark(void) { record(FD_FXT_EVENT_INSTANT); }
static void mark_with_number(void) {
  ulong* const words = fd_fxt_pub_rec_prepare(publisher);
  words[0] = fd_fxt_rec_event_hdr(24, FD_FXT_EVENT_INSTANT, 1, 1, 2, 3);
  words[1] = (ulong)fd_tickcount();
  words[2] = FD_FXT_ARG_U32 | 1UL << 4 | 4UL << 16 | (ulong)number << 32;
  fd_fxt_pub_rec_publish(publisher, 24);
}
static void begin_and_end(void) {
  record(FD_FXT_EVENT_DURATION_BEGIN);
  record(FD_FXT_EVENT_DURATION_END);
}

const struct operation tracer_operations[] = {{"mark", mark},
                                              {"mark with a number", mark_with_number},
                                              {"begin and end", begin_and_end},
                                              {0, 0}};

int tracer_start(void) {
  fd_frag_meta_t* const ring = fd_mcache_join(fd_mcache_new(messages, DEPTH, 0UL, 0UL));
  uchar* const room = fd_dcache_join(fd_dcache_new(records, DEPTH * 2 * LONGEST, 0UL));
  if (ring == NULL || room == NULL) return 0;
  fd_fxt_pub_init(publisher, ring, room, LONGEST, 1);
  return 1;
}

/* A message for each record, and the room of those that do not fit into one. */
uint32_t tracer_bytes(void) {
  return (uint32_t)(publisher->seq * sizeof(fd_frag_meta_t) +
                    (publisher->chunk - publisher->chunk0) * FD_CHUNK_SZ);
}
