// Two looks at the archive: names and losses first, then the events of heaps in order of time.
#include <algorithm>
#include <bit>

#include <barefxt/host/heap.h>

#include "../archive/spilling_sorter.h"
#include "../stats/survey.h"
#include "heap_model.h"

namespace barefxt::host {
namespace {

constexpr size_t kMaxHolders = size_t{1} << 16;
constexpr uint64_t kForever = ~uint64_t{0};

// Stretches in which records of any CPU are missing, in order and apart.
class LostStretches {
 public:
  explicit LostStretches(const LossTimes& losses) {
    for (const auto& [cpu, all] : losses.by_cpu())
      lost_.insert(lost_.end(), all.begin(), all.end());
    std::ranges::sort(lost_, {}, &Loss::begin);
    size_t kept = 0;
    for (const Loss& loss : lost_) {
      if (kept > 0 && loss.begin <= lost_[kept - 1].end)
        lost_[kept - 1].end = std::max(lost_[kept - 1].end, loss.end);
      else
        lost_[kept++] = loss;
    }
    lost_.resize(kept);
  }
  // Both ends included: records of one tick may come in any order.
  bool touch(uint64_t from, uint64_t to) const {
    const auto next = std::ranges::lower_bound(lost_, from, {}, &Loss::end);
    return next != lost_.end() && next->begin <= to;
  }
  void add_from(uint64_t time) {
    while (!lost_.empty() && lost_.back().end >= time) {
      time = std::min(time, lost_.back().begin);
      lost_.pop_back();
    }
    lost_.push_back({time, kForever});
  }
  size_t size() const { return lost_.size(); }

 private:
  std::vector<Loss> lost_;
};

// An event in the order of time.
struct TimedHeapEvent {
  enum class Mark : uint8_t { kEvent, kFrom, kTo };
  uint64_t time;
  uint64_t offset;
  uint64_t provider;
  uint64_t thread;
  HeapEvent event;
  Mark mark;
};
struct HeapEventBefore {
  bool operator()(const TimedHeapEvent& x, const TimedHeapEvent& y) const {
    if (x.time != y.time) return x.time < y.time;
    return x.offset != y.offset ? x.offset < y.offset : x.mark < y.mark;
  }
};

class HeapFold {
 public:
  HeapFold(HeapStatistics& heap, LostStretches& lost) : heap_(heap), lost_(lost) {}

  // The stretch, as far as it is known by times.
  void set_from(uint64_t time) { begins_at_ = time; }
  void set_to(uint64_t time) { ends_at_ = time; }

  void see(const TimedHeapEvent& timed) {
    if (has_ended_ || timed.time > ends_at_) return end(ends_at_);
    if (timed.time >= begins_at_) begin(begins_at_);
    if (timed.mark == TimedHeapEvent::Mark::kFrom) return begin(timed.time);
    if (timed.mark == TimedHeapEvent::Mark::kTo) {
      if (is_in_) end(timed.time);
      return;
    }
    count(timed);
    if (timed.event.kind == HeapEventKind::kPool) return name_pool(timed);
    note_pools(timed, -1);
    const HeapStep step = model_.see(timed.event, timed.provider, timed.thread, timed.time);
    note_pools(timed, +1);
    if (step.ended) give_back(*step.ended, timed.time);
    if (step.begun != nullptr) take(*step.begun, timed.time);
    if (step.is_left_out && heap_.left_out++ == 0) lost_.add_from(timed.time);
    if (is_in_ && step.is_unknown) ++heap_.unknown_frees;
    if (is_in_ && step.fault == HeapStep::Fault::kLive && !lost_.touch(step.since, timed.time))
      ++heap_.missing_frees;
  }

  // `last`: of all records.
  void finish(uint64_t last) {
    begin(std::min(begins_at_, last));
    end(std::min(ends_at_, last));
    settle_all();
    judge_live();
    judge_pools();
    heap_.has_lost_in_stretch = lost_.touch(heap_.from, heap_.to);
    heap_.is_peak_known = !lost_.touch(0, heap_.peak_time);
    heap_.losses = lost_.size();
  }
  bool has_begun() const { return is_in_ || has_ended_; }
  bool has_ended() const { return has_ended_; }

 private:
  // The bytes of a holder, now and at the last peak.
  struct Share {
    HeapAmount now;
    HeapAmount at_peak;
    uint64_t peak = 0;
  };

