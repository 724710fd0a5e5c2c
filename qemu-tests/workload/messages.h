// Messages between threads, shown as flows: begun in the sender's duration "send", through
// "forward" to "receive".
#pragma once

#include <stdint.h>

#include "kernel/queue.h"

namespace kernel::workload {

struct Message {
  uint64_t flow;  // unique in a run
  uint32_t bytes;
  int32_t reading;
  uint32_t from;  // koid of the sender
  bool urgent;
};

#if defined(KERNEL_SMALL)
using MessageQueue = Queue<Message, 4>;
#else
using MessageQueue = Queue<Message, 8>;
#endif

struct Queues {
  MessageQueue samples;    // sensors to sensor/filter
  MessageQueue positions;  // sensor/gps to sensor/log, within a process
  MessageQueue uplink;     // sensor/filter to network/tx, across processes
  MessageQueue packets;    // network/rx to network/stack
  MessageQueue blocks;     // network/stack and workers to storage/writer
};
extern Queues queues;

void send(MessageQueue& to, uint32_t bytes, int32_t reading, bool urgent);

// False: nothing will come any more.
bool receive(MessageQueue& from);
bool forward(MessageQueue& from, MessageQueue& to);

}  // namespace kernel::workload
