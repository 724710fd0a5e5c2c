/* A sensor, a worker and a logger under ThreadX. Sensor and logger share a bus, whose mutex does
 * not pass priorities on: the worker keeps the logger off the CPU while the sensor waits for it. A
 * radio waits for an interrupt whose handler does not announce itself to the kernel.
 *
 * Ahead of the dump goes a line with what the kernel and the application counted.
 */
#include <barefxt/barefxt.h>

#include "board.h"
#include "low_level.h"
#include "tx_api.h"

#define RADIO_TIMER 0x40001000u

static uint64_t rings[10240]; /* 80 KiB */
static TX_MUTEX bus;
static TX_SEMAPHORE received;
static TX_THREAD sensor, worker, logger, radio;
static uint64_t stacks[4][256];
static volatile uint32_t packets;
static volatile uint32_t ticks;

/* ---- The board's, see low_level.c ---- */

void device_handler(void) {
  REGISTER(RADIO_TIMER + 12) = 1; /* INTCLEAR */
  ++packets;
  tx_semaphore_put(&received);
}

void on_tick(void) { ++ticks; }

void board_fault(void) {
  barefxt_close();
  barefxt_dump(&(barefxt_writer){board_write, NULL}, BAREFXT_DUMP_BINARY);
  board_end();
}

static void stack_error(TX_THREAD* thread) {
  (void)thread;
  board_fault();
}

/* ---- The application ---- */

static void put_text(const char* text) { board_write(NULL, (const uint8_t*)text, strlen(text)); }
static void put_count(const char* name, uint32_t value) {
  char digits[11];
  int at = sizeof digits - 1;
  digits[at] = 0;
  do {
    digits[--at] = (char)('0' + value % 10);
    value /= 10;
  } while (value != 0);
  put_text(name);
  put_text(&digits[at]);
}

static void finish(void) {
  const uint32_t ticks_at_end = ticks;
  const uint32_t packets_at_end = packets;
  ULONG suspensions = 0;
  barefxt_stop();
  tx_mutex_performance_info_get(&bus, NULL, NULL, &suspensions, NULL, NULL, NULL);
  put_count("counted: bus_waits=", suspensions);
  put_count(" ticks=", ticks_at_end);
  put_count(" packets=", packets_at_end);
  put_text("\n");
  barefxt_dump(&(barefxt_writer){board_write, NULL}, BAREFXT_DUMP_BINARY);
  board_end();
}

static void sense(ULONG unused) {
  (void)unused;
  for (int round = 0; round < 40; ++round) {
    tx_thread_sleep(10);
    tx_mutex_get(&bus, TX_WAIT_FOREVER);
    board_work_us(500);
    tx_mutex_put(&bus);
  }
  finish();
}

static void work(ULONG unused) {
  (void)unused;
  for (;;) {
    tx_thread_sleep(8);
#ifdef FAULT
    if (ticks > 100) __builtin_trap();
#endif
    board_work_us(3000);
  }
}

static void log_all(ULONG unused) {
  (void)unused;
  for (;;) {
    tx_mutex_get(&bus, TX_WAIT_FOREVER);
    board_work_us(2000);
    tx_mutex_put(&bus);
    tx_thread_sleep(3);
  }
}

static void listen(ULONG unused) {
  (void)unused;
  REGISTER(RADIO_TIMER + 8) = 25000 * 7; /* RELOAD: 7 ms */
  REGISTER(RADIO_TIMER + 4) = 25000 * 7;
  REGISTER(RADIO_TIMER) = 9; /* enable, with interrupt */
  for (;;) {
    tx_semaphore_get(&received, TX_WAIT_FOREVER);
    board_work_us(50);
  }
}

static void create(TX_THREAD* thread, char* name, void (*entry)(ULONG), unsigned priority) {
  tx_thread_create(thread, name, entry, 0, stacks[priority], sizeof stacks[0], priority + 1,
                   priority + 1, TX_NO_TIME_SLICE, TX_AUTO_START);
}

void tx_application_define(void* first_unused) {
  (void)first_unused;
  const barefxt_config config = {
      .memory = rings, .bytes = sizeof rings, .cpus = 1, .categories = ~0u, .target = "threadx"};
  if (barefxt_start(&config) != BAREFXT_OK) board_end();
  tx_thread_stack_error_notify(stack_error);
  tx_mutex_create(&bus, "bus", TX_NO_INHERIT);
  tx_semaphore_create(&received, "received", 0);
  create(&radio, "radio", listen, 0);
  create(&sensor, "sensor", sense, 1);
  create(&worker, "worker", work, 2);
  create(&logger, "logger", log_all, 3);
}

int main(void) {
  board_start();
  tx_kernel_enter();
  return 0;
}
