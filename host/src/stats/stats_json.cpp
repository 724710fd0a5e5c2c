// Statistics as one JSON object.
#include <algorithm>

#include <barefxt/host/json.h>
#include <barefxt/host/stats.h>

namespace barefxt::host {
namespace {

void number(Output& out, __int128 value) {
  if (value < 0) {
    out.number(static_cast<std::int64_t>(value));
  } else {
    out.number(static_cast<std::uint64_t>(value));
  }
}

void durations(JsonObject& object, const Durations& times) {
  object.number("count", times.count);
  object.number("total_ticks", times.total);
  object.real("mean_ticks", times.mean());
  object.number("min_ticks", times.shortest);
  object.number("max_ticks", times.longest);
}

void labelled(JsonObject& object, const Label& label) {
  object.string("category", label.category);
  object.string("name", label.name);
}

void cpus(JsonObject& all, Output& out, const Statistics& statistics) {
  all.key("cpus");
  JsonList list(out);
  for (const auto& [number, cpu] : statistics.cpus) {
    JsonObject one(list.next());
    const std::uint64_t observed = statistics.last - std::min(statistics.last, cpu.first_switch);
    one.number("cpu", number);
    one.number("switches", cpu.switches);
    one.number("observed_ticks", observed);
    one.number("busy_ticks", statistics.busy_ticks(cpu));
    one.number("idle_ticks", statistics.idle_ticks(cpu));
    one.number("unknown_ticks", cpu.unknown);
  }
}

void threads(JsonObject& all, Output& out, const Statistics& statistics) {
  std::set<std::uint64_t> koids;
  for (const auto& [koid, thread] : statistics.threads) koids.insert(koid);
  for (const auto& [number, cpu] : statistics.cpus) {
    for (const auto& [koid, ticks] : cpu.by_thread) koids.insert(koid);
  }
  all.key("threads");
  JsonList list(out);
  for (const std::uint64_t koid : koids) {
    JsonObject one(list.next());
    one.number("thread", koid);
    const auto name = statistics.names.find(koid);
    if (name == statistics.names.end()) {
      one.null("name");
    } else {
      one.string("name", name->second.name);
      const std::optional<std::uint64_t> process = name->second.process;
      if (process) one.number("process", *process);
    }
    one.key("idle").text(statistics.is_idle(koid) ? "true" : "false");
    one.number("cpu_ticks", statistics.ticks_of(koid));
    const auto found = statistics.threads.find(koid);
    const ThreadStatistics thread =
        found == statistics.threads.end() ? ThreadStatistics{} : found->second;
    one.number("runs", thread.runs);
    one.number("wakeups", thread.wakeups);
    one.key("wakeup_latency");
    JsonObject latency(out);
    durations(latency, thread.latency);
  }
}

void interrupts(JsonObject& all, Output& out, const Statistics& statistics) {
  all.key("interrupts");
  JsonList list(out);
  for (const auto& [number, interrupts] : statistics.interrupts) {
    JsonObject one(list.next());
    one.number("cpu", number);
    durations(one, interrupts.each);
    one.number("busy_ticks", interrupts.busy);
  }
}

template <typename Wanted>
void slices(JsonObject& all, Output& out, std::string_view key, const Statistics& statistics,
            Wanted wanted) {
  all.key(key);
  JsonList list(out);
  for (const auto& [label, times] : statistics.durations) {
    if (!wanted(label)) continue;
    JsonObject one(list.next());
    labelled(one, label);
    durations(one, times);
  }
}

void counters(JsonObject& all, Output& out, const Statistics& statistics) {
  all.key("counters");
  JsonList list(out);
  for (const auto& [key, series] : statistics.counters) {
    JsonObject one(list.next());
    labelled(one, std::get<0>(key));
    one.number("counter_id", std::get<1>(key));
    one.string("argument", std::get<2>(key));
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

}  // namespace

void print_statistics_json(Output& out, const Statistics& statistics) {
  {
    JsonObject all(out);
    all.number("ticks_per_second", statistics.ticks_per_second);
    all.number("first", statistics.first);
    all.number("last", statistics.last);
    all.number("span_ticks", statistics.last - statistics.first);
    all.key("sorted").text(statistics.sorted ? "true" : "false");
    all.number("left_out", statistics.left_out);
    cpus(all, out, statistics);
    threads(all, out, statistics);
    interrupts(all, out, statistics);
    slices(all, out, "durations", statistics, [](const Label&) { return true; });
    all.number("unmatched_begins", statistics.unmatched_begins);
    all.number("unmatched_ends", statistics.unmatched_ends);
    counters(all, out, statistics);
    flows(all, out, statistics);
    slices(all, out, "contention", statistics,
           [](const Label& label) { return label.category == "lock"; });
    losses(all, out, statistics);
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
  }
  out.character('\n');
}

}  // namespace barefxt::host
