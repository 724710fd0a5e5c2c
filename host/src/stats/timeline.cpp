// Hands each moment to the sums that need it.
#include "timeline.h"

#include <barefxt/fxt/scheduling.h>

namespace barefxt::host {
namespace {

bool is_blocked(uint8_t state) {
  const auto left_in = static_cast<fxt::ThreadState>(state);
  return left_in == fxt::ThreadState::kBlocked || left_in == fxt::ThreadState::kSuspended;
}

}  // namespace

Timeline::Timeline(Statistics& statistics, Names& names, Survey& survey, const Window& window,
                   const StatisticsOptions& options, TimelineObserver* observer)
    : statistics_(statistics),
      names_(names),
      losses_(survey.losses),
      window_(window),
      observer_(observer),
      seer_(observer != nullptr && observer->wants_moments() ? observer : nullptr),
      scheduling_(statistics, window, epoch_, observer),
      slices_(
          statistics, names, window, options.selection, epoch_,
          [this](unsigned cpu) -> std::optional<uint64_t> {
            const Scheduling::Number thread = scheduling_.current(cpu);
            if (thread == Scheduling::kNobody) return std::nullopt;
            const uint64_t koid = scheduling_.koid_of(thread);
            return statistics_.is_idle(koid) ? std::nullopt : std::optional(koid);
          },
          [this](const Extent& wait, uint64_t thread, uint32_t label) {
            const ProbeName& name = names_.labels[label];
            const uint32_t object = names_.objects.number_of(
                {label, 0, std::nullopt}, name.category.size() + name.name.size());
            if (object == Labels::kNone) {
              ++statistics_.left_out;
            } else {
              contention_.wait_of_pair(wait, thread, object);
            }
          },
          observer),
      values_(statistics, names, window, epoch_),
      flows_(statistics, names, window, epoch_, observer),
      locks_(names, epoch_, scheduling_, observer),
      contention_(statistics, names, window, options.selection, scheduling_, locks_, observer),
      jobs_(statistics, names, window, epoch_, options.deadlines, survey.has_jobs) {}

void Timeline::pass_edges(uint64_t time) {
  const std::vector<LossTimes::Edge>& edges = losses_.edges();
  while (next_edge_ < edges.size()) {
    const LossTimes::Edge& edge = edges[next_edge_];
    if (edge.time > time || (edge.time == time && edge.begins)) return;
    pass(edge);
    ++next_edge_;
  }
}

void Timeline::pass(const LossTimes::Edge& edge) {
  ++epoch_.number;
  if (edge.begins) {
    if (observer_ != nullptr) observer_->lose(edge.cpu, edge.time);
    ++epoch_.losing;
    scheduling_.lose(edge.cpu, edge.time);
    slices_.lose(edge.cpu);
    if (!edge.cpu) slices_.cut_interrupts(edge.time);
    if (is_arriving_ && edge.cpu) slices_.cut_interrupts(*edge.cpu, edge.time);
    values_.lose(edge.time);
    locks_.lose();
  } else {
    --epoch_.losing;
    scheduling_.regain(edge.cpu, edge.time);
    slices_.regain(edge.cpu, edge.time);
    if (observer_ != nullptr) observer_->regain(edge.cpu, edge.time);
  }
}

void Timeline::dispatch(const Moment& moment) {
  if (seer_ != nullptr) [[unlikely]]
    seer_->see(moment);
  switch (moment.kind) {
    case MomentKind::kSwitch:
      if (jobs_.is_needed()) jobs_.change(moment);
      locks_.advance(moment.time);
      if (observer_ != nullptr) observer_->change(moment);
      scheduling_.change(moment);
      if (is_blocked(moment.state)) locks_.left(moment.a);
      return;
    case MomentKind::kWakeup:
      if (jobs_.is_needed()) jobs_.wake(moment);
      locks_.advance(moment.time);
      if (moment.state != 0) slices_.add_unannounced(moment);
      return scheduling_.wake(moment, moment.state != 0 || slices_.in_interrupt(moment.cpu));
    case MomentKind::kJobBegin:
      return jobs_.begin(moment);
    case MomentKind::kJobEnd:
      return jobs_.end(moment);
    case MomentKind::kBegin:
      return slices_.begin(moment);
    case MomentKind::kEnd:
      return slices_.end(moment);
    case MomentKind::kCut:
      return slices_.cut(moment);
    case MomentKind::kComplete:
      return slices_.complete(moment);
    case MomentKind::kWait:
      return contention_.wait(moment);
    case MomentKind::kBlocks:
      contention_.blocks(moment);
      return locks_.blocks(moment);
    case MomentKind::kHold:
      return locks_.hold(moment);
    case MomentKind::kRelease:
      return locks_.release(moment);
    case MomentKind::kCounter:
      return values_.add(moment);
    case MomentKind::kFlowBegin:
    case MomentKind::kFlowStep:
    case MomentKind::kFlowEnd:
      return flows_.add(moment);
    case MomentKind::kInstant:
      return;
  }
}

void Timeline::finish(uint64_t end) {
  pass_edges(end);
  if (observer_ != nullptr) observer_->finishing(end);
  scheduling_.finish(end);
  slices_.finish(end);
  values_.finish(end);
  flows_.finish();
  contention_.finish();
  jobs_.finish(end);
  count_losses();
  observe_losses();
}

void Timeline::count_losses() {
  for (auto& [number, cpu] : statistics_.cpus)
    cpu.lost = losses_.covered(number, statistics_.first, statistics_.last);
  statistics_.loss_ticks = losses_.covered(statistics_.first, statistics_.last);
}

Statistics Timeline::figures(bool is_over) {
  const uint64_t end = std::max(statistics_.last, latest_);
  pass_edges(is_over ? end : latest_);
  // Copies of the parts finish into a copy of the statistics, which stands in the place that the
  // parts refer to. The parts keep pointers to elements, which stay where they are in `kept`.
  Statistics kept = statistics_;
  std::swap(kept, statistics_);
  Scheduling(scheduling_).finish(end);
  Slices(slices_).finish(end);
  Values(values_).finish(end);
  Flows(flows_).finish();
  Contention contention(contention_);
  contention.find_sums_anew();
  contention.finish();
  Jobs jobs(jobs_);
  jobs.find_sums_anew();
  jobs.finish(end);
  count_losses();
  std::swap(kept, statistics_);
  return kept;
}

void Timeline::lose(unsigned cpu, Loss loss) {
  is_arriving_ = true;
  loss.begin = std::max(loss.begin, latest_);
  loss.end = std::max(loss.end, loss.begin);
  next_edge_ = losses_.add_ahead(cpu, loss, next_edge_);
}

void Timeline::observe_losses() const {
  if (observer_ == nullptr) return;
  for (const auto& [cpu, losses] : losses_.by_cpu()) {
    for (const Loss& loss : losses) {
      const Extent when{std::max(loss.begin, statistics_.first),
                        std::min(loss.end, statistics_.last), kNoRecord};
      if (when.begin <= when.end) observer_->lost(cpu, when);
    }
  }
}

}  // namespace barefxt::host
