/* The koids of the demo's three processes. */
#ifndef WORKLOAD_PROCESSES_H
#define WORKLOAD_PROCESSES_H

enum { PROCESS_SENSOR = 1, PROCESS_NETWORK = 2, PROCESS_STORAGE = 3 };

#endif
