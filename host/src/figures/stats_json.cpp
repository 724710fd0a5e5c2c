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

void cpus(JsonObject& all, const Statistics& statistics) {
  all.list("cpus", statistics.cpus, [&](JsonObject& one, const auto& number, const auto& cpu) {
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
  });
}

void times_in(JsonObject& one, const Statistics& statistics, const ThreadStatistics& thread) {
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
  lengths(one, "wakeup_latency", thread.latency);
  lengths(one, "run", thread.run);
  lengths(one, "block", thread.block);
  one.list("cpus", thread.running_by_cpu,
           [&](JsonObject& there, const auto& cpu, const auto& ticks) {
             there.number("cpu", cpu);
             there.number("running_ticks", ticks);
           });
}

void threads(JsonObject& all, const Statistics& statistics) {
  all.list("threads", statistics.threads,
           [&](JsonObject& one, const auto& koid, const auto& thread) {
             one.number("thread", koid);
             const auto name = statistics.names.find(koid);
             if (name == statistics.names.end()) {
               one.null("name");
             } else {
               one.string("name", name->second.name);
               if (const auto& process = name->second.process) one.number("process", *process);
             }
             one.boolean("idle", statistics.is_idle(koid));
             times_in(one, statistics, thread);
           });
}

void groups(JsonObject& all, const Statistics& statistics) {
  all.list("groups", statistics.groups, [&](JsonObject& one, const ThreadGroup& group) {
    if (statistics.group_by == GroupBy::kProcess) one.number("process", group.process);
    one.string_or_null("name", group.name);
    one.number("threads", group.threads);
    one.boolean("idle", group.idle);
    times_in(one, statistics, group.sum);
  });
}

void interrupts(JsonObject& all, const Statistics& statistics) {
  all.list("interrupts", statistics.interrupts,
           [&](JsonObject& one, const auto& key, const auto& interrupts) {
             one.number("cpu", key.cpu);
             one.string("name", key.name);
             one.real("per_second", rate(statistics, key.cpu, interrupts.length.count()));
             lengths(one, interrupts.length);
             one.number("own_ticks", interrupts.own);
             one.number("nested", interrupts.nested);
             one.number("deepest", interrupts.deepest);
             lengths(one, "kept_off", interrupts.kept_off);
             one.number("kept_off_thread", interrupts.kept_off.count() == 0
                                               ? std::nullopt
                                               : std::optional(interrupts.kept_off_longest));
           });
}

void unannounced_interrupts(JsonObject& all, const Statistics& statistics) {
  all.list("unannounced_interrupts", statistics.unannounced_interrupts,
           [&](JsonObject& one, const auto& key, const auto& wakeups) {
             one.number("cpu", key.cpu);
             one.string("name", key.name);
             one.number("wakeups", wakeups);
           });
}

void parts(JsonObject& one, const DurationStatistics& duration) {
  lengths(one, duration.total);
  one.number("self_ticks", duration.self);
  one.number("self_count", duration.self_count);
  one.number("in_doubt", duration.in_doubt);
  one.number("unended", duration.unended);
}

void durations(JsonObject& all, const Statistics& statistics) {
  all.list("durations", statistics.durations,
           [&](JsonObject& one, const auto& label, const auto& duration) {
             labelled(one, label);
             parts(one, duration);
           });
}

void functions(JsonObject& all, const Statistics& statistics) {
  all.list("functions", statistics.functions,
           [&](JsonObject& one, const auto& name, const auto& calls) {
             one.string("name", name);
             parts(one, calls);
           });
}

void left_out_calls(JsonObject& all, const Statistics& statistics) {
  if (!statistics.calls_left_out) return;
  JsonObject left(all.key("calls_left_out"));
  left.number("too_short", statistics.calls_left_out->too_short);
  left.number("too_deep", statistics.calls_left_out->too_deep);
  left.number("without_end", statistics.calls_left_out->without_end);
  left.number("open", statistics.calls_left_out->open);
}

