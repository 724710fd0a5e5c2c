/* Sends a capture from standard input by the transport, through a model of ITM and TPIU, to
 * standard output, as a chip with a console beside it does: synchronizations, timestamps, DWT's
 * packets, text on port 0, an overflow. Arguments: plain or tpiu, and off for an ITM that is off.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint8_t frame[16]; /* of the TPIU */
static size_t in_frame;
static int has_formatter;

/* Another source's bytes stand in each fourth frame's end. */
static void put(uint8_t byte) {
  static unsigned frames;
  if (!has_formatter) {
    putchar(byte);
    return;
  }
  if (in_frame == 0) {
    if (frames % 16 == 0) fwrite("\xff\xff\xff\x7f", 1, 4, stdout);
    memset(frame, 0, sizeof frame);
    frame[in_frame++] = 1 << 1 | 1; /* source 1 from here on */
  }
  if (in_frame % 2 == 0) {
    frame[15] |= (uint8_t)((byte & 1) << (in_frame / 2));
    byte &= 0xfe;
  }
  frame[in_frame++] = byte;
  if (frames % 4 == 0 && in_frame == 12) {
    frame[12] = 2 << 1 | 1; /* source 2, behind the next byte */
    frame[15] |= 1 << 6;
    in_frame = 13;
  } else if (in_frame == 14 && frames % 4 == 0) {
    frame[14] = 0x70; /* source 2's: no overflow of the ITM */
    in_frame = 15;
  }
  if (in_frame == 15) {
    fwrite(frame, 1, 8, stdout);
    if (frames % 5 == 0) fwrite("\xff\x7f", 1, 2, stdout); /* a short synchronization */
    fwrite(frame + 8, 1, 8, stdout);
    in_frame = 0;
    ++frames;
  }
}

#define BAREFXT_ITM_MODEL 1
static int is_on = 1;
static unsigned looks;
static void put_packet(uint8_t header, uint32_t value, uint32_t bytes) {
  put(header);
  for (uint32_t i = 0; i < bytes; ++i) put((uint8_t)(value >> 8 * i));
}
static uint32_t barefxt_itm_load(uint32_t offset) {
  if (offset == 0xe80) return (uint32_t)is_on;
  if (offset == 0xe00) return ~(uint32_t)0;
  return ++looks % 3 == 0; /* its buffer is full else */
}
static void barefxt_itm_store(uint32_t offset, uint32_t value, uint32_t bytes) {
  static unsigned packets;
  if (packets % 500 == 0) {
    for (int i = 0; i < 5; ++i) put(0);
    put(0x80);
  }
  if (packets % 7 == 0) put_packet(0 << 3 | 1, (uint8_t)"printf of a task\n"[packets / 7 % 17], 1);
  if (packets % 11 == 0) put_packet(0xc0, 0x0181, 2);           /* a local timestamp, continued */
  if (packets % 13 == 0) put_packet(0x94, 0x01ff80, 3);         /* a global one */
  if (packets % 17 == 0) put_packet(2 << 3 | 7, 0x08000123, 4); /* DWT: the program counter */
  if (packets % 19 == 0) put(0x30);                             /* a short timestamp */
  if (packets == 100) put(0x70);                                /* an overflow */
  put_packet((uint8_t)(offset / 4 << 3 | (bytes == 4 ? 3 : 1)), value, bytes);
  ++packets;
}
#include <barefxt_itm.h>

int main(int count, char** arguments) {
  barefxt_itm itm = {1, 0, 0};
  uint8_t bytes[1001]; /* no multiple of 4 */
  size_t read;
  has_formatter = count > 1 && strcmp(arguments[1], "tpiu") == 0;
  is_on = count < 3;
  while ((read = fread(bytes, 1, sizeof bytes, stdin)) != 0) barefxt_itm_write(&itm, bytes, read);
  while (in_frame != 0) put(0);
  return itm.unsent != 0;
}
