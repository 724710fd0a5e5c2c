// The fold of the statistics and a walk over the events, put together.
#include "drawing.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "archive/archive_provider.h"
#include "event_walk.h"
#include "nesting.h"
#include "stats/observer.h"

namespace barefxt::report {
namespace {

class Collector final : public host::TimelineObserver {
 public:
  Collector(Drawing& drawing, Texts& texts, Lanes& lanes, const host::Selection& selection,
            size_t most_items)
      : drawing_(drawing),
        texts_(texts),
        lanes_(lanes),
        selection_(selection),
        most_items_(most_items) {}

  void begin(const host::Statistics& statistics, bool to_nanoseconds) override {
    drawing_.statistics.names = statistics.names;
    rate_ = statistics.ticks_per_second;
    to_nanoseconds_ = to_nanoseconds;
  }
  void ran(unsigned cpu, uint64_t thread, const host::Extent& when) override {
    if (selection_.is_by_label() || !has_thread(thread) || !selection_.has_cpu(cpu)) return;
    Item one = item(ItemKind::kRun, lanes_.of_thread(thread), when, lanes_.of_cpu(cpu));
    const Switched& in = switched_[cpu];
    one.assumed = (in.offset == when.offset ? in.before : in.now) != thread;
    put(one);
  }
  void change(const host::Moment& moment) override {
    Switched& in = switched_[moment.cpu];
    in = {moment.offset, in.now, moment.b};
  }
  void regain(std::optional<unsigned> cpu, uint64_t /*time*/) override {
    for (auto& [number, in] : switched_)
      if (!cpu || *cpu == number) in.now.reset();
  }
  void thread_time(uint64_t thread, host::ThreadTime what, const host::Extent& when) override {
    const Seemed seemed = std::exchange(seemed_, Seemed::kUnknown);
    if (selection_.is_by_label() || !has_thread(thread) || !selection_.cpus.empty()) return;
    Item one = item(ItemKind::kState, lanes_.of_thread(thread), when, static_cast<uint32_t>(what));
    if (late_ && late_->offset == when.offset && late_->end == when.end) {
      one.begin = late_->begin;
      one.late = true;
    }
    late_.reset();
    one.seemed = seemed;
    put(one);
  }
  void seemed(host::ThreadTime what, uint64_t thread) override {
    seemed_thread_ = thread;
    seemed_ = what == host::ThreadTime::kRunning    ? Seemed::kRunning
              : what == host::ThreadTime::kRunnable ? Seemed::kRunnable
                                                    : Seemed::kBlocked;
  }
  // The state that this ends comes next, unless it takes no time in the stretch.
  void ran_late(uint64_t thread, unsigned /*cpu*/, const host::Extent& when) override {
    late_ = when;
    const uint64_t from = selection_.from ? selection_.from->ticks(rate_) : 0;
    const bool is_drawn =
        from <= when.end && !(selection_.to && selection_.to->ticks(rate_) < when.end);
    if (is_drawn && std::max(when.begin, from) == when.end)
      thread_time(thread, host::ThreadTime::kRunnable, when);
  }
  void cpu_unknown(unsigned cpu, const host::Extent& when) override {
    Seemed seemed = std::exchange(seemed_, Seemed::kUnknown);
    if (selection_.is_by_label() || !selection_.threads.empty() || !selection_.has_cpu(cpu)) return;
    if (seemed != Seemed::kUnknown) {
      if (drawing_.statistics.is_idle(seemed_thread_)) seemed = Seemed::kRunnable;
      if (host::is_unknown_thread(seemed_thread_)) seemed = Seemed::kUnknown;
    }
    Item one = item(ItemKind::kUnknown, lanes_.of_cpu(cpu), when, 0);
    one.seemed = seemed;
    put(one);
  }
  void lost(std::optional<unsigned> cpu, const host::Extent& when) override {
    if (!selection_.threads.empty() || !selection_.has_label("barefxt", "drop_stats") ||
        (cpu ? !selection_.has_cpu(*cpu) : !selection_.cpus.empty()))
      return;
    if (cpu) return put(item(ItemKind::kLost, lanes_.of_cpu(*cpu), when, 0));
    for (uint32_t lane = 0; lane < drawing_.lanes.size(); ++lane) {
      if (drawing_.lanes[lane].kind == LaneKind::kCpu) put(item(ItemKind::kLost, lane, when, 0));
    }
  }
  void lasted(uint64_t thread, const host::ProbeName& label, const host::Extent& when,
              uint64_t begin_offset, bool whole) override {
    if (!has_thread(thread) || !selection_.has_label(label.category, label.name) ||
        !has_cpu_of(thread))
      return;
    Item one = item(ItemKind::kDuration, lanes_.of_thread(thread), when, 0);
    one.label = texts_.label(label.category, label.name);
    one.doubtful = !whole;
    // Until the records are read again: the offset of the record that began it.
    const bool two = begin_offset != host::kNoRecord;
    one.single = !two;
    one.text = two && !full() ? static_cast<uint32_t>(begins_.size()) : kOneRecord;
    if (two && !full()) begins_.push_back(begin_offset);
    put(one);
  }

