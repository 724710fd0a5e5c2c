// A sentence each: what was late, why, and what would help.
#include "phrases.h"

namespace barefxt::host {
namespace {

std::string on_cpu(std::optional<unsigned> cpu) {
  return cpu ? formatted(" on CPU {}", *cpu) : std::string();
}

std::string what(const Phrases& words, const Explanation& one) {
  std::string who = words.thread(one.thread);
  const std::string length = words.time(one.length());
  switch (one.kind) {
    case CaseKind::kLatency:
      return who + " ran " + length + " late" + on_cpu(one.cpu);
    case CaseKind::kReady:
      return who + " was kept off its CPU for " + length;
    case CaseKind::kOff:
      return one.cpu ? who + " ran for " + length + on_cpu(one.cpu)
                     : who + " did not run for " + length;
    case CaseKind::kLockWait:
      return who + " waited " + length + " for " +
             (one.object ? words.object(*one.object) : std::string("a lock"));
    case CaseKind::kDuration:
      return (one.label ? Phrases::quoted(one.label->name) : std::string("it")) + " of " + who +
             " took " + length;
    case CaseKind::kFlow:
      return "flow " + (one.label ? Phrases::quoted(one.label->name) : std::string()) + " to " +
             who + " took " + length;
  }
  return who;
}

// The holder of the lock that the thread needed, and the lock.
std::string holder_of(const Phrases& words, const Cause& cause) {
  const HeldLock& last = cause.locks.back();
  return words.thread(last.holder) + ", which held " + words.object(last.lock) + ",";
}

std::string why(const Phrases& words, const Explanation& one, const Part& part) {
  const Cause& cause = part.cause;
  const bool is_whole = part.ticks == one.length();
  const std::string time = is_whole ? "" : " for " + words.time(part.ticks);
  const std::string who = cause.thread ? words.thread(*cause.thread) : std::string("a thread");
  const std::string kept = cause.locks.empty() ? "" : holder_of(words, cause) + " was kept off: ";
  switch (cause.kind) {
    case CauseKind::kRunning:
      return (cause.thread ? who : "it") + " ran itself" +
             (is_whole ? std::string(" all the time") : time);
    case CauseKind::kHigher:
      if (cause.is_inversion)
        return formatted(
            "of a priority inversion: {} was kept off CPU {} by {}, of a priority in between,{}",
            holder_of(words, cause), cause.cpu.value_or(0), who, time);
      return kept + who + " of higher priority ran" + on_cpu(cause.cpu) + time;
    case CauseKind::kLower:
      if (cause.is_inversion)
        return formatted(
            "of a priority inversion: {} was kept off CPU {} by {}, of its own priority,{}",
            holder_of(words, cause), cause.cpu.value_or(0), who, time);
      return kept + who +
             (cause.priority == cause.over ? " of equal priority" : " of lower priority") +
             " kept" + on_cpu(cause.cpu).substr(3) + time +
             (words.explained().interrupts_recorded ? "" : ", or an unrecorded interrupt did");
    case CauseKind::kOther:
      return kept + who + " ran" + on_cpu(cause.cpu) + time;
    case CauseKind::kInterrupt:
      return kept + Phrases::interrupt(cause.interrupt) + " ran" + on_cpu(cause.cpu) + time +
             (part.times > 1 ? formatted(", in {} stretches", part.times) : std::string());
    case CauseKind::kStall:
      return kept + Phrases::interrupt(cause.interrupt) + " did not return for " +
             words.time(part.ticks);
    case CauseKind::kIdle:
      return formatted("{}CPU {} idled{} though ", kept, cause.cpu.value_or(0), time) +
             (cause.locks.empty() ? "it" : words.thread(cause.locks.back().holder)) + " was ready" +
             (words.explained().interrupts_recorded ? "" : ", or ran an unrecorded interrupt");
    case CauseKind::kMigration:
      return formatted("{}it was moved from CPU {}, which idled, to CPU {}, where {} ran{}", kept,
                       cause.from_cpu.value_or(0), cause.cpu.value_or(0), who, time);
    case CauseKind::kHolder:
      return words.locks(cause.locks) + ", which ran" + time;
    case CauseKind::kHolderBlocked:
      return cause.is_cycle ? "of a deadlock: " + words.locks(cause.locks)
                            : words.locks(cause.locks) + ", which was blocked itself" + time;
    case CauseKind::kBlocked:
      return (cause.thread ? who : "it") + " waited" +
             (cause.object ? " for " + words.object(*cause.object) : "") +
             (cause.is_free ? ", which nobody held," : "") + time;
    case CauseKind::kUnknown:
      break;
  }
  return words.cause(cause) + time;
}

}  // namespace

std::string sentence(const Explained& explained, const Explanation& one) {
  const Phrases words(explained);
  if (one.parts.empty()) return what(words, one);
  const Part& most = one.parts.front();
  if (most.cause.kind == CauseKind::kUnknown) {
    const Cause& cause = most.cause;
    return what(words, one) + "; why is unknown for " + words.time(most.ticks) +
           words.cause(cause).substr(std::string("unknown").size());
  }
  return what(words, one) + " because " + why(words, one, most);
}

std::string remedy(const Explained& explained, const Explanation& one) {
  if (one.parts.empty()) return {};
  const Phrases words(explained);
  const Cause& cause = one.parts.front().cause;
  const std::string who = cause.thread ? words.thread(*cause.thread) : std::string("the thread");
  if (cause.is_inversion)
    return "priority inheritance or a ceiling for " + words.object(cause.locks.back().lock) +
           ", or no lock shared with " + words.thread(cause.locks.back().holder);
  switch (cause.kind) {
    case CauseKind::kRunning:
      return "less work in " + (cause.thread ? who : "it") + ", or a faster path";
    case CauseKind::kHigher:
      return "less work in " + who + ", a lower priority for it, or another CPU";
    case CauseKind::kLower:
      return cause.priority == cause.over
                 ? "a higher priority, or shorter turns of " + who
                 : "a switch as soon as the thread is ready: look for masked interrupts or a "
                   "scheduler lock in " +
                       who;
    case CauseKind::kOther:
      return "switches with priorities in the trace, to see who should have run";
    case CauseKind::kInterrupt:
      return "shorter or fewer runs of the handler of " + Phrases::interrupt(cause.interrupt);
    case CauseKind::kStall:
      return "a bound on what the handler of " + Phrases::interrupt(cause.interrupt) +
             " waits for, or, if no other CPU recorded meanwhile, a host that does not pause";
    case CauseKind::kIdle:
      return formatted("an earlier interrupt to CPU {}", cause.cpu.value_or(0)) +
             ": look for a late or missing one between CPUs, or a slow way out of idle";
    case CauseKind::kMigration:
      return formatted("staying on CPU {}: look at affinity and load balancing",
                       cause.from_cpu.value_or(0));
    case CauseKind::kHolder:
      return "a shorter hold of " + words.object(cause.locks.back().lock) + " in " + who;
    case CauseKind::kHolderBlocked:
      return cause.is_cycle
                 ? "one order in which all threads take these locks"
                 : "no wait of " + who + " while it holds " + words.object(cause.locks.back().lock);
    case CauseKind::kBlocked:
      return cause.is_free ? "a wakeup as soon as it is free"
                           : "an earlier wakeup: the chain has who gave it";
    case CauseKind::kUnknown:
      return cause.reason == UnknownReason::kLost
                 ? "larger rings or fewer records, so that none are lost"
                 : "hooks that record what is open: `barefxt doctor` names those that are missing";
  }
  return {};
}

}  // namespace barefxt::host
