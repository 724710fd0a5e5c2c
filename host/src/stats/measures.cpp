// Every number with its name.
#include <algorithm>
#include <cstdio>

#include <barefxt/host/measures.h>

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
      time("busy", subject, cpu.busy, cpu.observed);
      time("idle", subject, cpu.idle, cpu.observed);
      time("unknown", subject, cpu.unknown, cpu.observed);
      time("lost", subject, cpu.lost, statistics_.span());
      switches(subject, cpu.switches);
    }
    for (const auto& [koid, thread] : statistics_.threads) {
      const Subject subject = of_thread(koid);
      for (std::size_t i = 0; i < kSpentKinds; ++i)
        time(kSpentNames[i], subject, thread.spent[i], thread.observed());
      count("runs", subject, thread.runs);
      count("wakeups", subject, thread.wakeups);
      count("missing_wakeups", subject, thread.missing_wakeups);
      switches(subject, thread.switches);
    }
    for (const auto& [key, interrupt] : statistics_.interrupts) {
      const Subject subject = of_interrupt(key);
      row("interrupt", subject, "rate", Unit::kPerSecond,
          rate(statistics_, key.cpu, interrupt.length.count()));
      row("interrupt", subject, "own", Unit::kTicks, static_cast<double>(interrupt.own));
      row("interrupt", subject, "nested", Unit::kCount, static_cast<double>(interrupt.nested));
      row("interrupt", subject, "deepest", Unit::kCount, static_cast<double>(interrupt.deepest));
    }
    for (const auto& [label, duration] : statistics_.durations) {
      const Subject subject = of_label(label);
      duration_rows("duration", subject, duration);
    }
    for (const auto& [name, calls] : statistics_.functions)
      duration_rows("function", of_function(name), calls);
    counters();
    for (const auto& [label, flow] : statistics_.flows) {
      const Subject subject = of_label(label);
      row("flow", subject, "begun", Unit::kCount, static_cast<double>(flow.begun));
      row("flow", subject, "steps", Unit::kCount, static_cast<double>(flow.steps));
      row("flow", subject, "ended", Unit::kCount, static_cast<double>(flow.ended));
      row("flow", subject, "unfinished", Unit::kCount, static_cast<double>(flow.unfinished));
      row("flow", subject, "in_doubt", Unit::kCount, static_cast<double>(flow.in_doubt));
    }
    distributions();
    inversions();
    losses();
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
  static Subject of_object(const ObjectKey& key) {
    Subject subject = of_label(key.label);
    subject.object = key.pointer;
    return subject;
  }
  Subject of_thread(std::uint64_t koid) const {
    Subject subject;
    subject.thread = koid;
    subject.thread_name = statistics_.name_of(koid);
    return subject;
  }

 private:
  void row(std::string_view metric, const Subject& subject, std::string_view statistic, Unit unit,
           double value, const Extent* where = nullptr) const {
    see_({metric, subject, statistic, unit, value, where});
  }
  void time(std::string_view metric, const Subject& subject, std::uint64_t ticks,
            std::uint64_t whole) const {
    row(metric, subject, "total", Unit::kTicks, static_cast<double>(ticks));
    row(metric, subject, "share", Unit::kShare, share(ticks, whole));
  }
  void count(std::string_view metric, const Subject& subject, std::uint64_t count) const {
    row(metric, subject, "count", Unit::kCount, static_cast<double>(count));
  }
  void duration_rows(std::string_view metric, const Subject& subject,
                     const DurationStatistics& duration) const {
    row(metric, subject, "self", Unit::kTicks, static_cast<double>(duration.self));
    row(metric, subject, "in_doubt", Unit::kCount, static_cast<double>(duration.in_doubt));
    row(metric, subject, "unended", Unit::kCount, static_cast<double>(duration.unended));
  }
  void switches(const Subject& subject, const Switches& switches) const {
    count("switches", subject, switches.total());
    for (std::size_t i = 0; i < kSwitchCauses; ++i)
      row("switches", subject, kSwitchCauseNames[i], Unit::kCount,
          static_cast<double>(switches.by_cause[i]));
  }

  void distributions() const {
    for_each_distribution(statistics_, [&](std::string_view metric, const Subject& subject,
                                           const Distribution& lengths) {
      count(metric, subject, lengths.count());
      row(metric, subject, "total", Unit::kTicks, static_cast<double>(lengths.total()));
      // Of no length there is neither mean nor maximum.
      if (lengths.count() == 0) return;
      const Extent* where = &lengths.longest_extent();
      row(metric, subject, "mean", Unit::kTicks, lengths.mean(), where);
      row(metric, subject, "min", Unit::kTicks, static_cast<double>(lengths.shortest()));
      for (const Percentile& one : kPercentiles)
        row(metric, subject, one.name, Unit::kTicks,
            static_cast<double>(lengths.quantile(one.per_mille)), where);
      row(metric, subject, "max", Unit::kTicks, static_cast<double>(lengths.longest()), where);
    });
  }

  void counters() const {
    for (const auto& [key, series] : statistics_.counters) {
      Subject subject = of_label(key.label);
      subject.argument = key.argument;
      subject.object = key.id;
      count("counter", subject, series.samples);
      if (series.samples == 0) continue;
      row("counter", subject, "min", Unit::kValue, series.least_real);
      row("counter", subject, "max", Unit::kValue, series.most_real);
      row("counter", subject, "last", Unit::kValue, series.last_real);
      row("counter", subject, "mean", Unit::kValue, series.mean());
      row("counter", subject, "time_weighted_mean", Unit::kValue, series.time_weighted_mean());
    }
  }

  void inversions() const {
    std::uint64_t all = 0;
    for (const auto& [key, inversion] : statistics_.inversions) {
      Subject subject = of_object(key.object);
      subject.thread = key.waiter;
      subject.thread_name = statistics_.name_of(key.waiter);
      subject.holder = key.holder;
      subject.holder_name = statistics_.name_of(key.holder);
      row("priority_inversion", subject, "count", Unit::kCount,
          static_cast<double>(inversion.times), &inversion.longest);
      row("priority_inversion", subject, "total", Unit::kTicks,
          static_cast<double>(inversion.ticks), &inversion.longest);
      row("priority_inversion", subject, "max", Unit::kTicks,
          static_cast<double>(inversion.longest_ticks), &inversion.longest);
      all += inversion.times;
    }
    count("priority_inversion", {}, all);
  }

  void losses() const {
    std::uint64_t records = 0;
    std::uint64_t times = 0;
    for (const auto& [key, loss] : statistics_.losses) {
      records += loss.records;
      times += loss.times;
    }
    row("losses", {}, "records", Unit::kCount, static_cast<double>(records));
    row("losses", {}, "count", Unit::kCount, static_cast<double>(times));
    time("losses", {}, statistics_.loss_ticks, statistics_.span());
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
  const std::function<void(const Measure&)> nobody;
  const Rows rows(statistics, nobody);
  for (const auto& [koid, thread] : statistics.threads) {
    const Subject subject = rows.of_thread(koid);
    see("wakeup_latency", subject, thread.latency);
    see("run", subject, thread.run);
    see("block", subject, thread.block);
  }
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
  for (const auto& [key, lock] : statistics.contention) {
    Subject subject = Rows::of_object(key);
    see("contention", subject, lock.wait);
    for (const auto& [holder, waits] : lock.by_holder) {
      if (!holder) continue;
      subject.holder = holder;
      subject.holder_name = statistics.name_of(*holder);
      see("contention", subject, waits);
    }
  }
}

