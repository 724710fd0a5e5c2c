/* The timer counts down; SystemView wants a counter that counts up. */
#ifndef SEGGER_SYSVIEW_CONF_H
#define SEGGER_SYSVIEW_CONF_H
#define SEGGER_SYSVIEW_GET_TIMESTAMP() (~*(volatile const unsigned*)0x40000004)
#define SEGGER_SYSVIEW_RTT_BUFFER_SIZE 16384
#endif
