// Every number with its name.
#include <barefxt/host/measures.h>
#include <barefxt/host/stacks.h>

#include "shares.h"

namespace barefxt::host {
namespace {

class Rows {
 public:
  Rows(const Statistics& statistics, const std::function<void(const Measure&)>& see)
      : statistics_(statistics), see_(see) {}

  void all() {
    for (const auto& [number, cpu] : statistics_.cpus) {
      Subject subject;
      subject.cpu = number;
      ticks("observed", subject, "total", cpu.observed);
      time("busy", subject, cpu.busy, cpu.observed);
      time("idle", subject, cpu.idle, cpu.observed);
      time("unknown", subject, cpu.unknown, cpu.observed);
      time("lost", subject, cpu.lost, statistics_.span());
      switches(subject, cpu.switches);
    }
    for (const ThreadGroup& group : statistics_.groups)
      count("threads", of_group(group), group.threads);
    each_thread([&](const Subject& subject, const ThreadStatistics& thread) {
      ticks("observed", subject, "total", thread.observed());
      running_on(subject, thread);
      for (size_t i = 0; i < kThreadTimeKinds; ++i)
        time(kThreadTimeNames[i], subject, thread.time_in[i], base_of(statistics_, thread, i));
      count("runs", subject, thread.runs);
      count("wakeups", subject, thread.wakeups);
      count("missing_wakeups", subject, thread.missing_wakeups);
      switches(subject, thread.switches);
    });
    for (const auto& [key, interrupt] : statistics_.interrupts) {
      const Subject subject = of_interrupt(key);
      row("interrupt", subject, "rate", Unit::kPerSecond,
          rate(statistics_, key.cpu, interrupt.length.count()));
      ticks("interrupt", subject, "own", interrupt.own);
      number("interrupt", subject, "nested", interrupt.nested);
      number("interrupt", subject, "deepest", interrupt.deepest);
    }
    for (const auto& [key, wakeups] : statistics_.unannounced_interrupts)
      number("unannounced_interrupt", of_interrupt(key), "wakeups", wakeups);
    for (const auto& [label, duration] : statistics_.durations) {
      const Subject subject = of_label(label);
      duration_rows("duration", subject, duration);
    }
    for (const auto& [name, calls] : statistics_.functions)
      duration_rows("function", of_function(name), calls);
    counters();
    for (const auto& [label, flow] : statistics_.flows) {
      const Subject subject = of_label(label);
      number("flow", subject, "begun", flow.begun);
      number("flow", subject, "steps", flow.steps);
      number("flow", subject, "ended", flow.ended);
      number("flow", subject, "unfinished", flow.unfinished);
      number("flow", subject, "in_doubt", flow.in_doubt);
    }
    for (const auto& [key, jobs] : statistics_.jobs) job_rows(of_job(key), jobs);
    distributions();
    for (const auto& [key, lock] : statistics_.contention) {
      const Subject subject = of_object(key);
      number("contention", subject, "woken_in_vain", lock.woken_in_vain);
      number("contention", subject, "unfinished", lock.unfinished);
    }
    inversions();
    losses();
    trace();
  }

  static Subject of_label(const ProbeName& label) {
    Subject subject;
    subject.category = label.category;
    subject.name = label.name;
    return subject;
  }
  static Subject of_function(const std::string& name) {
    Subject subject;
    subject.category = kCallCategory;
    subject.name = name;
    return subject;
  }
  static Subject of_interrupt(const InterruptKey& key) {
    Subject subject;
    subject.cpu = key.cpu;
    subject.name = key.name;
    return subject;
  }
  Subject of_object(const ObjectKey& key) const {
    Subject subject = of_label(key.label);
    subject.object = key.pointer;
    subject.object_name = statistics_.name_of(key);
    subject.kind = kind_of_wait(key.label);
    return subject;
  }
  Subject of_thread(uint64_t koid) const {
    Subject subject;
    subject.thread = koid;
    subject.thread_name = statistics_.name_of(koid);
    return subject;
  }
  Subject of_job(const JobKey& key) const {
    Subject subject = of_thread(key.thread);
    subject.category = key.source == JobSource::kRecorded ? "recorded" : "wakeups";
    subject.name = key.name;
    return subject;
  }
  Subject of_group(const ThreadGroup& group) const {
    Subject subject;
    subject.process = group.process;
    (statistics_.group_by == GroupBy::kName ? subject.thread_name : subject.process_name) =
        group.name;
    return subject;
  }
  // The rows that threads have: their own, or those of their groups.
  template <typename See>
  void each_thread(const See& see) const {
    for (const ThreadGroup& group : statistics_.groups) see(of_group(group), group.sum);
    if (statistics_.group_by != GroupBy::kThread) return;
    for (const auto& [koid, thread] : statistics_.threads) see(of_thread(koid), thread);
  }