const std::vector<std::string_view>& known_metrics() {
  static const std::vector<std::string_view> metrics = {"busy",
                                                        "idle",
                                                        "lost",
                                                        "running",
                                                        "runnable",
                                                        "blocked",
                                                        "waiting",
                                                        "unknown",
                                                        "switches",
                                                        "runs",
                                                        "wakeups",
                                                        "missing_wakeups",
                                                        "run",
                                                        "block",
                                                        "interrupt",
                                                        "kept_off",
                                                        "duration",
                                                        "wakeup_latency",
                                                        "flow",
                                                        "contention",
                                                        "counter",
                                                        "losses",
                                                        "priority_inversion",
                                                        "function"};
  return metrics;
}

const std::vector<std::string_view>& known_statistics() {
  static const std::vector<std::string_view> statistics = {
      "count",   "total",   "share",     "mean",    "min",   "p50",     "p90",
      "p95",     "p99",     "p99.9",     "max",     "rate",  "own",     "nested",
      "deepest", "self",    "in_doubt",  "begun",   "steps", "ended",   "unfinished",
      "last",    "records", "preempted", "yielded", "other", "blocked", "time_weighted_mean",
      "unended"};
  return statistics;
}

bool matches(std::string_view pattern, std::string_view text) {
  std::size_t p = 0;
  std::size_t t = 0;
  std::size_t star = std::string_view::npos;
  std::size_t resumed = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resumed = t;
    } else if (p < pattern.size() && pattern[p] == text[t]) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++resumed;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

