/* Shared by the stand-in's files. */
#ifndef LK_H
#define LK_H

#include <kernel/timer.h>

#include "stand_in.h"

/* Whom the next reschedule runs, and what happens while a thread waits. */
void stand_in_set_next(stand_in_thread* to, void (*meanwhile)(void));
/* No thread waits for an object, since none is held. */
extern bool stand_in_is_free;
void stand_in_fire(timer_callback callback, void* argument);

#endif
