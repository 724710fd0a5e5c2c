// Statistics as one JSON object.
#include <algorithm>

#include <barefxt/host/json.h>
#include <barefxt/host/stats.h>

#include "json_lengths.h"
#include "shares.h"
#include "stacks_output.h"

namespace barefxt::host {
namespace {

void number(Output& out, __int128 value) {
  if (value < 0) {
    out.number(static_cast<int64_t>(value));
  } else {
    out.number(static_cast<uint64_t>(value));
  }
}

void labelled(JsonObject& object, const ProbeName& label) {
  object.string("category", label.category);
  object.string("name", label.name);
}

void switches(JsonObject& object, const Switches& switches) {
  object.number("switches", switches.total());
  for (size_t i = 0; i < kSwitchCauses; ++i)
    object.number(kSwitchCauseNames[i], switches.by_cause[i]);
}

void thread(JsonObject& object, std::string_view key, std::optional<uint64_t> koid) {
  if (koid) {
    object.number(key, *koid);
  } else {
    object.null(key);
  }
}

void cpus(JsonObject& all, Output& out, const Statistics& statistics) {
  all.key("cpus");
  JsonList list(out);
  for (const auto& [number, cpu] : statistics.cpus) {
    JsonObject one(list.next());
    one.number("cpu", number);
    one.number("observed_ticks", cpu.observed);
    one.number("busy_ticks", cpu.busy);
    one.number("idle_ticks", cpu.idle);
    one.number("unknown_ticks", cpu.unknown);
    one.number("lost_ticks", cpu.lost);
    one.real("busy_share", share(cpu.busy, cpu.observed));
    one.real("idle_share", share(cpu.idle, cpu.observed));
    one.real("unknown_share", share(cpu.unknown, cpu.observed));
    one.real("lost_share", share(cpu.lost, statistics.span()));
    switches(one, cpu.switches);
  }
}

void times_in(JsonObject& one, Output& out, const Statistics& statistics,
              const ThreadStatistics& thread) {
  one.number("observed_ticks", thread.observed());
  for (size_t i = 0; i < kThreadTimeKinds; ++i) {
    const std::string kind(kThreadTimeNames[i]);
    one.number(kind + "_ticks", thread.time_in[i]);
    one.real(kind + "_share", share(thread.time_in[i], base_of(statistics, thread, i)));
  }
  one.number("runs", thread.runs);
  switches(one, thread.switches);
  one.number("wakeups", thread.wakeups);
  one.number("missing_wakeups", thread.missing_wakeups);
  lengths(one, out, "wakeup_latency", thread.latency);
  lengths(one, out, "run", thread.run);
  lengths(one, out, "block", thread.block);
  one.key("cpus");
  JsonList by_cpu(out);
  for (const auto& [cpu, ticks] : thread.running_by_cpu) {
    JsonObject there(by_cpu.next());
    there.number("cpu", cpu);
    there.number("running_ticks", ticks);
  }
}

void threads(JsonObject& all, Output& out, const Statistics& statistics) {
  all.key("threads");
  JsonList list(out);
  for (const auto& [koid, thread] : statistics.threads) {
    JsonObject one(list.next());
    one.number("thread", koid);
    const auto name = statistics.names.find(koid);
    if (name == statistics.names.end()) {
      one.null("name");
    } else {
      one.string("name", name->second.name);
      if (const auto& process = name->second.process) one.number("process", *process);
    }
    one.key("idle").text(statistics.is_idle(koid) ? "true" : "false");
    times_in(one, out, statistics, thread);
  }
}

void groups(JsonObject& all, Output& out, const Statistics& statistics) {
  all.key("groups");
  JsonList list(out);
  for (const ThreadGroup& group : statistics.groups) {
    JsonObject one(list.next());
    if (statistics.group_by == GroupBy::kProcess) thread(one, "process", group.process);
    if (group.name.empty()) {
      one.null("name");
    } else {
      one.string("name", group.name);
    }
    one.number("threads", group.threads);
    one.key("idle").text(group.idle ? "true" : "false");
    times_in(one, out, statistics, group.sum);
  }
}

void interrupts(JsonObject& all, Output& out, const Statistics& statistics) {
  all.key("interrupts");
  JsonList list(out);
  for (const auto& [key, interrupts] : statistics.interrupts) {
    JsonObject one(list.next());
    one.number("cpu", key.cpu);
    one.string("name", key.name);
    one.real("per_second", rate(statistics, key.cpu, interrupts.length.count()));
    lengths(one, interrupts.length);
    one.number("own_ticks", interrupts.own);
    one.number("nested", interrupts.nested);
    one.number("deepest", interrupts.deepest);
    lengths(one, out, "kept_off", interrupts.kept_off);
    thread(one, "kept_off_thread",
           interrupts.kept_off.count() == 0 ? std::nullopt
                                            : std::optional(interrupts.kept_off_longest));
  }
}

void unannounced_interrupts(JsonObject& all, Output& out, const Statistics& statistics) {
  all.key("unannounced_interrupts");
  JsonList list(out);
  for (const auto& [key, wakeups] : statistics.unannounced_interrupts) {
    JsonObject one(list.next());
    one.number("cpu", key.cpu);
    one.string("name", key.name);
    one.number("wakeups", wakeups);
  }
}

void parts(JsonObject& one, const DurationStatistics& duration) {
  lengths(one, duration.total);
  one.number("self_ticks", duration.self);
  one.number("self_count", duration.self_count);
  one.number("in_doubt", duration.in_doubt);
  one.number("unended", duration.unended);
}

void durations(JsonObject& all, Output& out, const Statistics& statistics) {
  all.key("durations");
  JsonList list(out);
  for (const auto& [label, duration] : statistics.durations) {
    JsonObject one(list.next());
    labelled(one, label);
    parts(one, duration);
  }
}

void functions(JsonObject& all, Output& out, const Statistics& statistics) {
  all.key("functions");
  JsonList list(out);
  for (const auto& [name, calls] : statistics.functions) {
    JsonObject one(list.next());
    one.string("name", name);
    parts(one, calls);
  }
}

void left_out_calls(JsonObject& all, Output& out, const Statistics& statistics) {
  if (!statistics.calls_left_out) return;
  all.key("calls_left_out");
  JsonObject left(out);
  left.number("too_short", statistics.calls_left_out->too_short);
  left.number("too_deep", statistics.calls_left_out->too_deep);
  left.number("without_end", statistics.calls_left_out->without_end);
  left.number("open", statistics.calls_left_out->open);
}

void counters(JsonObject& all, Output& out, const Statistics& statistics) {
  all.key("counters");
  JsonList list(out);
  for (const auto& [key, series] : statistics.counters) {
    JsonObject one(list.next());
    labelled(one, key.label);
    one.number("counter_id", key.id);
    one.string("argument", key.argument);
    one.number("samples", series.samples);
    if (series.real) {
      one.real("min", series.least_real);
      one.real("max", series.most_real);
      one.real("last", series.last_real);
    } else {
      number(one.key("min"), series.least);
      number(one.key("max"), series.most);
      number(one.key("last"), series.last);
    }
    one.real("mean", series.mean());
    one.real("time_weighted_mean", series.time_weighted_mean());
    one.number("covered_ticks", series.covered);
  }
}

void flows(JsonObject& all, Output& out, const Statistics& statistics) {
  all.key("flows");
  JsonList list(out);
  for (const auto& [label, flow] : statistics.flows) {
    JsonObject one(list.next());
    labelled(one, label);
    one.number("begun", flow.begun);
    one.number("steps", flow.steps);
    one.number("ended", flow.ended);
    one.number("unfinished", flow.unfinished);
    one.number("in_doubt", flow.in_doubt);
    lengths(one, out, "end_to_end", flow.end_to_end);
  }
}

void object(JsonObject& one, const Statistics& statistics, const ObjectKey& key) {
  labelled(one, key.label);
  thread(one, "object", key.pointer);
  const std::string name = statistics.name_of(key);
  if (name.empty()) {
    one.null("object_name");
  } else {
    one.string("object_name", name);
  }
  one.string("kind", kind_of_wait(key.label));
}

void contention(JsonObject& all, Output& out, const Statistics& statistics) {
  all.key("contention");
  JsonList list(out);
  for (const auto& [key, contention] : statistics.contention) {
    JsonObject one(list.next());
    object(one, statistics, key);
    lengths(one, contention.wait);
    one.number("woken_in_vain", contention.woken_in_vain);
    one.number("unfinished", contention.unfinished);
    one.key("holders");
    JsonList holders(out);
    for (const auto& [koid, waits] : contention.by_holder) {
      JsonObject holder(holders.next());
      thread(holder, "thread", koid);
      lengths(holder, waits);
    }
  }
}

void inversions(JsonObject& all, Output& out, const Statistics& statistics) {
  all.key("priority_inversions");
  JsonList list(out);
  for (const auto& [key, inversion] : statistics.inversions) {
    JsonObject one(list.next());
    object(one, statistics, key.object);
    one.number("waiter", key.waiter);
    one.number("holder", key.holder);
    one.number("runner", key.runner);
    one.number("waits", inversion.waits);
    one.number("times", inversion.times);
    one.number("ticks", inversion.ticks);
    one.number("max_ticks", inversion.longest_ticks);
    one.number("max_begin", inversion.longest.begin);
    one.number("max_end", inversion.longest.end);
    one.number("max_offset", inversion.longest.offset);
  }
}

void losses(JsonObject& all, Output& out, const Statistics& statistics) {
  all.key("losses");
  JsonList list(out);
  for (const auto& [key, loss] : statistics.losses) {
    JsonObject one(list.next());
    const auto cpu = cpu_of_name(key.first);
    if (cpu) {
      one.number("cpu", *cpu);
    } else {
      one.null("cpu");
    }
    one.string("where", key.second);
    one.number("times", loss.times);
    one.number("records", loss.records);
    one.key("records_unknown").text(loss.records_unknown ? "true" : "false");
    one.number("bytes", loss.bytes);
    one.key("bytes_unknown").text(loss.bytes_unknown ? "true" : "false");
    one.number("first", loss.first);
    one.number("last", loss.last);
  }
}

void all_but_functions(JsonObject& all, Output& out, const Statistics& statistics) {
  cpus(all, out, statistics);
  if (statistics.group_by == GroupBy::kThread) {
    threads(all, out, statistics);
  } else {
    groups(all, out, statistics);
  }
  interrupts(all, out, statistics);
  unannounced_interrupts(all, out, statistics);
  durations(all, out, statistics);
  counters(all, out, statistics);
  flows(all, out, statistics);
  contention(all, out, statistics);
  inversions(all, out, statistics);
  json_jobs(all, out, statistics);
}

}  // namespace

void print_statistics_json(Output& out, const Statistics& statistics, Shown shown,
                           const std::function<void(Output&)>& comparison) {
  {
    JsonObject all(out);
    all.number("ticks_per_second", statistics.ticks_per_second);
    all.number("first", statistics.first);
    all.number("last", statistics.last);
    all.number("span_ticks", statistics.span());
    all.real("quantile_error",
             statistics.precision == Precision::kExact ? 0 : Distribution::kRelativeError);
    all.key("sorted").text(statistics.sorted ? "true" : "false");
    all.number("left_out", statistics.left_out);
    if (shown == Shown::kAll) all_but_functions(all, out, statistics);
    if (shown == Shown::kStacks)
      stacks_json(all, out, statistics);
    else
      functions(all, out, statistics);
    if (shown == Shown::kAll) json_above(all, out, statistics);
    left_out_calls(all, out, statistics);
    all.number("unmatched_begins", statistics.unmatched_begins);
    all.number("unmatched_ends", statistics.unmatched_ends);
    losses(all, out, statistics);
    all.number("loss_ticks", statistics.loss_ticks);
    all.real("loss_share", share(statistics.loss_ticks, statistics.span()));
    all.number("buffer_full_events", statistics.buffer_full_events);
    all.key("malformed");
    {
      JsonObject malformed(out);
      malformed.number("places", statistics.malformed_places);
      malformed.number("bytes", statistics.malformed_bytes);
    }
    all.key("records");
    {
      JsonObject records(out);
      records.number("total", statistics.records);
      for (const auto& [kind, count] : statistics.records_by_kind) records.number(kind, count);
    }
    if (comparison) comparison(all.key("baseline"));
  }
  out.character('\n');
}

}  // namespace barefxt::host