  void begin(uint64_t time) {
    if (is_in_ || has_ended_) return;
    is_in_ = true;
    heap_.from = time;
    heap_.peak = live_;
    heap_.peak_time = time;
    ++peaks_;
    before_ = live_;
    first_of_stretch_ = model_.allocations();
  }
  void end(uint64_t time) {
    if (has_ended_) return;
    begin(time);
    has_ended_ = true;
    is_in_ = false;
    heap_.to = time;
    heap_.live = live_;
  }

  HeapHolder& holder(std::map<uint64_t, HeapHolder>& all, uint64_t key) {
    if (all.size() < kMaxHolders || all.contains(key)) return all[key];
    ++heap_.left_out;
    return all[HeapStatistics::kOthers];
  }

  void count(const TimedHeapEvent& timed) {
    heap_.has_events = true;
    if (!is_in_) return;
    const HeapEvent& event = timed.event;
    if (event.kind == HeapEventKind::kFree) ++heap_.frees;
    if (event.kind == HeapEventKind::kFree || event.kind == HeapEventKind::kPool) return;
    if (event.address == 0) {
      add(heap_.failed, event.bytes);
      ++holder(heap_.sites, event.caller).failed;
      ++holder(heap_.threads, timed.thread).failed;
      return;
    }
    add(heap_.allocated, event.bytes);
    add(holder(heap_.sites, event.caller).allocated, event.bytes);
    add(holder(heap_.threads, timed.thread).allocated, event.bytes);
    ++heap_.sizes[static_cast<size_t>(std::bit_width(event.bytes))];
    if (HeapPart* part = part_of(timed.time)) ++part->allocations;
  }

  static void add(HeapAmount& amount, uint64_t bytes) {
    ++amount.blocks;
    amount.bytes += bytes;
  }
  static void take_away(HeapAmount& amount, uint64_t bytes) {
    --amount.blocks;
    amount.bytes -= bytes;
  }

  // The share of a holder, which keeps what it was at the last peak until it is asked for.
  static Share& changing(std::map<uint64_t, Share>& shares, uint64_t key, uint64_t peaks) {
    if (shares.size() >= kMaxHolders && !shares.contains(key)) key = HeapStatistics::kOthers;
    Share& share = shares[key];
    if (share.peak != peaks) share.at_peak = share.now;
    share.peak = peaks;
    return share;
  }

  void take(const LiveBlock& block, uint64_t time) {
    add(live_, block.bytes);
    add(changing(site_shares_, block.caller, peaks_).now, block.bytes);
    add(changing(thread_shares_, block.thread, peaks_).now, block.bytes);
    if (is_in_ && live_.bytes > heap_.peak.bytes) {
      heap_.peak = live_;
      heap_.peak_time = time;
      ++peaks_;
    }
    note_part(time);
  }
  void give_back(const LiveBlock& block, uint64_t time) {
    take_away(live_, block.bytes);
    take_away(changing(site_shares_, block.caller, peaks_).now, block.bytes);
    take_away(changing(thread_shares_, block.thread, peaks_).now, block.bytes);
    note_part(time);
    if (!is_in_) return;
    const bool is_known = !lost_.touch(block.since, time);
    const Extent life{block.since, time, 0};
    if (is_known) heap_.lifetimes.add(life, Precision::kSketch, &room_);
    for (HeapHolder* one :
         {&holder(heap_.sites, block.caller), &holder(heap_.threads, block.thread)}) {
      add(one->freed, block.bytes);
      if (is_known) one->lifetimes.add(life, Precision::kSketch, &room_);
    }
  }

  HeapPart* part_of(uint64_t time) {
    if (!is_in_ || heap_.parts.empty()) return nullptr;
    const auto at = std::ranges::lower_bound(heap_.parts, time, {}, &HeapPart::end);
    return at == heap_.parts.end() ? &heap_.parts.back() : &*at;
  }
  // Parts without a change have what was live ahead of them.
  void note_part(uint64_t time) {
    HeapPart* const part = part_of(time);
    if (part == nullptr) return;
    for (; next_part_ != part; ++next_part_) *next_part_ = carried(*next_part_);
    part->live = live_;
    part->most_bytes = std::max({part->most_bytes, before_.bytes, live_.bytes});
    before_ = live_;
  }
  HeapPart carried(HeapPart part) const {
    part.live = before_;
    part.most_bytes = std::max(part.most_bytes, before_.bytes);
    return part;
  }

 public:
  // The parts of the stretch, once both of its ends are known by times.
  void divide(uint64_t from, uint64_t to) {
    heap_.parts.resize(HeapStatistics::kParts);
    const unsigned __int128 length = to - from;
    for (size_t i = 0; i < heap_.parts.size(); ++i)
      heap_.parts[i].end = from + static_cast<uint64_t>(length * (i + 1) / HeapStatistics::kParts);
    next_part_ = heap_.parts.data();
  }

