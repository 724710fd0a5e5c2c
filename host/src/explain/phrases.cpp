// Names and numbers, in quotes and with units.
#include "phrases.h"

#include <barefxt/host/fitted_output.h>
#include <barefxt/host/measures.h>
#include <barefxt/host/safe_text.h>

#include "../figures/text_lines.h"

namespace barefxt::host {

std::string Phrases::quoted(const std::string& name) {
  constexpr size_t kMaxColumns = 64;
  return "`" + shortened(TextLines::readable(name), kMaxColumns) + "`";
}

std::string Phrases::thread(uint64_t koid) const {
  const std::string name = explained_.statistics.name_of(koid);
  return name.empty() ? formatted("thread {}", koid) : quoted(name);
}

std::string Phrases::object(const ObjectKey& key) const {
  const std::string known = explained_.statistics.name_of(key);
  if (!known.empty()) return quoted(known);
  return quoted(key.label.name);
}

std::string Phrases::time(uint64_t ticks) const {
  return describe_seconds(explained_.statistics.seconds(static_cast<double>(ticks)));
}

std::string Phrases::at(uint64_t ticks) const {
  return formatted("{:.9f} s", explained_.statistics.seconds(static_cast<double>(ticks)));
}

std::string Phrases::interrupt(const std::string& name) {
  return name.empty() ? "an interrupt without a name" : "interrupt " + quoted(name);
}

std::string Phrases::locks(const std::vector<HeldLock>& locks) const {
  std::string text;
  for (const HeldLock& one : locks) {
    text += text.empty() ? object(one.lock) + " was held by "
                         : ", which waited for " + object(one.lock) + ", held by ";
    text += thread(one.holder);
  }
  return text;
}

std::string Phrases::cause(const Cause& cause) const {
  const std::string on = cause.cpu ? formatted(" on CPU {}", *cause.cpu) : std::string();
  const std::string who = cause.thread ? thread(*cause.thread) : std::string("a thread");
  std::string priorities;
  if (cause.priority && cause.over)
    priorities = formatted(" ({} {} {})", *cause.priority,
                           *cause.priority > *cause.over    ? ">"
                           : *cause.priority == *cause.over ? "="
                                                            : "<",
                           *cause.over);
  std::string text;
  switch (cause.kind) {
    case CauseKind::kRunning:
      text = (cause.thread ? who : "it") + " ran itself" + on;
      break;
    case CauseKind::kHigher:
      text = who + " of higher priority" + priorities + " ran" + on;
      break;
    case CauseKind::kLower:
      text = who + (cause.priority == cause.over ? " of equal priority" : " of lower priority") +
             priorities + " ran" + on;
      if (!explained_.interrupts_recorded) text += ", or an unrecorded interrupt";
      break;
    case CauseKind::kOther:
      text = who + " ran" + on + ", whether of higher priority is not recorded";
      break;
    case CauseKind::kInterrupt:
      text = interrupt(cause.interrupt) + " ran" + on;
      break;
    case CauseKind::kStall:
      text = interrupt(cause.interrupt) + " did not return, and nothing was recorded" + on;
      break;
    case CauseKind::kIdle:
      text = formatted("CPU {} idled", cause.cpu.value_or(0));
      if (!explained_.interrupts_recorded) text += ", or an unrecorded interrupt ran";
      break;
    case CauseKind::kMigration:
      text = formatted("it left CPU {}, which idled, for CPU {}, where {} ran",
                       cause.from_cpu.value_or(0), cause.cpu.value_or(0), who);
      break;
    case CauseKind::kHolder:
      text = "the holder ran" + on;
      break;
    case CauseKind::kHolderBlocked:
      text = cause.is_cycle ? "they wait for each other" : "the holder was blocked itself";
      break;
    case CauseKind::kBlocked:
      text = (cause.thread ? who : "it") + " waited";
      if (cause.object) text += " for " + object(*cause.object);
      if (cause.is_free) text += ", which nobody held";
      break;
    case CauseKind::kUnknown:
      switch (cause.reason) {
        case UnknownReason::kNone:
          return "unknown";
        case UnknownReason::kLost:
          return "unknown: records were lost";
        case UnknownReason::kThread:
          return "unknown: the state of a thread is not recorded";
        case UnknownReason::kCpu:
          return "unknown: the thread of a CPU is not recorded";
        case UnknownReason::kInterrupt:
          return "unknown: an interrupt may have been open";
        case UnknownReason::kPlace:
          return "unknown: the CPU that it waited for is not recorded";
        case UnknownReason::kHolder:
          return "unknown: the holder of a lock is not recorded";
        case UnknownReason::kDeep:
          return "unknown: too many threads wait for each other";
      }
  }
  if (cause.is_inversion) text = "priority inversion: " + text;
  if (!cause.locks.empty()) text += "; " + locks(cause.locks);
  return text;
}

}  // namespace barefxt::host