 private:
  void row(std::string_view metric, const Subject& subject, std::string_view statistic, Unit unit,
           double value, const Extent* where = nullptr) const {
    see_({metric, subject, statistic, unit, value, where});
  }
  void ticks(std::string_view metric, const Subject& subject, std::string_view statistic,
             uint64_t ticks) const {
    row(metric, subject, statistic, Unit::kTicks, static_cast<double>(ticks));
  }
  void number(std::string_view metric, const Subject& subject, std::string_view statistic,
              uint64_t number) const {
    row(metric, subject, statistic, Unit::kCount, static_cast<double>(number));
  }
  void time(std::string_view metric, const Subject& subject, uint64_t ticks, uint64_t whole) const {
    this->ticks(metric, subject, "total", ticks);
    row(metric, subject, "share", Unit::kShare, share(ticks, whole));
  }
  void count(std::string_view metric, const Subject& subject, uint64_t count) const {
    row(metric, subject, "count", Unit::kCount, static_cast<double>(count));
  }
  void duration_rows(std::string_view metric, const Subject& subject,
                     const DurationStatistics& duration) const {
    ticks(metric, subject, "self", duration.self);
    number(metric, subject, "self_count", duration.self_count);
    number(metric, subject, "in_doubt", duration.in_doubt);
    number(metric, subject, "unended", duration.unended);
  }
  void job_rows(const Subject& subject, const JobStatistics& jobs) const {
    row("job", subject, "period_ns", Unit::kValue, static_cast<double>(jobs.period_ns));
    row("job", subject, "deadline_ns", Unit::kValue, static_cast<double>(jobs.deadline_ns));
    number("job", subject, "not_due", jobs.not_due);
    number("job", subject, "in_doubt", jobs.in_doubt);
    number("job", subject, "without_deadline", jobs.without_deadline);
    // If none could be judged, there is no number to hold to a bound.
    if (jobs.judged() == 0) return;
    number("job", subject, "on_time", jobs.on_time);
    number("job", subject, "late", jobs.late);
    row("job", subject, "late_share", Unit::kShare, jobs.late_share());
    number("job", subject, "overdue", jobs.overdue);
    ticks("job", subject, "overdue_ticks", jobs.overdue_ticks);
  }
  void running_on(const Subject& thread, const ThreadStatistics& sum) const {
    Subject there = thread;
    for (const auto& [cpu, ticks] : sum.running_by_cpu) {
      there.cpu = cpu;
      time("running_on", there, ticks, sum.time(ThreadTime::kRunning));
    }
  }
  void switches(const Subject& subject, const Switches& switches) const {
    count("switches", subject, switches.total());
    for (size_t i = 0; i < kSwitchCauses; ++i)
      row("switches", subject, kSwitchCauseNames[i], Unit::kCount,
          static_cast<double>(switches.by_cause[i]));
  }