  void put(const Item& one) {
    if (one.lane == Lanes::kNone || one.other == Lanes::kNone) return;
    ++wanted_;
    if (!full()) drawing_.items.push_back(one);
  }

  void look_up(const EventWalk& events, size_t observed) {
    for (size_t i = 0; i < observed; ++i) {
      Item& one = drawing_.items[i];
      if (one.kind != ItemKind::kDuration && one.kind != ItemKind::kRun) continue;
      Texts::Details details = events.details_at(one.offset);
      if (one.kind == ItemKind::kDuration && one.text != kOneRecord)
        details = texts_.both(events.details_at(begins_[one.text]), details);
      one.shape = details.shape;
      one.text = details.text;
    }
  }

  bool to_nanoseconds() const { return to_nanoseconds_; }
  bool overflow() const { return wanted_ > most_items_; }
  size_t wanted() const { return wanted_; }

 private:
  static constexpr uint32_t kOneRecord = ~uint32_t{0};
  // The thread that a CPU's last switch let run, unless records were lost since, and the one
  // before it.
  struct Switched {
    uint64_t offset = host::kNoRecord;
    std::optional<uint64_t> before;
    std::optional<uint64_t> now;
  };

  static Item item(ItemKind kind, uint32_t lane, const host::Extent& when, uint32_t other) {
    return {.begin = when.begin,
            .end = when.end,
            .offset = when.offset,
            .lane = lane,
            .other = other,
            .kind = kind};
  }
  bool full() const { return drawing_.items.size() >= most_items_; }
  bool has_thread(uint64_t koid) {
    if (selection_.threads.empty()) return true;
    const auto [known, is_new] = has_thread_.try_emplace(koid, false);
    if (is_new) known->second = selection_.has_thread(koid, drawing_.statistics.name_of(koid));
    return known->second;
  }
  // Interrupts are durations of a CPU, others of no CPU.
  bool has_cpu_of(uint64_t thread) const {
    if (selection_.cpus.empty()) return true;
    const auto cpu = host::cpu_of_name(drawing_.statistics.name_of(thread));
    return cpu && selection_.has_cpu(*cpu);
  }

