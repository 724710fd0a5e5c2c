/* Transport: a serial port over USB (CDC-ACM) with TinyUSB: /dev/ttyACM0 on the host, at any baud
 * rate. `barefxt capture --serial` raises DTR when it opens the port, which TinyUSB waits for.
 *
 *     barefxt_usb_cdc usb = {0, tud_task, 0, 0, false}; // interface 0
 *     barefxt_writer writer = {barefxt_usb_cdc_write, &usb};
 *     barefxt_dump(&writer, BAREFXT_DUMP_BINARY);
 *     barefxt_usb_cdc_flush(&usb);                  // after each dump, drain and answer
 *     if (usb.unsent != 0) ...;                     // no host had the port open, or read it
 *
 * If a task of a kernel runs tud_task(), `wait` is a sleep of a tick instead, and `patience` counts
 * ticks: {0, sleep_a_tick, 500, 0, false}. If an interrupt does, `wait` is an empty function.
 *
 * The Pico SDK's pico_stdio_usb runs TinyUSB behind a lock. There a writer calls
 * stdio_usb.out_chars((const char*)bytes, (int)count), which gives up after 500 ms
 * (PICO_STDIO_USB_STDOUT_TIMEOUT_US) and translates no line ends.
 */
#ifndef BAREFXT_USB_CDC_H
#define BAREFXT_USB_CDC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <tusb.h>

typedef struct barefxt_usb_cdc {
  uint8_t interface;
  void (*wait)(void); /* called while there is no room: lets TinyUSB go on */
  uint32_t patience;  /* waits in vain before a write gives up; 0: a million */
  uint64_t unsent;    /* bytes that the host did not take */
  bool is_stalled;    /* the last write gave up: the next one waits only once there is room again */
} barefxt_usb_cdc;

/* True once TinyUSB has room. False: no host has the port open, or it does not read. */
static inline bool barefxt_usb_cdc_has_room(const barefxt_usb_cdc* usb, uint32_t patience) {
  for (;; --patience) {
    /* Without a host that has it open, TinyUSB replaces the oldest bytes rather than be full. */
    if (!tud_cdc_n_connected(usb->interface)) return false;
    if (tud_cdc_n_write_available(usb->interface) != 0) return true;
    if (patience == 0) return false;
    tud_cdc_n_write_flush(usb->interface);
    usb->wait();
  }
}

/* Blocks while the buffer of TinyUSB is full, as long as the patience lasts. Bytes left over are
 * counted, and so are those of later writes, without a wait, until there is room again. */
static inline void barefxt_usb_cdc_write(void* context, const uint8_t* bytes, size_t count) {
  barefxt_usb_cdc* const usb = (barefxt_usb_cdc*)context;
  const uint32_t patience = usb->patience != 0 ? usb->patience : 1000000;
  while (count != 0) {
    usb->is_stalled = !barefxt_usb_cdc_has_room(usb, usb->is_stalled ? 0 : patience);
    if (usb->is_stalled) {
      usb->unsent += count;
      return;
    }
    const uint32_t taken =
        tud_cdc_n_write(usb->interface, bytes, count > 0xffff ? 0xffff : (uint32_t)count);
    bytes += taken;
    count -= taken;
  }
}

/* Sends the last packet, which TinyUSB keeps until it is full. */
static inline void barefxt_usb_cdc_flush(barefxt_usb_cdc* usb) {
  tud_cdc_n_write_flush(usb->interface);
}

#endif
