/* Prints how many instructions and bytes each operation of a tracer takes: a process is stepped
 * through. With the number of an operation and a count, only does it that often. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tracer.h"

#define ROUNDS 64

static void nothing(void) { __asm__ volatile(""); }

/* Between two signals, which the parent sees. */
static __attribute__((noinline)) void show_rounds(void (*run)(void)) {
  raise(SIGUSR1);
  for (unsigned round = 0; round < ROUNDS; ++round) run();
  raise(SIGUSR1);
}

static void be_stepped_through(int bytes_to) {
  if (!tracer_start()) _exit(1);
  ptrace(PTRACE_TRACEME, 0, 0, 0);
  show_rounds(nothing);
  for (const struct operation* each = tracer_operations; each->name != 0; ++each) {
    each->run(); /* what only the first call does: symbols, pages */
    const uint32_t before = tracer_bytes();
    show_rounds(each->run);
    const uint32_t bytes = tracer_bytes() - before;
    if (write(bytes_to, &bytes, sizeof bytes) != sizeof bytes) _exit(1);
  }
  _exit(0);
}

/* Steps until the next signal, and counts. Negative: the child ended. */
static long steps(pid_t child, int request) {
  for (long count = 0;; ++count) {
    int status = 0;
    if (ptrace(request, child, 0, 0) != 0) return -1;
    if (waitpid(child, &status, 0) != child || !WIFSTOPPED(status)) return -1;
    if (WSTOPSIG(status) == SIGUSR1) return count;
  }
}

static void fill(unsigned which, unsigned count) {
  if (!tracer_start()) exit(1);
  for (unsigned i = 0; i < count; ++i) tracer_operations[which].run();
}

int main(int arguments, char** argument) {
  if (arguments == 3) {
    fill((unsigned)atoi(argument[1]), (unsigned)atoi(argument[2]));
    return 0;
  }
  double instructions[8];
  int bytes_from[2];
  if (pipe(bytes_from) != 0) return 1;
  const pid_t child = fork();
  if (child == 0) be_stepped_through(bytes_from[1]);
  int status = 0;
  if (waitpid(child, &status, 0) != child || !WIFSTOPPED(status)) return 1;
  const long loop = steps(child, PTRACE_SINGLESTEP);
  for (const struct operation* each = tracer_operations; each->name != 0; ++each) {
    if (steps(child, PTRACE_CONT) < 0) return 1;
    const long counted = steps(child, PTRACE_SINGLESTEP);
    if (counted < loop) return 1;
    instructions[each - tracer_operations] = (double)(counted - loop) / ROUNDS;
  }
  if (ptrace(PTRACE_CONT, child, 0, 0) != 0 || waitpid(child, &status, 0) != child || status != 0)
    return 1;
  for (const struct operation* each = tracer_operations; each->name != 0; ++each) {
    uint32_t bytes;
    if (read(bytes_from[0], &bytes, sizeof bytes) != sizeof bytes) return 1;
    printf("%s|%.2f|%.2f\n", each->name, instructions[each - tracer_operations],
           (double)bytes / ROUNDS);
  }
  puts("end");
  return 0;
}