void counters(JsonObject& all, const Statistics& statistics) {
  all.list("counters", statistics.counters,
           [&](JsonObject& one, const auto& key, const auto& series) {
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
           });
}

void flows(JsonObject& all, const Statistics& statistics) {
  all.list("flows", statistics.flows, [&](JsonObject& one, const auto& label, const auto& flow) {
    labelled(one, label);
    one.number("begun", flow.begun);
    one.number("steps", flow.steps);
    one.number("ended", flow.ended);
    one.number("unfinished", flow.unfinished);
    one.number("in_doubt", flow.in_doubt);
    lengths(one, "end_to_end", flow.end_to_end);
  });
}

void object(JsonObject& one, const Statistics& statistics, const ObjectKey& key) {
  labelled(one, key.label);
  one.number("object", key.pointer);
  one.string_or_null("object_name", statistics.name_of(key));
  one.string("kind", kind_of_wait(key.label));
}

void contention(JsonObject& all, const Statistics& statistics) {
  all.list("contention", statistics.contention,
           [&](JsonObject& one, const auto& key, const auto& contention) {
             object(one, statistics, key);
             lengths(one, contention.wait);
             one.number("woken_in_vain", contention.woken_in_vain);
             one.number("unfinished", contention.unfinished);
             one.list("holders", contention.by_holder,
                      [&](JsonObject& holder, const auto& koid, const auto& waits) {
                        holder.number("thread", koid);
                        lengths(holder, waits);
                      });
           });
}

void inversions(JsonObject& all, const Statistics& statistics) {
  all.list("priority_inversions", statistics.inversions,
           [&](JsonObject& one, const auto& key, const auto& inversion) {
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
           });
}

void losses(JsonObject& all, const Statistics& statistics) {
  all.list("losses", statistics.losses, [&](JsonObject& one, const auto& key, const auto& loss) {
    one.number("cpu", cpu_of_name(key.first));
    one.string("where", key.second);
    one.number("times", loss.times);
    one.number("records", loss.records);
    one.boolean("records_unknown", loss.records_unknown);
    one.number("bytes", loss.bytes);
    one.boolean("bytes_unknown", loss.bytes_unknown);
    one.number("first", loss.first);
    one.number("last", loss.last);
  });
}

void all_but_functions(JsonObject& all, const Statistics& statistics) {
  cpus(all, statistics);
  if (statistics.group_by == GroupBy::kThread) {
    threads(all, statistics);
  } else {
    groups(all, statistics);
  }
  interrupts(all, statistics);
  unannounced_interrupts(all, statistics);
  durations(all, statistics);
  counters(all, statistics);
  flows(all, statistics);
  contention(all, statistics);
  inversions(all, statistics);
  json_jobs(all, statistics);
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
    all.boolean("sorted", statistics.sorted);
    all.number("left_out", statistics.left_out);
    if (shown == Shown::kAll) all_but_functions(all, statistics);
    if (shown == Shown::kStacks)
      stacks_json(all, statistics);
    else
      functions(all, statistics);
    if (shown == Shown::kAll) json_above(all, statistics);
    left_out_calls(all, statistics);
    all.number("unmatched_begins", statistics.unmatched_begins);
    all.number("unmatched_ends", statistics.unmatched_ends);
    losses(all, statistics);
    all.number("loss_ticks", statistics.loss_ticks);
    all.real("loss_share", share(statistics.loss_ticks, statistics.span()));
    all.number("buffer_full_events", statistics.buffer_full_events);
    {
      JsonObject malformed(all.key("malformed"));
      malformed.number("places", statistics.malformed_places);
      malformed.number("bytes", statistics.malformed_bytes);
    }
    {
      JsonObject records(all.key("records"));
      records.number("total", statistics.records);
      for (const auto& [kind, count] : statistics.records_by_kind) records.number(kind, count);
    }
    if (comparison) comparison(all.key("baseline"));
  }
  out.character('\n');
}

}  // namespace barefxt::host
