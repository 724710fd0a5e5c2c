/* Transport: a channel in memory that debug probes empty while the target runs, by reading and
 * writing its memory: J-Link, probe-rs, OpenOCD ("rtt setup", "rtt server start"). Laid out as
 * SEGGER's Real Time Transfer has it, which is what those look for; nothing of SEGGER's is needed.
 *
 *     static barefxt_rtt_block block;
 *     static uint8_t buffer[1024];
 *     barefxt_rtt_initialize(&block, "barefxt", buffer, sizeof buffer);
 *     barefxt_rtt rtt = {&block.up[0], 1000000, 0};
 *     barefxt_writer writer = {barefxt_rtt_write, &rtt};
 *     barefxt_dump(&writer, BAREFXT_DUMP_BINARY);
 *     if (rtt.unsent != 0) ...;                     // no probe was there, or it left
 *
 * An image that has SEGGER's code keeps its control block, since a probe takes the first it finds:
 * give one of its channels, set up by SEGGER_RTT_ConfigUpBuffer, as (barefxt_rtt_channel*)&
 * _SEGGER_RTT.aUp[1].
 *
 * Requests of the host (BAREFXT_WAY_BACK=1) come through a channel down, which a server of OpenOCD
 * or J-Link fills with what the other side of its socket sends:
 *
 *     barefxt_rtt_initialize_both(&block, "barefxt", buffer, sizeof buffer, down, sizeof down);
 *     uint8_t byte;                                 // where the line is fed, in a loop:
 *     while (barefxt_rtt_read(&block.down[0], &byte)) barefxt_receive(byte);
 *     barefxt_serve(&writer, BAREFXT_DUMP_BINARY, &config);
 *
 * The target alone moves `written`, the probe alone moves `read`, so neither needs a lock. (Of a
 * channel down it is the other way round.) The
 * bytes are stored before `written` moves past them, and replaced only after `read` has. Block
 * and buffer lie where the probe sees what the CPU stores: in memory that is not cached, or that
 * probes read through the caches. One writer at a time.
 */
#ifndef BAREFXT_RTT_H
#define BAREFXT_RTT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BAREFXT_RTT_ID_BYTES 16

/* The layout of SEGGER's SEGGER_RTT_BUFFER_UP, and SEGGER_RTT_BUFFER_DOWN the other way. Words in
 * the target's byte order. */
typedef struct barefxt_rtt_channel {
  const char* name;
  uint8_t* buffer;
  uint32_t bytes;            /* size of the buffer; one byte always stays free */
  volatile uint32_t written; /* offset of the next byte: 0 to bytes - 1 */
  volatile uint32_t read;    /* the byte that the probe reads next; the same: there is none */
  uint32_t flags;            /* bits 0 and 1: what SEGGER's own code does when it is full */
} barefxt_rtt_channel;

/* The layout of SEGGER_RTT_CB, with one channel up, and one down or none. */
typedef struct barefxt_rtt_block {
  volatile uint8_t id[BAREFXT_RTT_ID_BYTES];
  uint32_t up_channels;
  uint32_t down_channels;
  barefxt_rtt_channel up[1];
  barefxt_rtt_channel down[1];
} barefxt_rtt_block;

typedef struct barefxt_rtt {
  barefxt_rtt_channel* channel;
  uint32_t patience; /* looks at `read` in vain before a write gives up; 0: it never does */
  uint64_t unsent;   /* bytes that no probe fetched */
} barefxt_rtt;

static inline void barefxt_rtt_set_up(barefxt_rtt_channel* channel, const char* name,
                                      uint8_t* buffer, uint32_t bytes) {
  channel->name = name;
  channel->buffer = buffer;
  channel->bytes = bytes;
  channel->written = 0;
  channel->read = 0;
  channel->flags = 0;
}

/* Once, before the first write, with at least two bytes each way; 0 down: there is no channel down.
 * A probe that looks at memory all the time finds the block when its id is whole, which is last. */
static inline void barefxt_rtt_initialize_both(barefxt_rtt_block* block, const char* name,
                                               uint8_t* buffer, uint32_t bytes, uint8_t* down,
                                               uint32_t down_bytes) {
  /* Turned around: the image, which a probe may search as well, holds the id nowhere. */
  static const char kBackwards[] = "TTR REGGES";
  enum { LETTERS = sizeof kBackwards - 1 };
  for (unsigned i = 0; i < BAREFXT_RTT_ID_BYTES; ++i) block->id[i] = 0;
  block->up_channels = 1;
  block->down_channels = down_bytes != 0 ? 1 : 0;
  barefxt_rtt_set_up(&block->up[0], name, buffer, bytes);
  barefxt_rtt_set_up(&block->down[0], name, down, down_bytes);
  __atomic_thread_fence(__ATOMIC_RELEASE);
  for (unsigned i = 0; i < LETTERS; ++i) block->id[i] = (uint8_t)kBackwards[LETTERS - 1 - i];
}

/* The same without a channel down. */
static inline void barefxt_rtt_initialize(barefxt_rtt_block* block, const char* name,
                                          uint8_t* buffer, uint32_t bytes) {
  barefxt_rtt_initialize_both(block, name, buffer, bytes, 0, 0);
}

/* Takes the next byte from a channel down. False: there is none. One reader at a time. */
static inline bool barefxt_rtt_read(barefxt_rtt_channel* channel, uint8_t* byte) {
  const uint32_t read = channel->read;
  if (read == channel->written) return false;
  /* The probe stored the byte before it moved `written`. */
  __atomic_thread_fence(__ATOMIC_ACQUIRE);
  *byte = channel->buffer[read];
  __atomic_thread_fence(__ATOMIC_RELEASE);
  channel->read = read + 1 == channel->bytes ? 0 : read + 1;
  return true;
}

/* How many bytes a write would take without waiting: for a stream that sends what there is room
 * for, and leaves the rest in its rings. */
static inline uint32_t barefxt_rtt_room(const barefxt_rtt_channel* channel) {
  const uint32_t written = channel->written;
  const uint32_t read = channel->read;
  return (read > written ? 0 : channel->bytes) + read - written - 1;
}

/* Blocks while the channel is full, as long as the patience lasts. Bytes left over then are
 * counted, and so are all that follow until the probe reads again. A host that knows where it
 * stopped finds the gap by the frames' numbers. */
static inline void barefxt_rtt_write(void* context, const uint8_t* bytes, size_t count) {
  barefxt_rtt* const rtt = (barefxt_rtt*)context;
  barefxt_rtt_channel* const channel = rtt->channel;
  uint32_t in_vain = rtt->unsent != 0 ? rtt->patience : 0;
  while (count != 0) {
    uint32_t room = barefxt_rtt_room(channel);
    if (room == 0) {
      if (rtt->patience != 0 && in_vain >= rtt->patience) {
        rtt->unsent += count;
        return;
      }
      ++in_vain;
      continue;
    }
    in_vain = 0;
    /* The probe's reads of what is replaced came before it moved `read`. */
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    uint32_t at = channel->written;
    for (; room != 0 && count != 0; --room, --count) {
      channel->buffer[at] = *bytes++;
      at = at + 1 == channel->bytes ? 0 : at + 1;
    }
    __atomic_thread_fence(__ATOMIC_RELEASE);
    channel->written = at;
  }
}

#endif
