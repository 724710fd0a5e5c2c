#include "rule_trace.h"

#include <gtest/gtest.h>

#include "archive/memory_archive.h"
#include "print/printing.h"

namespace barefxt::test::checking {
namespace {

host::ArchiveThread by_koid(uint64_t koid) { return {0, koid >= kFirstThread ? 1u : 0u, koid}; }

fxt::EventType event_type(Rec::Kind kind) {
  switch (kind) {
    case Rec::kBegin:
      return fxt::EventType::kDurationBegin;
    case Rec::kEnd:
      return fxt::EventType::kDurationEnd;
    case Rec::kComplete:
    case Rec::kLoss:
      return fxt::EventType::kDurationComplete;
    case Rec::kFlowBegin:
      return fxt::EventType::kFlowBegin;
    case Rec::kFlowEnd:
      return fxt::EventType::kFlowEnd;
    case Rec::kHold:
      return fxt::EventType::kAsyncBegin;
    case Rec::kRelease:
      return fxt::EventType::kAsyncEnd;
    case Rec::kCounter:
    case Rec::kStack:
    case Rec::kStackUsed:
      return fxt::EventType::kCounter;
    default:
      return fxt::EventType::kInstant;
  }
}

const char* argument_of(Rec::Kind kind) {
  return kind == Rec::kStack ? "left" : kind == Rec::kStackUsed ? "used" : "value";
}

void write(host::ArchiveWriter& writer, const Rec& one) {
  if (one.kind == Rec::kSwitch) {
    (void)writer.context_switch({one.time, static_cast<uint16_t>(one.cpu),
                                 fxt::ThreadState::kBlocked, one.thread, one.other},
                                {});
    return;
  }
  if (one.kind == Rec::kWakeup) {
    (void)writer.thread_wakeup({one.time, static_cast<uint16_t>(one.cpu), one.thread}, {});
    return;
  }
  host::ArchiveEvent event;
  event.type = event_type(one.kind);
  event.timestamp = one.time;
  event.thread = by_koid(one.thread);
  event.category = text("c");
  const std::string name = "n" + std::to_string(one.number);
  event.name = text(name);
  const host::ArchiveArgument value =
      host::ArchiveArgument::int64(text(argument_of(one.kind)), one.value);
  std::span<const host::ArchiveArgument> arguments;
  switch (one.kind) {
    case Rec::kComplete:
      event.timestamp = one.other;
      event.trailing_word = one.time;
      break;
    case Rec::kLoss:
      event.timestamp = one.other;
      event.trailing_word = one.time;
      event.thread = {0, 0, kFirstCpu + one.cpu};
      event.category = text("barefxt");
      event.name = text("drop_stats");
      break;
    case Rec::kFlowBegin:
    case Rec::kFlowEnd:
      event.trailing_word = one.other;
      break;
    case Rec::kHold:
    case Rec::kRelease:
      event.category = text("lock");
      event.name = text("hold");
      event.trailing_word = kFirstLock + one.number;
      break;
    case Rec::kCounter:
      arguments = {&value, 1};
      break;
    case Rec::kStack:
    case Rec::kStackUsed:
      event.category = text("stack");
      event.name = text("stack");
      event.trailing_word = one.other;
      arguments = {&value, 1};
      break;
    default:
      break;
  }
  (void)writer.event(event, arguments);
}

}  // namespace

std::string thread_name(uint64_t koid) {
  if (koid >= kFirstCpu) return "cpu-" + std::to_string(koid - kFirstCpu);
  if (koid >= kFirstThread) return "t" + std::to_string(koid - kFirstThread);
  return "idle/" + std::to_string(koid - kIdleThread);
}

std::string RuleTrace::archive() const {
  MemoryArchive writer(1'000'000'000);
  for (uint64_t i = 0; i < kThreads; ++i)
    name_thread(writer, kFirstThread + i, 1, thread_name(kFirstThread + i));
  for (uint64_t i = 0; i < kCpus; ++i) {
    name_thread(writer, kFirstCpu + i, 0, thread_name(kFirstCpu + i));
    name_thread(writer, kIdleThread + i, 0, thread_name(kIdleThread + i));
  }
  for (uint64_t i = 0; i < kLocks; ++i) {
    const std::string name = "l" + std::to_string(i);
    (void)writer.kernel_object(kFirstLock + i, static_cast<fxt::KernelObjectType>(5), text(name),
                               {});
  }
  for (const Rec& one : records_) write(writer, one);
  return writer.text();
}

host::Checked checked(const RuleTrace& trace, const std::vector<host::TraceRule>& rules,
                      const host::CheckOptions& options) {
  const std::string archive = trace.archive();
  host::Source source = host::Source::of(as_bytes(archive), "in memory");
  auto result = host::check(source, host::Form{}, rules, "rules", options);
  EXPECT_TRUE(result.ok());
  // Nothing refers to the trace any more.
  return std::move(result.value());
}

std::vector<host::TraceRule> rules_of(const std::string& text) {
  auto rules = host::parse_rules(text, "rules");
  EXPECT_TRUE(rules.ok()) << (rules.ok() ? "" : rules.error().text());
  return rules.ok() ? std::move(rules.value()) : std::vector<host::TraceRule>();
}

host::RuleVerdict verdict_on(const RuleTrace& trace, const std::string& rule) {
  const auto rules = rules_of(rule);
  host::RuleVerdict verdict = checked(trace, rules).verdicts.at(0);
  verdict.rule = nullptr;
  return verdict;
}

}  // namespace barefxt::test::checking
