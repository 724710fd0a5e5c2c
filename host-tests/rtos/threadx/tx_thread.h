/* The kernel's own: which thread runs on each core, and which it chose. */
#ifndef TX_THREAD_H
#define TX_THREAD_H

#include "tx_api.h"

#ifndef TX_THREAD_STATE_CHANGE
#define TX_THREAD_STATE_CHANGE(a, b)
#endif

#ifdef TX_THREAD_SMP_MAX_CORES
extern TX_THREAD* _tx_thread_current_ptr[TX_THREAD_SMP_MAX_CORES];
extern TX_THREAD* _tx_thread_execute_ptr[TX_THREAD_SMP_MAX_CORES];
#ifndef TX_THREAD_SMP_SOURCE_CODE
#define _tx_thread_current_ptr _tx_thread_smp_current_thread_get()
#endif
#else
extern TX_THREAD* _tx_thread_current_ptr;
extern TX_THREAD* _tx_thread_execute_ptr;
#endif

#endif
