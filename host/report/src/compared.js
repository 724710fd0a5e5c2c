// Differences from another run: the command's verdicts, and rows of statistics beside those of that run.
import { element } from "./elements.js";
import { scrolled, Table, titleOf } from "./table.js";
import { count } from "./time.js";

// The identity of rows in two runs, and the number whose difference has weight.
const SETS = {
  cpus: [["cpu"], "busy_ticks", "ticks"],
  threads: [["name"], "running_ticks", "ticks"],
  interrupts: [["name", "cpu"], "total_ticks", "ticks"],
  unannounced_interrupts: [["name", "cpu"], "wakeups", "count"],
  durations: [["category", "name"], "total_ticks", "ticks"],
  functions: [["name"], "total_ticks", "ticks"],
  counters: [["category", "name", "argument", "counter_id"], "samples", "count"],
  flows: [["category", "name"], "end_to_end.total_ticks", "ticks"],
  contention: [["category", "name", "object_name", "object"], "total_ticks", "ticks"],
  priority_inversions: [["waiter", "holder", "runner", "category", "name", "object_name", "object"], "ticks", "ticks"],
  jobs: [["thread", "name", "source"], "late", "count"],
  losses: [["where", "cpu"], "records", "count"],
};
const THREADS = new Set(["waiter", "holder", "runner", "thread"]);

const numberAt = (row, path) => path.split(".").reduce((value, key) => value?.[key], row) ?? 0;

// The name of a thread is the same in both runs, its koid may not be. The same goes for objects with a name.
function identity(row, keys, nameOf) {
  return keys.map((key) => {
    if (THREADS.has(key)) return nameOf(row[key]);
    return key === "object" && row.object_name !== null ? "" : String(row[key] ?? row.thread ?? "");
  }).join("\x1f");
}

// Rows of one identity are paired by their place among them.
function byIdentity(rows, keys, nameOf) {
  const places = new Map();
  return new Map(rows.map((row) => {
    const one = identity(row, keys, nameOf);
    places.set(one, (places.get(one) ?? 0) + 1);
    return [`${one}\x1f${places.get(one)}`, row];
  }));
}

// All rows of a table in either run, each with what it was and how much the difference weighs: of times, the share of
// all time; of other numbers, how many a second.
export function comparedRows(trace, name) {
  const { baseline } = trace;
  const [keys, path, type] = SETS[name];
  const now = byIdentity(trace.stats[name], keys, (koid) => trace.nameOfThread(koid));
  const old = byIdentity(baseline.stats[name], keys, (koid) => trace.nameInBaseline(koid));
  const whole = (stats) => Math.max(1, type === "ticks" ? stats.span_ticks : stats.span_ticks / (stats.ticks_per_second || 1));
  const rows = [];
  for (const key of new Set([...now.keys(), ...old.keys()])) {
    const [is, was] = [now.get(key), old.get(key)];
    const value = is === undefined ? 0 : numberAt(is, path) / whole(trace.stats);
    const before = was === undefined ? 0 : numberAt(was, path) / whole(baseline.stats);
    rows.push({
      ...(is ?? was), isOfBaseline: is === undefined, set: is === undefined ? "vanished" : was === undefined ? "new" : "in both",
      was: was === undefined ? null : numberAt(was, path), is: is === undefined ? null : numberAt(is, path),
      change: before === 0 ? null : value / before - 1, weight: value - before, heft: Math.abs(value - before),
    });
  }
  return rows;
}

export function comparedColumns(name, columns) {
  const [keys, , type] = SETS[name];
  const about = columns.filter(([, key]) => keys.includes(key));
  const was = type === "ticks" ? "baselineTicks" : "count";
  return [...about, ["set", "set", "text"], ["before", "was", was], ["now", "is", type], ["change", "change", "signed"],
    ["weight", "weight", type === "ticks" ? "signed" : "number"], ["heft", "heft", "hidden"]];
}

export function setsText(trace, name) {
  const rows = comparedRows(trace, name);
  const of = (set) => rows.filter((row) => row.set === set).length;
  const parts = ["new", "vanished"].filter((set) => of(set) > 0).map((set) => `${count(of(set))} ${set}`);
  return parts.length === 0 ? "" : `${titleOf(name)}: ${parts.join(", ")}`;
}

const FINDINGS = [["what", "kind", "text"], ["measure", "metric", "text"], ["of", "subject", "text"], ["statistic", "statistic", "text"],
  ["before", "before", "seconds"], ["now", "now", "seconds"], ["change", "change", "signed"], ["times before", "old_count", "count"],
  ["times now", "new_count", "count"]];

// The command's verdicts. `tables`: names of the statistics.
export function showCompared(trace, holder, tables) {
  const { archive, comparison, sentences } = trace.baseline;
  holder.hidden = false;
  const list = element("ul", "", { class: "findings" });
  for (const sentence of sentences) list.append(element("li", sentence));
  if (sentences.length === 0) list.append(element("li", "Nothing differs by more than is relevant and more than by chance."));
  const sets = tables.map((name) => setsText(trace, name)).filter((text) => text !== "");
  const rows = comparison.findings.map((one) => ({
    ...one, before: one.old_seconds ?? null, now: one.new_seconds ?? null, change: one.old_seconds > 0 ? one.new_seconds / one.old_seconds - 1 : null,
  }));
  const table = new Table(trace, FINDINGS, rows, { column: FINDINGS.findIndex(([, key]) => key === "change"), falling: true });
  table.element.dataset.compared = "findings";
  const box = scrolled();
  box.setAttribute("aria-label", `Differences from ${archive}, ${rows.length} rows`);
  box.append(table.element);
  holder.append(element("h2", `Compared with ${archive}`), list, element("p", sets.join(" · "), { id: "sets" }),
    element("p", `${count(comparison.unchanged)} of ${count(comparison.measures)} measures are unchanged.`), box);
}
