#ifndef NUTTX_SCHED_H
#define NUTTX_SCHED_H

#include <nuttx/config.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum tstate_e {
  TSTATE_TASK_INVALID = 0,
  TSTATE_TASK_PENDING,
  TSTATE_TASK_READYTORUN,
#ifdef CONFIG_SMP
  TSTATE_TASK_ASSIGNED,
#endif
  TSTATE_TASK_RUNNING,
  TSTATE_TASK_INACTIVE,
  TSTATE_WAIT_SEM,
  TSTATE_WAIT_SIG,
  TSTATE_WAIT_EVENT,
  TSTATE_WAIT_MQNOTEMPTY,
  TSTATE_WAIT_MQNOTFULL,
  TSTATE_TASK_STOPPED,
} tstate_t;
#define FIRST_BLOCKED_STATE TSTATE_TASK_INACTIVE

struct tcb_s {
  int pid;
  uint8_t sched_priority;
  uint8_t init_priority;
  tstate_t task_state;
  void* waitobj;
  int16_t errcode;
  void* stack_base_ptr;
  size_t adj_stack_size;
  char name[CONFIG_TASK_NAME_SIZE + 1];
  bool stand_in_is_used;
};

bool nxsched_add_readytorun(struct tcb_s* tcb);
struct tcb_s* nxsched_self(void);

#endif
