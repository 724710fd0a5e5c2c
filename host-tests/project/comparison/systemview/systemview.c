/* SEGGER SystemView over RTT. Its buffer has room for all, so that nothing is skipped. */
#include "SEGGER_RTT.h"
#include "SEGGER_SYSVIEW.h"
#include "tracer.h"

static volatile uint32_t number;

static void context_switch(void) { SEGGER_SYSVIEW_OnTaskStartExec(0x20000010); }
static void interrupt(void) {
  SEGGER_SYSVIEW_RecordEnterISR();
  SEGGER_SYSVIEW_RecordExitISR();
}
static void mark(void) { SEGGER_SYSVIEW_RecordVoid(40); }
static void mark_with_number(void) { SEGGER_SYSVIEW_RecordU32(41, number); }

const struct operation tracer_operations[] = {{"context switch", context_switch},
                                              {"interrupt, entry and exit", interrupt},
                                              {"mark", mark},
                                              {"mark with a number", mark_with_number},
                                              {0, 0}};

int tracer_start(void) {
  SEGGER_SYSVIEW_Init(COMPARISON_HERTZ, COMPARISON_HERTZ, 0, 0);
  SEGGER_SYSVIEW_Start();
  return 1;
}

uint32_t tracer_bytes(void) { return _SEGGER_RTT.aUp[SEGGER_SYSVIEW_GetChannelID()].WrOff; }
