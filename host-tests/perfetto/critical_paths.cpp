#include "critical_paths.h"

#include <algorithm>
#include <optional>
#include <set>
#include <vector>

namespace barefxt::test {
namespace {

using U = uint64_t;

constexpr U kFirstCpu = 0x7f000000;

struct Waker {
  U thread;
  size_t span;    // that it was in
  size_t change;  // the count of its changes then
};

// From a wakeup to the next one's sleep.
struct Span {
  std::optional<U> sleeps_from;
  U woken;
  std::optional<Waker> waker;
  size_t change;
};

struct Thread {
  enum class State : uint8_t { kUnknown, kReady, kRunning, kSleeping, kOther };
  State state = State::kUnknown;
  U since = 0;
  size_t changes = 0;
  std::vector<Span> spans;
};

struct Part {
  U from;
  U to;
  U thread;
};

class Evaluator {
 public:
  Evaluator(const PlainArchive& archive, InterruptsBegin interrupts) : interrupts_(interrupts) {
    std::multimap<U, const PlainRecord*> scheduling;  // at one time in their order
    for (const PlainRecord& record : archive.records) {
      if (record.type == 1) unit_ = 1'000'000'000 / record.value;
      if (record.type == 7 && record.name.starts_with("idle/")) idle_.insert(record.value);
      if (record.type == 8) scheduling.emplace(record.timestamp, &record);
    }
    for (const auto& [time, record] : scheduling) {
      now_ = time * unit_;
      record->subtype == 2 ? wake(*record) : change(*record);
    }
    // A state that the trace does not end has no place.
    for (auto& [koid, thread] : threads_) {
      std::erase_if(thread.spans, [&](const Span& span) { return span.change == thread.changes; });
      for (Span& span : thread.spans)
        if (span.waker && span.waker->change == threads_[span.waker->thread].changes)
          span.waker.reset();
    }
  }

  CriticalPaths paths() const {
    CriticalPaths sums;
    for (const auto& [koid, thread] : threads_) {
      for (size_t i = 0; i < thread.spans.size(); ++i) {
        std::vector<Part> parts;
        const Span& span = thread.spans[i];
        follow(koid, i, span.sleeps_from.value_or(span.woken), end_of(thread, i), parts);
        // Time between parts that nobody is found for is the thread's own.
        U first = ~U{0};
        U last = 0;
        U found = 0;
        for (const Part& part : parts) {
          first = std::min(first, part.from);
          last = std::max(last, part.to);
          found += part.to - part.from;
          sums[{koid, part.thread}] += part.to - part.from;
        }
        if (!parts.empty() && last - first > found) sums[{koid, koid}] += last - first - found;
      }
    }
    return sums;
  }

 private:
  void set(U koid, Thread::State state) {
    if (idle_.contains(koid)) return;
    Thread& thread = threads_[koid];
    const bool is_first = thread.state == Thread::State::kUnknown;
    thread.state = state;
    thread.since = now_;
    ++thread.changes;
    // A thread that is first seen ready begins with a span that nobody woke.
    if (is_first && state == Thread::State::kReady)
      thread.spans.push_back({{}, now_, {}, thread.changes});
  }
  void change(const PlainRecord& record) {
    const U state = record.numbers.at(0);
    set(record.thread, state <= 1   ? Thread::State::kReady
                       : state == 3 ? Thread::State::kSleeping
                                    : Thread::State::kOther);
    set(record.other_thread, Thread::State::kRunning);
    runs_[record.cpu] = record.other_thread;
  }
  void wake(const PlainRecord& record) {
    Thread& thread = threads_[record.thread];
    const Thread::State before = thread.state;
    if (before == Thread::State::kReady || before == Thread::State::kRunning) return;
    const U since = thread.since;
    const PlainArgument* const by = record.argument("waker");
    const U koid = by == nullptr ? 0 : by->bits;
    const bool by_interrupt = koid >= kFirstCpu;
    thread.state = Thread::State::kReady;
    thread.since = now_;
    ++thread.changes;
    Span span = {{}, now_, {}, thread.changes};
    if (before == Thread::State::kSleeping) span.sleeps_from = since;
    const bool has_span = by_interrupt ? begins_span(record.cpu) : is_running(koid);
    if (before == Thread::State::kUnknown || (has_span && span.sleeps_from)) {
      if (!by_interrupt && has_span) span.waker = waker(koid);
      thread.spans.push_back(span);
    }
  }
  bool is_running(U koid) const {
    const auto found = threads_.find(koid);
    return found != threads_.end() && found->second.state == Thread::State::kRunning;
  }
  bool begins_span(U cpu) const {
    const auto found = runs_.find(cpu);
    return interrupts_ == InterruptsBegin::kSpanOverThreads && found != runs_.end() &&
           is_running(found->second);
  }
  std::optional<Waker> waker(U koid) const {
    const Thread& thread = threads_.at(koid);
    if (thread.spans.empty()) return {};
    return Waker{koid, thread.spans.size() - 1, thread.changes};
  }

  static U end_of(const Thread& thread, size_t span) {
    if (span + 1 < thread.spans.size())
      if (const auto& sleeps = thread.spans[span + 1].sleeps_from) return *sleeps;
    return thread.since;
  }

  // Goes back in time from `to`.
  void follow(U koid, size_t last, U from, U to, std::vector<Part>& parts) const {
    const Thread& thread = threads_.at(koid);
    for (size_t i = std::min(last + 1, thread.spans.size()); i > 0 && from < to; --i) {
      const Span& span = thread.spans[i - 1];
      const U own_from = std::max(from, span.woken);
      const U own_to = std::min(to, end_of(thread, i - 1));
      if (own_from < own_to) parts.push_back({own_from, own_to, koid});
      const U sleeps_from = std::max(from, span.sleeps_from.value_or(from));
      const U sleeps_to = std::min(to, span.woken);
      if (sleeps_from < sleeps_to) {
        if (span.waker)
          follow(span.waker->thread, span.waker->span, sleeps_from, sleeps_to, parts);
        else if (i > 1)
          parts.push_back({sleeps_from, sleeps_to, koid});
      }
      if (!span.sleeps_from) return;
      to = std::min(to, *span.sleeps_from);
    }
  }

  InterruptsBegin interrupts_;
  U unit_ = 1;
  U now_ = 0;
  std::set<U> idle_ = {0};
  std::map<U, Thread> threads_;
  std::map<U, U> runs_;  // threads, by CPU
};

}  // namespace

CriticalPaths critical_paths(const PlainArchive& archive, InterruptsBegin interrupts) {
  return Evaluator(archive, interrupts).paths();
}

}  // namespace barefxt::test