  void distributions() const {
    for_each_distribution(statistics_, [&](std::string_view metric, const Subject& subject,
                                           const Distribution& lengths) {
      count(metric, subject, lengths.count());
      row(metric, subject, "total", Unit::kTicks, static_cast<double>(lengths.total()));
      // An empty set has neither mean nor maximum.
      if (lengths.count() == 0) return;
      const Extent* where = &lengths.longest_extent();
      row(metric, subject, "mean", Unit::kTicks, lengths.mean(), where);
      row(metric, subject, "min", Unit::kTicks, static_cast<double>(lengths.shortest()));
      for (const TicksAbove& one : statistics_.above) {
        const uint64_t above = lengths.count_above(one.ticks);
        number(metric, subject, "count above " + one.text, above);
        row(metric, subject, "share above " + one.text, Unit::kShare,
            share(above, lengths.count()));
      }
      for (const Percentile& one : kPercentiles)
        row(metric, subject, one.name, Unit::kTicks,
            static_cast<double>(lengths.quantile(one.per_mille)), where);
      Subject longest = subject;
      if (metric == "kept_off") {
        const InterruptStatistics& one = statistics_.interrupts.at({*subject.cpu, subject.name});
        longest.thread = one.kept_off_longest;
        longest.thread_name = statistics_.name_of(one.kept_off_longest);
      }
      row(metric, longest, "max", Unit::kTicks, static_cast<double>(lengths.longest()), where);
    });
  }

  void counters() const {
    for (const auto& [key, series] : statistics_.counters) {
      Subject subject = of_label(key.label);
      subject.argument = key.argument;
      subject.object = key.id;
      if (is_stack(key.label.category, key.label.name)) {
        subject.thread = key.id;
        subject.thread_name = name_of_stack(statistics_, key.id);
      }
      count("counter", subject, series.samples);
      ticks("counter", subject, "covered", series.covered);
      if (series.samples == 0) continue;
      row("counter", subject, "min", Unit::kValue, series.least_real);
      row("counter", subject, "max", Unit::kValue, series.most_real);
      row("counter", subject, "last", Unit::kValue, series.last_real);
      row("counter", subject, "mean", Unit::kValue, series.mean());
      row("counter", subject, "time_weighted_mean", Unit::kValue, series.time_weighted_mean());
    }
  }

  void inversions() const {
    uint64_t all = 0;
    for (const auto& [key, inversion] : statistics_.inversions) {
      Subject subject = of_object(key.object);
      subject.thread = key.waiter;
      subject.thread_name = statistics_.name_of(key.waiter);
      subject.holder = key.holder;
      subject.holder_name = statistics_.name_of(key.holder);
      subject.runner = key.runner;
      subject.runner_name = statistics_.name_of(key.runner);
      row("priority_inversion", subject, "count", Unit::kCount,
          static_cast<double>(inversion.times), &inversion.longest);
      row("priority_inversion", subject, "waits", Unit::kCount,
          static_cast<double>(inversion.waits), &inversion.longest);
      row("priority_inversion", subject, "total", Unit::kTicks,
          static_cast<double>(inversion.ticks), &inversion.longest);
      row("priority_inversion", subject, "max", Unit::kTicks,
          static_cast<double>(inversion.longest_ticks), &inversion.longest);
      all += inversion.times;
    }
    count("priority_inversion", {}, all);
  }

  void losses() const {
    uint64_t records = 0;
    uint64_t times = 0;
    for (const auto& [key, loss] : statistics_.losses) {
      records += loss.records;
      times += loss.times;
      loss_rows(key.first, key.second, loss);
    }
    number("losses", {}, "records", records);
    count("losses", {}, times);
    number("losses", {}, "buffer_full_events", statistics_.buffer_full_events);
    time("losses", {}, statistics_.loss_ticks, statistics_.span());
  }

  void loss_rows(std::string_view pseudo_thread, const std::string& where,
                 const LossStatistics& loss) const {
    Subject subject;
    subject.cpu = cpu_of_name(pseudo_thread);
    subject.name = where;
    count("loss", subject, loss.times);
    number("loss", subject, "records", loss.records);
    number("loss", subject, "records_unknown", loss.records_unknown ? 1 : 0);
    number("loss", subject, "bytes", loss.bytes);
    number("loss", subject, "bytes_unknown", loss.bytes_unknown ? 1 : 0);
    ticks("loss", subject, "first", loss.first);
    ticks("loss", subject, "last", loss.last);
  }