void select(Statistics& statistics, const Selection& selection) {
  const auto wanted = [&](std::uint64_t koid) {
    return std::any_of(selection.threads.begin(), selection.threads.end(), [&](const auto& one) {
      return matches(one, statistics.name_of(koid)) || one == std::to_string(koid);
    });
  };
  if (!selection.threads.empty()) {
    std::erase_if(statistics.threads, [&](const auto& one) { return !wanted(one.first); });
    for (auto& [key, lock] : statistics.contention)
      std::erase_if(lock.by_holder,
                    [&](const auto& one) { return !one.first || !wanted(*one.first); });
    std::erase_if(statistics.contention,
                  [](const auto& one) { return one.second.by_holder.empty(); });
    std::erase_if(statistics.inversions, [&](const auto& one) {
      return !wanted(one.first.waiter) && !wanted(one.first.holder) && !wanted(one.first.runner);
    });
  }
  if (selection.cpus.empty()) return;
  const auto shown = [&](unsigned cpu) {
    return std::find(selection.cpus.begin(), selection.cpus.end(), cpu) != selection.cpus.end();
  };
  std::erase_if(statistics.cpus, [&](const auto& one) { return !shown(one.first); });
  std::erase_if(statistics.interrupts, [&](const auto& one) { return !shown(one.first.cpu); });
  std::erase_if(statistics.losses, [&](const auto& one) {
    const auto cpu = cpu_of_name(one.first.first);
    return cpu && !shown(*cpu);
  });
  for (auto& [koid, thread] : statistics.threads)
    std::erase_if(thread.running_by_cpu, [&](const auto& one) { return !shown(one.first); });
}

std::string describe(const Subject& subject) {
  std::string text;
  const auto add = [&](std::string_view key, const std::string& value) {
    if (!text.empty()) text += ' ';
    text += key;
    text += '=';
    const bool quoted = value.find_first_of(" \t\"#") != std::string::npos;
    text += quoted ? '"' + value + '"' : value;
  };
  const auto thread = [&](std::string_view key, std::optional<std::uint64_t> koid,
                          const std::string& name) {
    if (koid) add(key, name.empty() ? std::to_string(*koid) : name);
  };
  if (subject.cpu) add("cpu", std::to_string(*subject.cpu));
  thread("thread", subject.thread, subject.thread_name);
  if (!subject.category.empty()) add("category", subject.category);
  if (!subject.name.empty()) add("name", subject.name);
  if (!subject.argument.empty()) add("argument", subject.argument);
  thread("holder", subject.holder, subject.holder_name);
  return text;
}

std::string describe(const Statistics& statistics, Unit unit, double value) {
  char text[48];
  if (unit == Unit::kTicks) {
    const double seconds = statistics.seconds(value);
    if (seconds >= 1) {
      std::snprintf(text, sizeof text, "%.3f s", seconds);
    } else if (seconds >= 1e-3) {
      std::snprintf(text, sizeof text, "%.3f ms", seconds * 1e3);
    } else if (seconds >= 1e-6) {
      std::snprintf(text, sizeof text, "%.3f us", seconds * 1e6);
    } else {
      std::snprintf(text, sizeof text, "%.0f ns", seconds * 1e9);
    }
  } else if (unit == Unit::kShare) {
    std::snprintf(text, sizeof text, "%.3f %%", value * 100);
  } else if (unit == Unit::kPerSecond) {
    std::snprintf(text, sizeof text, "%.1f a second", value);
  } else {
    std::snprintf(text, sizeof text, "%.10g", value);
  }
  return text;
}

}  // namespace barefxt::host