 private:
  void settle_all() {
    if (!heap_.parts.empty())
      for (HeapPart* end = heap_.parts.data() + heap_.parts.size(); next_part_ != end; ++next_part_)
        *next_part_ = carried(*next_part_);
    settle(site_shares_, heap_.sites);
    settle(thread_shares_, heap_.threads);
  }
  void settle(std::map<uint64_t, Share>& shares, std::map<uint64_t, HeapHolder>& holders) {
    for (auto& [key, share] : shares) {
      const Share& now = changing(shares, key, peaks_);
      HeapHolder& one = holders[key];
      one.live = now.now;
      one.at_peak = now.at_peak;
    }
  }

  void judge_live() {
    for (const auto& [place, block] : model_.live()) {
      const bool is_unknown = lost_.touch(block.since, heap_.to);
      const bool is_leak = block.number >= first_of_stretch_;
      if (is_unknown) add(heap_.unknown, block.bytes);
      for (HeapHolder* one :
           {&holder(heap_.sites, block.caller), &holder(heap_.threads, block.thread)}) {
        if (is_unknown) add(one->unknown, block.bytes);
        if (!is_leak) continue;
        add(is_unknown ? one->perhaps_leaked : one->leaked, block.bytes);
        const bool is_first = one->leaked.blocks + one->perhaps_leaked.blocks == 1;
        one->first_leak = is_first ? block.since : std::min(one->first_leak, block.since);
        one->last_leak = std::max(one->last_leak, block.since);
      }
    }
  }

  void name_pool(const TimedHeapEvent& timed) {
    model_.see(timed.event, timed.provider, timed.thread, timed.time);
    const size_t count = model_.pools().size();
    pool_states_.resize(count);
    for (size_t i = 0; i < count; ++i) {
      const HeapModel::Pool& pool = model_.pools()[i];
      if (pool.begin != timed.event.address || pool.provider != timed.provider) continue;
      pool_states_[i] = {std::string(timed.event.name.substr(0, kMaxPoolName)), pool.used,
                         pool.used};
    }
  }
  // Takes what is live at the event's place out of its pool's sum, or adds it.
  void note_pools(const TimedHeapEvent& timed, int sign) {
    if (model_.pools().empty()) return;
    const HeapPlace place{timed.provider, timed.event.address};
    const auto block = model_.live().find(place);
    if (block == model_.live().end()) return;
    const std::optional<size_t> pool = model_.pool_of(place);
    if (!pool) return;
    PoolState& state = pool_states_[*pool];
    if (sign < 0) {
      state.bytes -= std::min(state.bytes, block->second.bytes);
    } else {
      state.bytes += block->second.bytes;
      if (is_in_) state.peak = std::max(state.peak, state.bytes);
    }
  }
  void judge_pools() {
    for (size_t i = 0; i < model_.pools().size(); ++i) {
      const HeapModel::Pool& pool = model_.pools()[i];
      HeapPoolStatistics one;
      one.name = pool_states_[i].name;
      one.begin = pool.begin;
      one.bytes = pool.bytes;
      one.peak_bytes = pool_states_[i].peak;
      one.is_known = pool.used == 0 && !lost_.touch(pool.since, heap_.to);
      uint64_t at = pool.begin;
      const auto first = model_.live().lower_bound({pool.provider, pool.begin});
      for (auto block = first; block != model_.live().end() && pool.has(block->first); ++block) {
        const uint64_t address = block->first.address;
        if (address > at) one.largest_hole = std::max(one.largest_hole, address - at);
        at = std::max(at,
                      address + std::min(block->second.bytes, pool.begin + pool.bytes - address));
        add(one.live, block->second.bytes);
      }
      one.largest_hole = std::max(one.largest_hole, pool.begin + pool.bytes - at);
      heap_.pools.push_back(std::move(one));
    }
  }

  static constexpr size_t kMaxPoolName = 64;
  struct PoolState {
    std::string name;
    uint64_t bytes = 0;
    uint64_t peak = 0;
  };

