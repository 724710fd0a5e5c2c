#include "event_walk.h"

#include <algorithm>

#include <barefxt/host/print.h>

#include "stats/observer.h"
#include "stats/survey.h"

namespace barefxt::report {
namespace {

// As statistics understand it: a koid argument, or else the event's own thread.
uint64_t woken_thread(const host::Event& event) {
  for (const host::Argument& argument : event.arguments) {
    if (argument.type == fxt::ArgumentType::kKoid && argument.name.bytes != "waker")
      return argument.bits;
  }
  return event.thread.thread;
}

bool is_duration(const host::Event& event) {
  using fxt::EventType;
  return event.type == EventType::kDurationBegin || event.type == EventType::kDurationEnd ||
         event.type == EventType::kDurationComplete;
}

std::string state_name(unsigned state) {
  const std::string_view name = host::thread_state_name(state);
  return name.empty() ? std::to_string(state) : std::string(name);
}

}  // namespace

void EventWalk::put(const Item& item) {
  if (item.lane == Lanes::kNone || !counts(item.end)) return;
  put_(item);
}

void EventWalk::place(ItemKind kind, uint32_t lane, uint64_t time, uint64_t offset, uint32_t label,
                      const Texts::Details& details) {
  put({.begin = time,
       .end = time,
       .offset = offset,
       .lane = lane,
       .label = label,
       .shape = details.shape,
       .text = details.text,
       .kind = kind});
}

void EventWalk::remember(uint64_t offset, const Texts::Details& details) {
  if (details.shape != 0) details_.push_back({offset, details});
}

Texts::Details EventWalk::details_at(uint64_t offset) const {
  const auto found =
      std::lower_bound(details_.begin(), details_.end(), offset,
                       [](const DetailsAt& at, uint64_t wanted) { return at.offset < wanted; });
  return found != details_.end() && found->offset == offset ? found->details : Texts::Details{};
}

void EventWalk::see(const host::Record& record, const host::ProviderState& provider) {
  const auto stamp = host::timestamp_of(record);
  if (!stamp) return;
  const uint64_t time = host::time_in_unit(*stamp, provider, to_nanoseconds_);
  const uint64_t offset = record.offset;
  const bool is_chosen = filter_.keeps_at_any_time(record);
  if (const auto* seen = std::get_if<host::Event>(&record.content)) {
    // It sees all events: one that is chosen may free a block of another.
    const auto live = heaps_.after(*seen, reinterpret_cast<uintptr_t>(&provider));
    if (live && is_chosen) counter(*live, offset, time);
    // The fold chooses durations: the end of one may lack its name.
    if (is_chosen || is_duration(*seen)) event(*seen, offset, provider);
  } else if (const auto* change = std::get_if<host::LegacyContextSwitch>(&record.content)) {
    if (!counts(time)) return;
    remember(offset, texts_.both(texts_.one("left", "state", state_name(change->outgoing_state)),
                                 texts_.one("priorities", "of both",
                                            host::formatted("{} to {}", change->outgoing_priority,
                                                            change->incoming_priority))));
  } else if (const auto* today = std::get_if<host::ContextSwitch>(&record.content)) {
    if (!counts(time)) return;
    remember(offset, texts_.both(texts_.one("left", "state", state_name(today->outgoing_state)),
                                 texts_.arguments(today->arguments)));
  } else if (!is_chosen) {
    return;
  } else if (const auto* wakeup = std::get_if<host::ThreadWakeup>(&record.content)) {
    if (!counts(time)) return;
    place(ItemKind::kWakeup, lanes_.of_thread(wakeup->thread), time, offset,
          texts_.label("", "wakeup"),
          texts_.both(texts_.one("cpu", "uint32", std::to_string(wakeup->cpu)),
                      texts_.arguments(wakeup->arguments)));
  } else if (const auto* log = std::get_if<host::Log>(&record.content)) {
    if (!counts(time)) return;
    place(ItemKind::kLog, lanes_.of_thread(log->thread.thread), time, offset,
          texts_.label("", "log"), texts_.one("message", "string", log->message));
  } else if (const auto* blob = std::get_if<host::LargeBlob>(&record.content)) {
    if (!counts(time)) return;
    place(ItemKind::kInstant, lanes_.of_thread(blob->thread.thread), time, offset,
          texts_.label(blob->category.bytes, blob->name.bytes),
          texts_.both(texts_.arguments(blob->arguments),
                      texts_.one("payload", "bytes", std::to_string(blob->payload.size()))));
  } else if (const auto* trace = std::get_if<host::ProfilerBacktrace>(&record.content)) {
    if (!counts(time)) return;
    place(ItemKind::kInstant, lanes_.of_thread(trace->thread.thread), time, offset,
          texts_.label("profiler", "backtrace"),
          texts_.one("frames", "count", std::to_string(trace->frames.size())));
  }
}

void EventWalk::event(const host::Event& event, uint64_t offset,
                      const host::ProviderState& provider) {
  using fxt::EventType;
  const uint64_t time = host::time_in_unit(event.timestamp, provider, to_nanoseconds_);
  switch (event.type) {
    case EventType::kDurationBegin:
    case EventType::kDurationEnd:
    case EventType::kDurationComplete:
      // One that began earlier may end within.
      if (time <= drawing_.statistics.last) remember(offset, texts_.arguments(event.arguments));
      return;
    case EventType::kCounter:
      return counter(event, offset, time);
    case EventType::kFlowBegin:
    case EventType::kFlowStep:
    case EventType::kFlowEnd:
      return flow(event, offset, time, provider);
    case EventType::kAsyncBegin:
    case EventType::kAsyncInstant:
    case EventType::kAsyncEnd:
      return span(event, offset, time, provider);
    case EventType::kInstant:
      break;
  }
  if (!counts(time)) return;
  const bool wakes = event.type == EventType::kInstant && event.name.bytes == "thread_wakeup";
  place(wakes ? ItemKind::kWakeup : ItemKind::kInstant,
        lanes_.of_thread(wakes ? woken_thread(event) : event.thread.thread), time, offset,
        texts_.label(event.category.bytes, event.name.bytes), texts_.arguments(event.arguments));
}

void EventWalk::counter(const host::Event& event, uint64_t offset, uint64_t time) {
  if (!counts(time)) return;
  const uint32_t label = texts_.label(event.category.bytes, event.name.bytes);
  const Texts::Details all = texts_.arguments(event.arguments);
  size_t number = 0;
  size_t begin = all.text;
  for (const host::Argument& argument : event.arguments) {
    const bool last = ++number == event.arguments.size();
    const size_t end =
        drawing_.texts.find(last ? Drawing::kEndOfText : Drawing::kBetweenParts, begin);
    if (argument.is_numeric()) {
      const std::string value = drawing_.texts.substr(begin, end - begin);
      place(ItemKind::kCounter,
            lanes_.of_counter(label, event.trailing, texts_.label("argument", argument.name.bytes)),
            time, offset, label,
            texts_.one(argument.name.bytes, host::argument_type_name(argument.type), value));
    }
    begin = end + 1;
  }
}

void EventWalk::flow(const host::Event& event, uint64_t offset, uint64_t time,
                     const host::ProviderState& provider) {
  const FlowKey key{&provider, event.trailing};
  const bool begins = event.type == fxt::EventType::kFlowBegin;
  const uint32_t lane = lanes_.of_thread(event.thread.thread);
  const uint32_t label = texts_.label(event.category.bytes, event.name.bytes);
  if (counts(time)) {
    place(ItemKind::kFlow, lane, time, offset, label,
          texts_.both(texts_.one(host::event_name(event.type), "flow", std::to_string(key.id)),
                      texts_.arguments(event.arguments)));
  }
  const auto before = flows_.find(key);
  if (!begins && before != flows_.end() && before->second.time <= time &&
      before->second.lane != Lanes::kNone) {
    put({.begin = before->second.time,
         .end = time,
         .offset = offset,
         .lane = lane == Lanes::kNone ? lane : before->second.lane,
         .other = lane,
         .label = before->second.label,
         .kind = ItemKind::kArrow});
  }
  if (event.type == fxt::EventType::kFlowEnd) {
    if (before != flows_.end()) flows_.erase(before);
  } else if (begins || before != flows_.end()) {
    if (begins && before == flows_.end() && flows_.size() >= kMaxOpen) flows_.erase(flows_.begin());
    flows_[key] = {time, lane, begins ? label : before->second.label};
  }
}

void EventWalk::span(const host::Event& event, uint64_t offset, uint64_t time,
                     const host::ProviderState& provider) {
  const uint32_t label = texts_.label(event.category.bytes, event.name.bytes);
  const uint32_t lane = lanes_.of_spans(label);
  const SpanKey key{&provider, label, event.trailing};
  const Texts::Details details = texts_.both(texts_.one("id", "async", std::to_string(key.id)),
                                             texts_.arguments(event.arguments));
  if (event.type == fxt::EventType::kAsyncInstant)
    return place(ItemKind::kInstant, lane, time, offset, label, details);
  if (event.type == fxt::EventType::kAsyncBegin) {
    if (spans_.size() >= kMaxOpen) spans_.erase(spans_.begin());
    spans_.insert_or_assign(key, OpenSpan{time, details});
    return;
  }
  const auto open = spans_.find(key);
  if (open == spans_.end() || open->second.begin > time) return;
  const Texts::Details both = texts_.both(open->second.details, details);
  put({.begin = open->second.begin,
       .end = time,
       .offset = offset,
       .lane = lane,
       .label = label,
       .shape = both.shape,
       .text = both.text,
       .kind = ItemKind::kDuration});
  spans_.erase(open);
}

void EventWalk::finish() {
  const uint64_t end = drawing_.statistics.last;
  for (const auto& [key, open] : spans_) {
    if (open.begin > end) continue;
    put({.begin = open.begin,
         .end = end,
         .offset = host::kNoRecord,
         .lane = lanes_.of_spans(key.label),
         .label = key.label,
         .shape = open.details.shape,
         .text = open.details.text,
         .kind = ItemKind::kDuration,
         .doubtful = true});
  }
}

}  // namespace barefxt::report
