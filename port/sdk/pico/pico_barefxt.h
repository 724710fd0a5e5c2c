/* barefxt on the Pico SDK: what the chip needs ahead of a start, and the way out by a UART.
 *
 *     static const barefxt_config config = {.memory = rings, .bytes = sizeof rings, ...};
 *     pico_barefxt_start(&config);
 *     ...
 *     barefxt_stop();
 *     pico_barefxt_dump(uart_default, NULL);
 */
#ifndef PICO_BAREFXT_H
#define PICO_BAREFXT_H

#include <hardware/uart.h>

#include <barefxt/barefxt.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Lets this core record beside the other. Core 1 calls it first, before anything records there;
 * pico_barefxt_start does it for the core that calls it.
 *
 * @context thread
 */
void pico_barefxt_prepare_core(void);

/* As barefxt_start, which it calls. On RP2040 it claims spinlock 31 for good, if two cores record.
 * Once in 20 minutes an alarm of the default pool reads the counter, which wraps in 71.
 *
 * @error those of barefxt_start
 * @context thread
 */
barefxt_error pico_barefxt_start(const barefxt_config* config);

/* Dumps the trace in binary form. stdio may use the same UART before and behind it. Waits until
 * the last byte has left.
 *
 * @param uart Set up, for instance by stdio_init_all().
 * @param unsent Gets the number of bytes that the UART did not take; may be null.
 * @error those of barefxt_dump
 * @context thread
 */
barefxt_error pico_barefxt_dump(uart_inst_t* uart, uint64_t* unsent);

#ifdef __cplusplus
}
#endif

#endif