  Drawing& drawing_;
  Texts& texts_;
  Lanes& lanes_;
  const host::Selection& selection_;
  std::unordered_map<uint64_t, bool> has_thread_;
  size_t most_items_;
  bool to_nanoseconds_ = false;
  uint64_t rate_ = 0;
  std::optional<host::Extent> late_;
  Seemed seemed_ = Seemed::kUnknown;  // of the next item
  uint64_t seemed_thread_ = 0;
  std::unordered_map<unsigned, Switched> switched_;
  size_t wanted_ = 0;
  std::vector<uint64_t> begins_;  // of durations, offsets
};

// A counter's value stands until its next one, a loss, which may have held a newer one, or the end.
void let_values_stand(Drawing& drawing) {
  std::vector<uint64_t> losses;
  std::vector<Item*> values;
  for (Item& item : drawing.items) {
    if (item.kind == ItemKind::kLost) losses.push_back(item.begin);
    if (item.kind == ItemKind::kCounter) values.push_back(&item);
  }
  std::sort(losses.begin(), losses.end());
  // They lie in one array: of those at the same time, in its order.
  std::sort(values.begin(), values.end(), [](const Item* a, const Item* b) {
    return std::tuple(a->begin, a) < std::tuple(b->begin, b);
  });
  std::vector<uint64_t> next(drawing.lanes.size(), drawing.statistics.last);
  for (auto value = values.rbegin(); value != values.rend(); ++value) {
    Item& item = **value;
    const auto loss = std::lower_bound(losses.begin(), losses.end(), item.begin);
    item.end = std::max(item.begin, next[item.lane]);
    if (loss != losses.end()) item.end = std::min(item.end, *loss);
    next[item.lane] = item.begin;
  }
}

// Those that end at once stay as they are. In place: there may be millions.
void sort_by_end(std::vector<Item>& items) {
  std::vector<uint32_t> from(items.size());
  std::iota(from.begin(), from.end(), 0u);
  std::sort(from.begin(), from.end(), [&](uint32_t a, uint32_t b) {
    return std::tuple(items[a].end, a) < std::tuple(items[b].end, b);
  });
  // Each item displaces the one in its new place, along a cycle, until a place is free.
  for (uint32_t begin = 0; begin < from.size(); ++begin) {
    const Item first = items[begin];
    uint32_t at = begin;
    for (; from[at] != begin; std::swap(at, from[at])) items[at] = items[from[at]];
    items[at] = first;
    from[at] = at;
  }
}

// Draws all of it, and returns nothing; or what share of its time may be as much as can be drawn.
host::Result<std::optional<double>> draw_all(Drawing& drawing, host::Source& source,
                                             host::Form form,
                                             const host::StatisticsOptions& options,
                                             size_t most_items) {
  drawing.archive = source.name().substr(source.name().rfind('/') + 1);
  Texts texts(drawing);
  Lanes lanes(drawing);
  Collector collector(drawing, texts, lanes, options.selection, most_items);
  host::Result<host::Statistics> statistics =
      host::collect_statistics(source, form, options, &collector);
  if (!statistics.ok()) return statistics.error();
  drawing.statistics = std::move(statistics.value());

  const size_t observed = drawing.items.size();
  auto filter = host::RecordFilter::make(options.selection, source, form);
  if (!filter.ok()) return filter.error();
  EventWalk events(drawing, texts, lanes, filter.value(), collector.to_nanoseconds(),
                   [&](const Item& item) { collector.put(item); });
  host::Reader reader(source.bytes(), form);
  reader.on_passed([&](uint64_t offset) { source.release_before(offset); });
  const auto too_much = [&] {
    return collector.overflow() ||
           drawing.texts.size() + texts.bytes() + lanes.bytes() > Drawing::kMaxTextBytes;
  };
  while (const host::Record* record = too_much() ? nullptr : reader.next()) {
    events.see(*record, reader.provider());
    source.release_before(record->offset);
  }
  drawing.has_heaps = events.has_heaps();
  if (!too_much()) events.finish();
  if (too_much()) {
    // All items of the statistics are counted; the events may be as many again.
    const double share = static_cast<double>(most_items) /
                         static_cast<double>(std::max(collector.wanted(), most_items));
    return std::optional(share / 2);
  }
  collector.look_up(events, observed);
  drawing.statistics.left_out += lanes.left_out();
  let_values_stand(drawing);
  sort_by_end(drawing.items);
  lanes.put_in_order();
  nest(drawing);
  return std::optional<double>();
}

}  // namespace

host::Result<Drawing> draw(host::Source& source, host::Form form,
                           const host::StatisticsOptions& options, size_t most_items) {
  host::StatisticsOptions beginning = options;
  std::optional<host::Statistics> of_all;
  for (;;) {
    Drawing drawing;
    const auto drawn = draw_all(drawing, source, form, beginning, most_items);
    if (!drawn.ok()) return drawn.error();
    const std::optional<double>& share = drawn.value();
    if (!share) {
      drawing.of_all = std::move(of_all);
      return drawing;
    }
    host::Statistics& statistics = drawing.statistics;
    const double ticks = std::floor(static_cast<double>(statistics.span()) * *share);
    beginning.selection.to = host::TimeBound{true, static_cast<double>(statistics.first) + ticks};
    if (ticks < 1 ||
        beginning.selection.to->ticks(statistics.ticks_per_second) >= statistics.last) {
      return host::Error{
          host::formatted("holds more at one time than can be drawn: {} things, {} MiB of text",
                          most_items, Drawing::kMaxTextBytes >> 20),
          source.name(), "choose a stretch without it with --from and --to"};
    }
    if (!of_all) of_all = std::move(statistics);
  }
}

}  // namespace barefxt::report
