/* CMSIS-View's Event Recorder. It has one kind of record, with two numbers. */
#include "EventRecorder.h"
#include "tracer.h"

static volatile uint32_t number;

static void context_switch(void) { EventRecord2(0x0101, 2, 3); }
static void interrupt(void) {
  EventRecord2(0x0102, 17, 0);
  EventRecord2(0x0103, 17, 0);
}
static void mark(void) { EventRecord2(0x0104, 0, 0); }
static void mark_with_number(void) { EventRecord2(0x0105, number, 0); }

const struct operation tracer_operations[] = {{"context switch", context_switch},
                                              {"interrupt, entry and exit", interrupt},
                                              {"mark", mark},
                                              {"mark with a number", mark_with_number},
                                              {0, 0}};

uint32_t EventRecorderTimerSetup(void) { return 1; }
uint32_t EventRecorderTimerGetFreq(void) { return COMPARISON_HERTZ; }
uint32_t EventRecorderTimerGetCount(void) { return ~COMPARISON_TIMER; }

int tracer_start(void) { return EventRecorderInitialize(EventRecordAll, 1) != 0; }

/* A debugger finds its status by this; these are the first members. */
extern const struct {
  uint8_t protocol, reserved;
  uint16_t version;
  uint32_t records;
  const void* buffer;
  const void* filter;
  const volatile struct {
    uint8_t state, context;
    uint16_t crc;
    uint32_t index, written;
  }* status;
} EventRecorderInfo;
uint32_t tracer_bytes(void) { return EventRecorderInfo.status->written * 16; }
