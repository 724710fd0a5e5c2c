/* Its own choices, but for the room and the clock, which tracer.h names. */
#ifndef EVENT_RECORDER_CONF_H
#define EVENT_RECORDER_CONF_H
#define EVENT_RECORD_COUNT 1024U
#define EVENT_TIMESTAMP_SOURCE 3 /* the user's */
#define EVENT_TIMESTAMP_FREQ 25000000U
#endif
