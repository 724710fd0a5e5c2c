#ifndef NUTTX_NOTE_NOTE_DRIVER_H
#define NUTTX_NOTE_NOTE_DRIVER_H

#include <nuttx/sched.h>

struct note_driver_s;
struct note_driver_ops_s {
  void (*add)(struct note_driver_s* driver, const void* note, size_t bytes);
  void (*start)(struct note_driver_s* driver, struct tcb_s* tcb);
  void (*stop)(struct note_driver_s* driver, struct tcb_s* tcb);
  void (*suspend)(struct note_driver_s* driver, struct tcb_s* tcb);
  void (*resume)(struct note_driver_s* driver, struct tcb_s* tcb);
  void (*irqhandler)(struct note_driver_s* driver, int irq, void* handler, bool enter);
  void (*wdog)(struct note_driver_s* driver, uint8_t event, void* handler, const void* argument);
  void (*heap)(struct note_driver_s* driver, uint8_t event, void* heap, void* block, size_t bytes,
               size_t used);
};
struct note_driver_s {
  const struct note_driver_ops_s* ops;
};
int note_driver_register(struct note_driver_s* driver);

#endif
