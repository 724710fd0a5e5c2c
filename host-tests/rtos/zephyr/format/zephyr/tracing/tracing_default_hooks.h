/* A stand-in for the kernel's. */
#ifndef TRACING_DEFAULT_HOOKS_H
#define TRACING_DEFAULT_HOOKS_H

void sys_trace_isr_enter(void);
void sys_trace_isr_exit(void);
void sys_trace_idle(void);

#endif
