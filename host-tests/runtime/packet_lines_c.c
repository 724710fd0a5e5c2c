/* Writers over USB and in datagrams, as the comments of their headers use them in C. */
#include <barefxt/barefxt.h>
#include <barefxt_datagrams.h>
#include <barefxt_usb_cdc.h>

#include "packet_lines.h"

uint64_t dump_over_usb(uint32_t patience) {
  barefxt_usb_cdc usb = {1, tud_task, patience, 0, false};
  barefxt_writer writer = {barefxt_usb_cdc_write, &usb};
  barefxt_dump(&writer, BAREFXT_DUMP_BINARY);
  barefxt_usb_cdc_flush(&usb);
  return usb.unsent;
}

uint64_t dump_in_datagrams(bool (*send)(void*, const uint8_t*, size_t), void* context, bool text) {
  static barefxt_datagrams datagrams;
  datagrams = (barefxt_datagrams){.send = send};
  datagrams.context = context;
  if (text) datagrams.frame_end = '\n';
  barefxt_writer writer = {barefxt_datagrams_write, &datagrams};
  barefxt_dump(&writer, text ? BAREFXT_DUMP_TEXT : BAREFXT_DUMP_BINARY);
  barefxt_datagrams_flush(&datagrams);
  return datagrams.unsent;
}