  // The extent of the trace.
  void trace() const {
    row("trace", {}, "ticks_per_second", Unit::kPerSecond,
        static_cast<double>(statistics_.ticks_per_second));
    ticks("trace", {}, "first", statistics_.first);
    ticks("trace", {}, "last", statistics_.last);
    ticks("trace", {}, "span", statistics_.span());
    row("trace", {}, "quantile_error", Unit::kShare,
        statistics_.precision == Precision::kExact ? 0 : Distribution::kRelativeError);
    number("trace", {}, "sorted", statistics_.sorted ? 1 : 0);
    number("trace", {}, "left_out", statistics_.left_out);
    number("trace", {}, "unmatched_begins", statistics_.unmatched_begins);
    number("trace", {}, "unmatched_ends", statistics_.unmatched_ends);
    number("trace", {}, "malformed_places", statistics_.malformed_places);
    number("trace", {}, "malformed_bytes", statistics_.malformed_bytes);
    count("records", {}, statistics_.records);
    for (const auto& [kind, records] : statistics_.records_by_kind) {
      Subject subject;
      subject.name = kind;
      count("records", subject, records);
    }
    if (!statistics_.calls_left_out) return;
    const LeftOutCallsStatistics& left = *statistics_.calls_left_out;
    number("calls_left_out", {}, "too_short", left.too_short);
    number("calls_left_out", {}, "too_deep", left.too_deep);
    number("calls_left_out", {}, "without_end", left.without_end);
    number("calls_left_out", {}, "open", left.open);
  }

  const Statistics& statistics_;
  const std::function<void(const Measure&)>& see_;
};

}  // namespace

std::string_view name_of(Unit unit) {
  switch (unit) {
    case Unit::kTicks:
      return "ticks";
    case Unit::kCount:
      return "count";
    case Unit::kShare:
      return "share";
    case Unit::kPerSecond:
      return "per_second";
    case Unit::kValue:
      break;
  }
  return "value";
}

void for_each_measure(const Statistics& statistics,
                      const std::function<void(const Measure&)>& see) {
  Rows(statistics, see).all();
}

void for_each_distribution(const Statistics& statistics,
                           const std::function<void(std::string_view metric, const Subject& subject,
                                                    const Distribution& lengths)>& see) {
  const std::function<void(const Measure&)> no_sink;
  const Rows rows(statistics, no_sink);
  rows.each_thread([&](const Subject& subject, const ThreadStatistics& thread) {
    see("wakeup_latency", subject, thread.latency);
    see("run", subject, thread.run);
    see("block", subject, thread.block);
  });
  for (const auto& [key, interrupt] : statistics.interrupts) {
    const Subject subject = Rows::of_interrupt(key);
    see("interrupt", subject, interrupt.length);
    see("kept_off", subject, interrupt.kept_off);
  }
  for (const auto& [label, duration] : statistics.durations)
    see("duration", Rows::of_label(label), duration.total);
  for (const auto& [name, calls] : statistics.functions)
    see("function", Rows::of_function(name), calls.total);
  for (const auto& [label, flow] : statistics.flows)
    see("flow", Rows::of_label(label), flow.end_to_end);
  for (const auto& [key, jobs] : statistics.jobs) {
    const Subject subject = rows.of_job(key);
    see("job", subject, jobs.response);
    see("job_interval", subject, jobs.interval);
  }
  for (const auto& [key, lock] : statistics.contention) {
    Subject subject = rows.of_object(key);
    see("contention", subject, lock.wait);
    for (const auto& [holder, waits] : lock.by_holder) {
      subject.holder = holder;
      subject.holder_unknown = !holder;
      subject.holder_name = holder ? statistics.name_of(*holder) : "unknown";
      see("contention", subject, waits);
    }
  }
}

}  // namespace barefxt::host
