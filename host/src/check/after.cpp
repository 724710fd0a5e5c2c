// `after EVENT within TIME EVENT { then within TIME EVENT }`.
#include <deque>

#include "evaluator.h"

namespace barefxt::host {
namespace {

class After final : public Evaluator {
 public:
  After(const TraceRule& rule, CheckMoment& now, const Stretch& selected)
      : Evaluator(rule, now, selected), stages_(rule.within.size()) {
    size_t state = 0;
    for (size_t i = 0; i < stages_.size(); ++i) {
      stages_[i].within = whole_ticks(rule.within[i]);
      if (rule.events[i + 1].kind == RuleEventKind::kRuns) stages_[i].state = state++;
    }
  }

  void happen(size_t event, const Fact& fact) override {
    if (event > 0) return respond(event - 1, fact.time);
    const Known is_of_rule = window_.at(fact.time);
    if (is_of_rule != Known::kNo) wait(0, {fact.time, fact.time, is_of_rule, is_losing()});
  }

  void pass(uint64_t now) override {
    for (Stage& stage : stages_) {
      while (!stage.waiting.empty() && deadline_of(stage, stage.waiting.front()) < now) {
        fail(stage, stage.waiting.front());
        stage.waiting.pop_front();
      }
    }
    find_deadline();
  }

  void finish(uint64_t last) override {
    pass(last);
    for (const Stage& stage : stages_) {
      // A lost response may have begun a wait that failed.
      const bool has_next = &stage != &stages_.back();
      for (const Waiting& one : stage.waiting) one.may_be_lost&& has_next ? doubt() : leave_out();
    }
  }

 private:
  struct Waiting {
    uint64_t since;
    uint64_t trigger;
    Known is_of_rule;
    bool may_be_lost;  // the response
  };
  struct Stage {
    uint64_t within = 0;
    std::optional<size_t> state;  // a thread that runs already
    std::deque<Waiting> waiting;  // in order of time
  };

  static uint64_t deadline_of(const Stage& stage, const Waiting& one) {
    return later(one.since, stage.within);
  }

  void find_deadline() {
    uint64_t next = kNoDeadline;
    for (const Stage& stage : stages_)
      if (!stage.waiting.empty()) next = std::min(next, deadline_of(stage, stage.waiting.front()));
    set_deadline(next);
  }

  void wait(size_t number, const Waiting& one) {
    Stage& stage = stages_[number];
    size_t all = 0;
    for (const Stage& each : stages_) all += each.waiting.size();
    if (all >= kMaxOpenObligations) {
      overflow();
      return doubt();
    }
    stage.waiting.push_back(one);
    if (stage.waiting.size() == 1) find_deadline();
    if (stage.state) request_settling();
  }

  void respond(size_t number, uint64_t time) {
    Stage& stage = stages_[number];
    if (stage.waiting.empty()) return;
    std::deque<Waiting> done;
    done.swap(stage.waiting);
    find_deadline();
    for (const Waiting& one : done) advance(number, one, time);
  }

  void advance(size_t number, const Waiting& one, uint64_t time) {
    if (number + 1 == stages_.size()) return keep();
    // It may have been answered before, and so the next.
    const Known is_of_rule = one.may_be_lost ? Known::kMaybe : one.is_of_rule;
    wait(number + 1, {time, one.trigger, is_of_rule, is_losing()});
  }

  // Those that begin to wait for a thread in this tick.
  void settled(uint64_t tick) override {
    for (size_t number = 0; number < stages_.size(); ++number) {
      Stage& stage = stages_[number];
      if (!stage.state) continue;
      const Lasting runs = state(*stage.state);
      std::vector<Waiting> done;
      while (runs == Lasting::kYes && !stage.waiting.empty() &&
             stage.waiting.back().since == tick) {
        done.push_back(stage.waiting.back());
        stage.waiting.pop_back();
      }
      if (runs == Lasting::kUnknown)
        for (Waiting& one : stage.waiting) one.may_be_lost |= one.since == tick;
      for (auto one = done.rbegin(); one != done.rend(); ++one) advance(number, *one, tick);
    }
    find_deadline();
  }

  void lost(uint64_t) override {
    for (Stage& stage : stages_)
      for (Waiting& one : stage.waiting) one.may_be_lost = true;
  }

  void fail(const Stage& stage, const Waiting& one) {
    if (one.may_be_lost) return doubt();
    const size_t number = static_cast<size_t>(&stage - stages_.data());
    violate(one.is_of_rule, one.trigger, deadline_of(stage, one), std::nullopt, [&] {
      std::string text = in_words(rule_.events[0]);
      if (number > 0)
        host::append(text, ", {} {} later", in_words(rule_.events[number]),
                     length_text(one.since - one.trigger));
      host::append(text, ", but within {} it does not happen that {}", length_text(stage.within),
                   in_words(rule_.events[number + 1]));
      return text;
    });
  }

  std::vector<Stage> stages_;
};

}  // namespace

std::unique_ptr<Evaluator> make_after(const TraceRule& rule, CheckMoment& now,
                                      const Stretch& selected) {
  return std::make_unique<After>(rule, now, selected);
}

}  // namespace barefxt::host
