/* Transport: datagrams, such as those of UDP, for `barefxt capture --udp PORT`. Each ends with a
 * whole frame, unless a frame alone is longer: datagrams that change places do no harm then, and
 * one that is lost or sent twice harms no other. With lwIP:
 *
 *     static bool send(void* pcb, const uint8_t* bytes, size_t count) {
 *       struct pbuf* const packet = pbuf_alloc(PBUF_TRANSPORT, (u16_t)count, PBUF_RAM);
 *       if (packet == NULL) return false;
 *       pbuf_take(packet, bytes, (u16_t)count);
 *       const err_t error = udp_sendto(pcb, packet, &host_address, 9000);
 *       pbuf_free(packet);
 *       return error == ERR_OK;
 *     }
 *
 *     static barefxt_datagrams datagrams = {.send = send};
 *     datagrams.context = pcb;
 *     barefxt_writer writer = {barefxt_datagrams_write, &datagrams};
 *     barefxt_dump(&writer, BAREFXT_DUMP_BINARY);
 *     barefxt_datagrams_flush(&datagrams);          // after each dump, drain and answer
 *     if (datagrams.unsent != 0) ...;               // the network took no more
 *
 * Nothing here waits for the other side. A `send` that finds no room may wait for a while itself,
 * with a limit; the rest is counted, and the host reports it as lost on the line.
 */
#ifndef BAREFXT_DATAGRAMS_H
#define BAREFXT_DATAGRAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Fits into a packet of Ethernet with the headers of IPv6 and UDP. */
#ifndef BAREFXT_DATAGRAM_BYTES
#define BAREFXT_DATAGRAM_BYTES 1400
#endif

typedef struct barefxt_datagrams {
  /* Sends one datagram. False: it was not sent, and is counted. */
  bool (*send)(void* context, const uint8_t* bytes, size_t count);
  void* context;
  uint8_t frame_end; /* last byte of a frame: 0 in the binary forms, '\n' in the text forms */
  uint64_t unsent;   /* bytes that `send` did not take */
  size_t used;       /* of the datagram that is being filled */
  size_t whole;      /* up to the end of the last whole frame in it */
  uint8_t bytes[BAREFXT_DATAGRAM_BYTES];
} barefxt_datagrams;

/* Sends what is there up to `count`, and keeps the rest. */
static inline void barefxt_datagrams_send(barefxt_datagrams* datagrams, size_t count) {
  if (!datagrams->send(datagrams->context, datagrams->bytes, count)) datagrams->unsent += count;
  datagrams->used -= count;
  for (size_t i = 0; i < datagrams->used; ++i) datagrams->bytes[i] = datagrams->bytes[count + i];
  datagrams->whole = 0;
}

static inline void barefxt_datagrams_write(void* context, const uint8_t* bytes, size_t count) {
  barefxt_datagrams* const datagrams = (barefxt_datagrams*)context;
  for (size_t i = 0; i < count; ++i) {
    if (datagrams->used == sizeof datagrams->bytes)
      barefxt_datagrams_send(datagrams, datagrams->whole != 0 ? datagrams->whole : datagrams->used);
    datagrams->bytes[datagrams->used++] = bytes[i];
    if (bytes[i] == datagrams->frame_end) datagrams->whole = datagrams->used;
  }
}

/* Sends what is left. */
static inline void barefxt_datagrams_flush(barefxt_datagrams* datagrams) {
  if (datagrams->used != 0) barefxt_datagrams_send(datagrams, datagrams->used);
}

#endif
