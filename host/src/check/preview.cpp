// One read of the archive.
#include "preview.h"

#include <algorithm>
#include <unordered_map>

#include "../archive/own_events.h"
#include "../stats/survey.h"

namespace barefxt::host {
namespace {

// Names of durations whose begin matters to a rule.
class BeginNames {
 public:
  explicit BeginNames(const std::vector<TraceRule>& rules) {
    for (const TraceRule& rule : rules) {
      if (rule.form != RuleForm::kLasts)
        for (const RuleEvent& event : rule.events) add(event);
      for (const auto* const edge : {&rule.from, &rule.to})
        if (*edge && (*edge)->event) add(*(*edge)->event);
      for (const auto* const state : {&rule.state, &rule.during}) {
        if (!*state) continue;
        const RuleStateKind kind = (*state)->kind;
        if (kind == RuleStateKind::kSlice || kind == RuleStateKind::kIrq)
          patterns_.push_back((*state)->name);
        needs_threads_ = needs_threads_ || kind == RuleStateKind::kRuns;
      }
    }
  }

  bool has(std::string_view name) {
    const auto known = known_.find(name.data());
    if (known != known_.end() && known->second.size == name.size()) return known->second.is_one;
    const bool is_one =
        std::ranges::any_of(patterns_, [&](const std::string& one) { return matches(one, name); });
    if (known_.size() < kMaxKnown) known_[name.data()] = {name.size(), is_one};
    return is_one;
  }
  bool needs_names() const { return !patterns_.empty(); }
  bool needs_threads() const { return needs_threads_; }

 private:
  static constexpr size_t kMaxKnown = size_t{1} << 16;

  void add(const RuleEvent& event) {
    if (event.kind == RuleEventKind::kNamed || event.kind == RuleEventKind::kSliceBegins ||
        event.kind == RuleEventKind::kIrqBegins)
      patterns_.push_back(event.name);
    needs_threads_ = needs_threads_ || event.kind == RuleEventKind::kRuns;
  }

  struct Known {
    size_t size;
    bool is_one;
  };
  std::vector<std::string> patterns_;
  bool needs_threads_ = false;
  // By the address, since an archive holds most texts once.
  std::unordered_map<const char*, Known> known_;
};

}  // namespace

bool needs_begins(const std::vector<TraceRule>& rules) { return BeginNames(rules).needs_names(); }

Preview preview(Source& source, Form form, const std::vector<TraceRule>& rules) {
  Preview seen;
  BeginNames names(rules);
  if (!names.needs_names() && !names.needs_threads()) return seen;
  Reader reader(source.bytes(), form);
  reader.on_passed([&](uint64_t offset) { source.release_before(offset); });
  const auto change = [&](unsigned cpu, uint64_t time, uint64_t outgoing) {
    const auto known = seen.switches.find(cpu);
    const bool is_known = known != seen.switches.end();
    if (is_known ? time >= known->second.ticks : seen.switches.size() == Preview::kMaxCpus) return;
    seen.switches[cpu] = {time, time_in_unit(time, reader.provider(), true), outgoing};
  };
  const auto complete = [&](const Event& event) {
    if (event.trailing < event.timestamp || is_loss(event) || !names.has(event.name.bytes)) return;
    seen.longest_ticks = std::max(seen.longest_ticks, event.trailing - event.timestamp);
    const ProviderState& provider = reader.provider();
    seen.longest_nanoseconds =
        std::max(seen.longest_nanoseconds, time_in_unit(event.trailing, provider, true) -
                                               time_in_unit(event.timestamp, provider, true));
  };
  reader.walk([&](const auto& view, const Place& place) __attribute__((always_inline)) {
    using View = std::decay_t<decltype(view)>;
    if constexpr (std::is_same_v<View, LegacyContextSwitch>) {
      change(view.cpu, view.timestamp, view.outgoing.thread);
    } else if constexpr (std::is_same_v<View, ContextSwitch>) {
      if (!is_added(view.arguments)) change(view.cpu, view.timestamp, view.outgoing);
    } else if constexpr (std::is_same_v<View, Event>) {
      if (view.type == fxt::EventType::kDurationComplete) complete(view);
    }
    source.release_before(place.offset);
  });
  return seen;
}

}  // namespace barefxt::host
