#include "chrome_flows.h"

#include <algorithm>

#include "../reader/give_back.h"

namespace barefxt::host {

size_t ChromeFlows::bytes_of(const WaitingFlow& flow) {
  return flow.flow.size() + flow.arguments.size();
}

void ChromeFlows::remember(ThreadDurations& thread, Span span) {
  thread.completed.push_back(span);
  completed_.push_back(&thread);
  if (thread.completed.size() > kMaxCompleted) {
    thread.completed.pop_front();
    ++thread.forgotten;
  }
  if (completed_.size() <= kMaxCompletedInAll) return;
  // The oldest of all is the oldest of its thread, unless that has forgotten it already.
  ThreadDurations& oldest = *completed_.front();
  completed_.pop_front();
  if (oldest.forgotten > 0) {
    --oldest.forgotten;
  } else {
    oldest.completed.pop_front();
  }
}

// Returns true if a remembered duration within the span is open at the time.
bool ChromeFlows::covered(const ThreadDurations& thread, Span span, Nanoseconds time) {
  return std::ranges::any_of(thread.completed, [&](const Span& other) {
    const bool within = other.begin >= span.begin && other.end <= span.end;
    return within && other != span && other.begin <= time && time < other.end;
  });
}

void ChromeFlows::begin(ThreadDurations& thread, Nanoseconds time) {
  if (!thread.open.empty() && !thread.open.back().first_child)
    thread.open.back().first_child = time;
  if (thread.deeper == 0 && thread.open.size() < kMaxOpen && open_ < kMaxOpenInAll) {
    thread.open.push_back({time, {}});
    ++open_;
  } else {
    ++thread.deeper;
  }
}

void ChromeFlows::end(ThreadDurations& thread, Nanoseconds time) {
  if (thread.deeper > 0) {
    --thread.deeper;
    return;
  }
  if (thread.open.empty()) return;
  const size_t depth = thread.open.size();
  const ThreadDurations::Open open = thread.open.back();
  const Span span = {open.begin, std::max(open.begin, time)};
  // Those of this depth came since this begin, and all that were deeper have their place.
  std::vector<std::string> placed;
  while (!thread.waiting.empty() && thread.waiting.back()->depth == depth) {
    place(*thread.waiting.back(), span, true);
    placed.push_back(thread.waiting.back()->flow);
    thread.waiting.pop_back();
  }
  thread.open.pop_back();
  --open_;
  give_back_room(thread.open);
  remember(thread, span);
  for (const std::string& flow : placed) settle(flow);
}

void ChromeFlows::complete(ThreadDurations& thread, Nanoseconds begin, Nanoseconds end) {
  const Span span = {begin, end};
  if (!thread.open.empty() && begin >= thread.open.back().begin && !thread.open.back().first_child)
    thread.open.back().first_child = begin;
  // Those that it encloses are among the last: behind some that it does not, there are no more.
  constexpr int kMaxInVain = 64;
  std::vector<std::string> placed;
  int in_vain = 0;
  for (auto at = thread.waiting.end(); at != thread.waiting.begin() && in_vain < kMaxInVain;) {
    WaitingFlow& flow = **--at;
    // A duration begun later lies within this one and is nearer.
    const bool nearer = flow.depth > 0 && thread.open[flow.depth - 1].begin > begin;
    if (flow.own < begin || flow.own > end || nearer) {
      ++in_vain;
      continue;
    }
    place(flow, span, true);
    placed.push_back(flow.flow);
    at = thread.waiting.erase(at);
  }
  remember(thread, span);
  for (const std::string& flow : placed) settle(flow);
}

// Chooses the event's time once the duration around it is known.
void ChromeFlows::place(WaitingFlow& flow, Span span, bool has_end) {
  const ThreadDurations& thread = *flow.durations;
  const Nanoseconds last = span.end > span.begin ? span.end - 1 : span.begin;
  if (has_end) flow.own = std::min(flow.own, last);
  flow.wanted = flow.phase != 's' ? span.begin : has_end ? last : flow.own;
  if (covered(thread, span, flow.wanted)) flow.wanted = flow.own;
  if (flow.depth > 0 && flow.depth <= thread.open.size()) {
    const ThreadDurations::Open& open = thread.open[flow.depth - 1];
    if (open.begin == span.begin && open.first_child == flow.wanted) flow.wanted = flow.own;
  }
  flow.state = WaitingFlow::State::kPlaced;
}

void ChromeFlows::flow(WaitingFlow flow) {
  ThreadDurations& thread = *flow.durations;
  flow.depth = thread.open.size();
  if (flows_.size() >= kMaxFlows) forget_idle_flows();
  waiting_bytes_ += bytes_of(flow);
  waiting_.push_back(std::move(flow));
  const auto event = std::prev(waiting_.end());
  flows_[event->flow].events.push_back(event);

  // Complete events may stand ahead of what they enclose; then the innermost so far encloses this
  // event.
  const Span* around = nullptr;
  for (const Span& span : thread.completed) {
    if (span.begin > event->own || event->own >= span.end) continue;
    if (event->depth > 0 && thread.open.back().begin > span.begin) continue;
    if (around == nullptr || span.begin >= around->begin) around = &span;
  }
  if (around != nullptr) {
    place(*event, *around, true);
    settle(std::string(event->flow));
  } else {
    thread.waiting.push_back(event);
  }
  while (waiting_.size() > kMaxWaiting || waiting_bytes_ > kMaxBytes) leave_oldest_out();
}

void ChromeFlows::finish(ThreadDurations& thread) {
  std::vector<std::string> settled;
  for (const WaitingFlows::iterator flow : thread.waiting) {
    if (flow->depth > 0) {
      place(*flow, {thread.open[flow->depth - 1].begin, flow->own}, false);
    } else {
      flow->state = WaitingFlow::State::kLeftOut;
      changes_.add(Change::kUnplacedEvent);
    }
    settled.push_back(flow->flow);
  }
  thread.waiting.clear();
  for (const std::string& flow : settled) settle(flow);
}

void ChromeFlows::leave_oldest_out() {
  // The oldest of all is the oldest of its thread and of its flow.
  const auto oldest = waiting_.begin();
  std::list<WaitingFlows::iterator>& of_thread = oldest->durations->waiting;
  if (!of_thread.empty() && of_thread.front() == oldest) of_thread.pop_front();
  oldest->state = WaitingFlow::State::kLeftOut;
  changes_.add(Change::kUnplacedEvent);
  settle(std::string(oldest->flow));
}

void ChromeFlows::forget_idle_flows() {
  std::erase_if(flows_, [](const auto& entry) { return entry.second.events.empty(); });
}

// Writes what has its place, up to the first event of the flow that has not.
void ChromeFlows::settle(const std::string& id) {
  const auto found = flows_.find(id);
  if (found == flows_.end()) return;
  Flow& flow = found->second;
  while (!flow.events.empty() && flow.events.front()->state != WaitingFlow::State::kWaiting) {
    const WaitingFlows::iterator event = flow.events.front();
    flow.events.pop_front();
    const bool is_last = event->phase == 'f' && flow.events.empty();
    if (event->state == WaitingFlow::State::kPlaced) {
      // The flow's next event happened before this duration was over.
      const bool overlaps = event->phase == 's' && !flow.events.empty();
      const bool too_early = flow.latest && event->wanted < *flow.latest;
      write(*event, flow, overlaps || too_early ? event->own : event->wanted);
    }
    waiting_bytes_ -= bytes_of(*event);
    waiting_.erase(event);
    if (is_last) {
      flows_.erase(found);
      return;
    }
  }
}

void ChromeFlows::write(const WaitingFlow& event, Flow& flow, Nanoseconds time) {
  if (event.phase == 's') flow.label.emplace(event.category, event.name);
  flow.latest = time;
  // Viewers match by category and name, too; the format by the id alone.
  const Label category(flow.label ? flow.label->first : event.category);
  const Label name(flow.label ? flow.label->second : event.name);
  writer_.event({event.phase, event.process, event.thread, time, category.text(), name.text()},
                [&](JsonRecord& object) {
                  object.string("id", event.flow);
                  object.string("bp", "e");
                  object.key("args").text(event.arguments);
                });
}

}  // namespace barefxt::host
