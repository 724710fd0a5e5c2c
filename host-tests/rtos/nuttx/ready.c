/* The kernel's own function, which calls from other files are led away from. */
#include <nuttx/sched.h>

bool nxsched_add_readytorun(struct tcb_s* tcb) {
  tcb->task_state = TSTATE_TASK_READYTORUN;
  return true;
}
