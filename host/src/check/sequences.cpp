// `between EVENT and EVENT ... NUMBER EVENT` and `order EVENT EVENT ...`.
#include <unordered_map>

#include "evaluator.h"

namespace barefxt::host {
namespace {

class Between final : public Evaluator {
 public:
  using Evaluator::Evaluator;

  static constexpr size_t kBegin = 0;
  static constexpr size_t kEnd = 1;

  void happen(size_t event, const Fact& fact) override {
    if (event == kEnd) {
      if (is_open_) judge(fact);
      is_open_ = false;
    } else if (event != kBegin) {
      ++count_;
    } else {
      leave();
      is_of_rule_ = window_.at(fact.time);
      is_open_ = is_of_rule_ != Known::kNo;
      begin_ = fact.time;
      count_ = 0;
      may_hide_ = is_losing();
    }
  }
  void finish(uint64_t) override { leave(); }

 private:
  void lost(uint64_t) override { may_hide_ = true; }

  // Without an end, unless that is lost.
  void leave() {
    if (is_open_) may_hide_ ? doubt() : leave_out();
  }

  void judge(const Fact& fact) {
    if (may_hide_) return doubt();
    if (keeps_bound(count_, rule_.bound, rule_.count)) return keep();
    violate(is_of_rule_, begin_, fact.time, std::nullopt,
            [&] { return formatted("{} times {}", count_, in_words(rule_.events[2])); });
  }

  bool is_open_ = false;
  Known is_of_rule_ = Known::kNo;
  uint64_t begin_ = 0;
  uint64_t count_ = 0;
  bool may_hide_ = false;
};

class Order final : public Evaluator {
 public:
  using Evaluator::Evaluator;

  void happen(size_t event, const Fact& fact) override {
    const Known is_of_rule = window_.at(fact.time);
    if (is_of_rule == Known::kNo) return;
    if (is_losing()) return doubt();
    Round* const round = round_of(rule_.per_thread ? thread_of(fact) : 0);
    if (round == nullptr) return doubt();
    const size_t last = rule_.events.size() - 1;
    const bool repeats = event == round->done && event > 0 && event < last;
    const bool follows = event == (round->done == kNothing ? 0 : round->done + 1);
    const bool is_right = repeats || follows;
    const size_t before = round->done;
    const bool is_known = round->is_known;
    round->is_known = true;
    round->done = event == last ? kNothing : event;
    if (!is_known) return was_lost_ ? doubt() : event == 0 ? keep() : leave_out();
    if (is_right) return keep();
    violate(is_of_rule, fact.time, fact.time, thread_of(fact), [&] {
      std::string text = in_words(rule_.events[event]);
      if (before == kNothing) return text + ", though no round has begun";
      return text + ", and the one before was: " + in_words(rule_.events[before]);
    });
  }

 private:
  static constexpr size_t kNothing = ~size_t{0};
  struct Round {
    size_t done = kNothing;
    bool is_known = false;
  };

  static uint64_t thread_of(const Fact& fact) {
    return fact.kind == FactKind::kSwitch && fact.state != 0 ? fact.other : fact.thread;
  }

  Round* round_of(uint64_t thread) {
    const auto found = rounds_.find(thread);
    if (found != rounds_.end()) return &found->second;
    if (rounds_.size() < kMaxRuleInstances) return &rounds_[thread];
    overflow();
    return nullptr;
  }

  void lost(uint64_t) override {
    rounds_.clear();
    was_lost_ = true;
  }
  void window_changed(uint64_t time) override {
    if (window_.at(time) == Known::kNo) return;
    rounds_.clear();
    was_lost_ = is_losing() || window_.at(time) == Known::kMaybe;
  }

  std::unordered_map<uint64_t, Round> rounds_;
  bool was_lost_ = false;  // since the trace or the window began
};

}  // namespace

std::unique_ptr<Evaluator> make_between(const TraceRule& rule, CheckMoment& now,
                                        const Stretch& selected) {
  return std::make_unique<Between>(rule, now, selected);
}
std::unique_ptr<Evaluator> make_order(const TraceRule& rule, CheckMoment& now,
                                      const Stretch& selected) {
  return std::make_unique<Order>(rule, now, selected);
}

}  // namespace barefxt::host
