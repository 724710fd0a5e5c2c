// Messages between threads.
//
// A flow event and its hash are made with interrupts off: both belong to the same CPU.
#include "workload/messages.h"

#include "kernel/categories.h"
#include "kernel/tally.h"

namespace kernel::workload {

Queues queues;

namespace {

using tally::MessageHash;
using tally::MessagePhase;

uint32_t flows = 0;

void trace_begin(const Message& message) {
  const CriticalSection section;
  const uint32_t cpu = scheduler::this_cpu().number;
  const MessageHash hash(cpu, MessagePhase::kBegin, message.flow);
  hash.add(cpu);
  hash.add(message.bytes);
  hash.add(static_cast<uint64_t>(int64_t{message.reading}));
  hash.add(message.from);
  hash.add(message.urgent ? 1 : 0);
  BAREFXT_FLOW_BEGIN(
      message, "message", message.flow, BAREFXT_ARG_U32("cpu", cpu),
      BAREFXT_ARG_U32("bytes", message.bytes), BAREFXT_ARG_I32("reading", message.reading),
      BAREFXT_ARG_KOID("from", message.from), BAREFXT_ARG_BOOL("urgent", message.urgent));
}

void trace_step(const Message& message) {
  const CriticalSection section;
  const uint32_t cpu = scheduler::this_cpu().number;
  const MessageHash hash(cpu, MessagePhase::kStep, message.flow);
  hash.add(cpu);
  hash.add(message.bytes);
  BAREFXT_FLOW_STEP(message, "message", message.flow, BAREFXT_ARG_U32("cpu", cpu),
                    BAREFXT_ARG_U32("bytes", message.bytes));
}

void trace_end(const Message& message) {
  const CriticalSection section;
  const uint32_t cpu = scheduler::this_cpu().number;
  const MessageHash hash(cpu, MessagePhase::kEnd, message.flow);
  hash.add(cpu);
  hash.add(static_cast<uint64_t>(int64_t{message.reading}));
  BAREFXT_FLOW_END(message, "message", message.flow, BAREFXT_ARG_U32("cpu", cpu),
                   BAREFXT_ARG_I32("reading", message.reading));
}

}  // namespace

KERNEL_COUNTED void send(MessageQueue& to, uint32_t bytes, int32_t reading, bool urgent) {
  tally::call(tally::Counted::kSend);
  const Message message = {__atomic_add_fetch(&flows, 1, __ATOMIC_RELAXED), bytes, reading,
                           scheduler::current()->koid, urgent};
  tally::probe(TALLY_DURATION_BEGIN);
  BAREFXT_DURATION_BEGIN(message, "send");
  trace_begin(message);
  to.send(message);
  tally::probe(TALLY_DURATION_END);
  BAREFXT_DURATION_END(message, "send");
}

KERNEL_COUNTED bool receive(MessageQueue& from) {
  tally::call(tally::Counted::kReceive);
  Message message;
  if (!from.receive(message)) return false;
  tally::probe(TALLY_DURATION_BEGIN);
  BAREFXT_DURATION_BEGIN(message, "receive");
  trace_end(message);
  tally::probe(TALLY_DURATION_END);
  BAREFXT_DURATION_END(message, "receive");
  return true;
}

bool forward(MessageQueue& from, MessageQueue& to) {
  Message message;
  if (!from.receive(message)) return false;
  tally::probe(TALLY_DURATION_BEGIN);
  BAREFXT_DURATION_BEGIN(message, "forward");
  trace_step(message);
  to.send(message);
  tally::probe(TALLY_DURATION_END);
  BAREFXT_DURATION_END(message, "forward");
  return true;
}

}  // namespace kernel::workload
