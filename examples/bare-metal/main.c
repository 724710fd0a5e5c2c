/* A control loop without a kernel, traced: an interrupt samples a sensor every millisecond, and the
 * loop filters the samples every five. The board is Arm's MPS2 with image AN385 (Cortex-M3), as
 * QEMU has it.
 */
#include <barefxt/barefxt.h>
#include <barefxt_cmsdk.h>

BAREFXT_CATEGORY(control, 0);

#define TIMER ((volatile uint32_t*)0x40000000)   /* 25 MHz, counts down: the trace's clock */
#define SYSTICK ((volatile uint32_t*)0xe000e010) /* CTRL, LOAD, VAL */
enum { ROUNDS = 40, SAMPLES_A_ROUND = 5 };

static uint64_t rings[4096]; /* 32 KiB */
static barefxt_thread idle;
static barefxt_thread loop;
static volatile uint32_t samples; /* only the interrupt writes it */
static volatile uint32_t taken;   /* only the loop writes it */

static void sys_tick(void) {
  barefxt_clock_tick();
  BAREFXT_IRQ_ENTER("SysTick");
  ++samples;
  BAREFXT_COUNTER(control, "samples", 0, BAREFXT_ARG_U32("waiting", samples - taken));
  BAREFXT_IRQ_EXIT("SysTick");
}

/* Waits for enough samples. The trace shows that as a switch to idle and back. On a chip the loop
 * has a wfi; QEMU's SysTick loses ticks while the CPU sleeps and instructions make the time.
 */
static void wait_for_samples(void) {
  barefxt_context_switch(&loop, BAREFXT_STATE_BLOCKED, &idle);
  while (samples - taken < SAMPLES_A_ROUND) {
  }
  barefxt_thread_wakeup(&loop);
  barefxt_context_switch(&idle, BAREFXT_STATE_RUNNABLE, &loop);
}

static void filter(uint32_t round) {
  BAREFXT_DURATION_SCOPE(control, "filter", BAREFXT_ARG_U32("round", round));
  for (volatile uint32_t work = 0; work < WORK; ++work) {
  }
}

static void run(void) {
  for (uint32_t round = 0; round < ROUNDS; ++round) {
    wait_for_samples();
    taken += SAMPLES_A_ROUND;
    BAREFXT_JOB_NAMED("control", BAREFXT_MS(5), BAREFXT_MS(2));
    filter(round);
  }
}

static void start_board(void) {
  TIMER[2] = 0xffffffff; /* RELOAD */
  TIMER[1] = 0xffffffff; /* VALUE */
  TIMER[0] = 1;          /* CTRL: enable */
  SYSTICK[1] = 25000 - 1;
  SYSTICK[2] = 0;
  SYSTICK[0] = 7; /* by the CPU's clock, with its interrupt */
}

/* Ends QEMU, by semihosting. */
static void end(uint32_t status) {
  uint32_t exit_block[2] = {0x20026, status};       /* ADP_Stopped_ApplicationExit */
  register uint32_t operation __asm__("r0") = 0x20; /* SYS_EXIT_EXTENDED */
  register uint32_t* argument __asm__("r1") = exit_block;
  __asm__ volatile("bkpt 0xab" : : "r"(operation), "r"(argument) : "memory");
  for (;;) {
  }
}

static void fault(void) { end(2); }

static void start(void) {
  start_board();
  barefxt_process_register(1, "firmware");
  barefxt_thread_register(&idle, 0, 2, "idle/0", 0);
  barefxt_thread_register(&loop, 1, 3, "loop", 1);
  static const barefxt_config config = {.memory = rings,
                                        .bytes = sizeof rings,
                                        .cpus = 1,
                                        .categories = ~0u,
                                        .target = "bare-metal example"};
  if (barefxt_start(&config) != BAREFXT_OK) end(1);
  run();
  barefxt_stop();
  barefxt_cmsdk uart = {(volatile uint32_t*)0x40004000, 0, 0};
  barefxt_cmsdk_enable(&uart, 16);
  const barefxt_writer writer = {barefxt_cmsdk_write, &uart};
  end(barefxt_dump(&writer, BAREFXT_DUMP_BINARY) == BAREFXT_OK ? 0 : 1);
}

extern uint32_t stack_end;
extern const void* const vectors[16];
__attribute__((section(".vectors")))
const void* const vectors[16] = {&stack_end, start, fault, fault, fault, fault, fault, 0,
                                 0,          0,     0,     fault, fault, 0,     fault, sys_tick};