  HeapStatistics& heap_;
  LostStretches& lost_;
  HeapModel model_;
  DistributionRoom room_;
  uint64_t begins_at_ = 0;
  uint64_t ends_at_ = kForever;
  bool is_in_ = false;
  bool has_ended_ = false;
  HeapAmount live_;
  HeapAmount before_;  // after the last change
  uint64_t peaks_ = 1;
  uint64_t first_of_stretch_ = 0;  // of allocations
  std::map<uint64_t, Share> site_shares_;
  std::map<uint64_t, Share> thread_shares_;
  std::vector<PoolState> pool_states_;
  HeapPart* next_part_ = nullptr;
};

HeapAmount sum_of(const std::map<uint64_t, HeapHolder>& holders, HeapAmount HeapHolder::* part) {
  HeapAmount sum;
  for (const auto& [key, one] : holders) {
    sum.blocks += (one.*part).blocks;
    sum.bytes += (one.*part).bytes;
  }
  return sum;
}

}  // namespace

HeapAmount HeapStatistics::leaked() const { return sum_of(sites, &HeapHolder::leaked); }
HeapAmount HeapStatistics::perhaps_leaked() const {
  return sum_of(sites, &HeapHolder::perhaps_leaked);
}

Result<HeapStatistics> collect_heap(Source& source, Form form, const HeapOptions& options) {
  HeapStatistics heap;
  Survey seen = survey(source, form, heap.trace);
  if (!seen.several_rates && seen.rate) heap.trace.ticks_per_second = *seen.rate;
  const uint64_t rate = heap.trace.ticks_per_second;
  LostStretches lost(seen.losses);
  HeapFold fold(heap, lost);

  std::optional<uint64_t> first;
  uint64_t last = 0;
  SpillingSorter<TimedHeapEvent, HeapEventBefore> sorter({.elements = options.sorted_in_memory});
  Status status;
  Reader reader(source.bytes(), form);
  reader.on_passed([&](uint64_t offset) { source.release_before(offset); });
  const auto add = [&](TimedHeapEvent timed) {
    if (status.ok()) status = sorter.add(timed, timed.event.name);
  };
  const auto see_instant = [&](const Event& event, uint64_t time, uint64_t offset) {
    // Addresses are each provider's own.
    TimedHeapEvent timed{.time = time,
                         .offset = offset,
                         .provider = reinterpret_cast<uintptr_t>(&reader.provider()),
                         .thread = event.thread.thread,
                         .event = {},
                         .mark = TimedHeapEvent::Mark::kEvent};
    if (const auto block = heap_event(event)) {
      timed.event = *block;
      add(timed);
    }
    timed.event = {};
    if (!options.from.marker.empty() && event.name.bytes == options.from.marker) {
      timed.mark = TimedHeapEvent::Mark::kFrom;
      add(timed);
    }
    if (!options.to.marker.empty() && event.name.bytes == options.to.marker) {
      timed.mark = TimedHeapEvent::Mark::kTo;
      add(timed);
    }
  };
  reader.walk([&](const auto& view, const Place& place) {
    using View = std::decay_t<decltype(view)>;
    const auto unit = [&](uint64_t ticks) {
      return time_in_unit(ticks, reader.provider(), seen.several_rates);
    };
    if constexpr (requires { view.timestamp; } && !std::is_same_v<View, LargeBlob>) {
      const uint64_t time = unit(view.timestamp);
      first = std::min(first.value_or(time), time);
      last = std::max(last, time);
      if constexpr (std::is_same_v<View, Event>) {
        if (is_complete(view)) last = std::max(last, unit(view.trailing));
        if (view.type == fxt::EventType::kInstant) see_instant(view, time, place.offset);
      }
    }
    source.release_before(place.offset);
  });
  if (!status.ok()) return status.error();

  const uint64_t begin = options.from.time ? options.from.time->ticks(rate) : first.value_or(0);
  const uint64_t end = options.to.time ? options.to.time->ticks(rate) : last;
  const bool by_times = options.from.marker.empty() && options.to.marker.empty();
  fold.set_from(options.from.marker.empty() ? begin : kForever);
  fold.set_to(options.to.marker.empty() ? end : kForever);
  if (by_times && begin > end)
    return Error{"ends before it begins", "--leaks", "give the earlier moment first"};
  if (by_times) fold.divide(begin, end);
  status = sorter.take([&](const TimedHeapEvent& timed, std::string_view name) {
    TimedHeapEvent one = timed;
    one.event.name = name;
    fold.see(one);
  });
  if (!status.ok()) return status.error();
  if (!options.from.marker.empty() && !fold.has_begun())
    return Error{"there is no instant of this name", "'" + options.from.marker + "'", {}};
  if (!options.to.marker.empty() && !fold.has_ended())
    return Error{
        "there is no instant of this name behind the begin", "'" + options.to.marker + "'", {}};
  fold.finish(last);
  return heap;
}

}  // namespace barefxt::host
