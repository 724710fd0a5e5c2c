/* The causes of ../injected.h under ThreadX, on the board of examples/freertos. */
#include "injected.h"

#include "board.h"
#include "low_level.h"
#include "tx_api.h"
#include "tx_thread.h"

static uint64_t rings[131072]; /* 1 MiB */
static uint64_t stacks[INJECTED_THREADS][256];
static TX_THREAD threads[INJECTED_THREADS];
static TX_SEMAPHORE semaphores[INJECTED_SEMAPHORES];
static TX_MUTEX locks[INJECTED_LOCKS];
static void (*entries[INJECTED_THREADS])(unsigned);
static UINT threshold;
static UINT posture;

void board_fault(void) { board_end(); }

static void kernel_finish(void) {
  barefxt_stop();
  barefxt_dump(&(barefxt_writer){board_write, NULL}, BAREFXT_DUMP_BINARY);
  board_end();
}

static void run(ULONG number) { entries[number]((unsigned)number); }
static void kernel_create_thread(unsigned number, const char* name, unsigned level,
                                 void (*entry)(unsigned)) {
  const UINT priority = INJECTED_HIGHEST - level;
  entries[number] = entry;
  tx_thread_create(&threads[number], (char*)(uintptr_t)name, run, number, stacks[number],
                   sizeof stacks[0], priority, priority, 1, TX_AUTO_START);
}

static void kernel_up(unsigned semaphore) { tx_semaphore_put(&semaphores[semaphore]); }
static void kernel_up_in_interrupt(unsigned semaphore) { kernel_up(semaphore); }
static void kernel_down(unsigned semaphore) {
  tx_semaphore_get(&semaphores[semaphore], TX_WAIT_FOREVER);
}
static void kernel_lock(unsigned lock) { tx_mutex_get(&locks[lock], TX_WAIT_FOREVER); }
static void kernel_unlock(unsigned lock) { tx_mutex_put(&locks[lock]); }
static void kernel_sleep_ms(unsigned milliseconds) { tx_thread_sleep(milliseconds); }

static void kernel_forbid_switches(void) {
  tx_thread_preemption_change(tx_thread_identify(), 0, &threshold);
}
static void kernel_allow_switches(void) {
  tx_thread_preemption_change(tx_thread_identify(), threshold, &threshold);
}
/* A call that wakes a thread would let it preempt, masked or not. */
static void kernel_mask(void) {
  kernel_forbid_switches();
  posture = tx_interrupt_control(TX_INT_DISABLE);
}
static void kernel_unmask(void) {
  tx_interrupt_control(posture);
  kernel_allow_switches();
}

/* ---- Interrupts ---- */

void on_tick(void) { injected_in_tick(); }

void device_handler(void) {
  barefxt_interrupt_enter(16 + DEVICE_INTERRUPT, BAREFXT_TEXT("device"));
  injected_in_device();
  barefxt_interrupt_exit(16 + DEVICE_INTERRUPT);
}

/* The tick nests in its interrupt. */
static void kernel_ask_device(void) {
  REGISTER(0xe000e400 + DEVICE_INTERRUPT / 4 * 4) = 0xc0c0c0c0;
  REGISTER(0xe000e200) = 1u << DEVICE_INTERRUPT;
}

void tx_application_define(void* first_unused) {
  (void)first_unused;
  static char* const lock_names[INJECTED_LOCKS] = {"outer", "middle", "inner", "plain"};
  const barefxt_config config = {
      .memory = rings, .bytes = sizeof rings, .cpus = 1, .categories = ~0u, .target = "threadx"};
  if (barefxt_start(&config) != BAREFXT_OK) board_end();
  for (unsigned i = 0; i < INJECTED_SEMAPHORES; ++i)
    tx_semaphore_create(&semaphores[i], i == PLAYED ? "played" : "go", 0);
  for (unsigned i = 0; i < INJECTED_LOCKS; ++i)
    tx_mutex_create(&locks[i], lock_names[i], i == PLAIN ? TX_NO_INHERIT : TX_INHERIT);
  injected_create(25000);
}

int main(void) {
  board_start();
  tx_kernel_enter();
  return 0;
}
