// The statistics as tables that can be sorted. This file selects the numbers;
// docs/reference/statistics.md defines them.
import { comparedColumns, comparedRows } from "./compared.js";
import { scrolled, Table, titleOf } from "./table.js";

const CAUSES = ["switches", "preempted", "yielded", "blocked", "ended"].map((key) => [key, key, "count"]);
const lengths = (prefix, title) => [
  [`${title}count`, `${prefix}count`, "count"],
  [`${title}mean`, `${prefix}mean_ticks`, "ticks"],
  [`${title}p50`, `${prefix}p50_ticks`, "ticks"],
  [`${title}p95`, `${prefix}p95_ticks`, "ticks"],
  [`${title}p99`, `${prefix}p99_ticks`, "ticks"],
  [`${title}max`, `${prefix}max_ticks`, "ticks", prefix],
];
const spent = (what) => [[what, `${what}_ticks`, "ticks"], [`${what}, share`, `${what}_share`, "share"]];
const text = (...keys) => keys.map((key) => [key, key, "text"]);

const PARTS = [...lengths("", ""), ["total", "total_ticks", "ticks"], ["self", "self_ticks", "ticks"],
  ["in doubt", "in_doubt", "count"], ["without an end", "unended", "count"]];

export const TABLES = {
  cpus: [["CPU", "cpu", "id"], ["busy", "busy_ticks", "ticks"], ["busy, share", "busy_share", "share"],
    ["idle", "idle_ticks", "ticks"], ["unknown", "unknown_ticks", "ticks"], ["lost", "lost_ticks", "ticks"], ...CAUSES],
  threads: [...text("name"), ["koid", "thread", "id"], ...spent("running"), ...spent("runnable"), ...spent("blocked"),
    ...spent("waiting"), ...spent("unknown"), ["runs", "runs", "count"], ...CAUSES, ["wakeups", "wakeups", "count"],
    ...lengths("wakeup_latency.", "latency "), ...lengths("run.", "run "), ...lengths("block.", "block ")],
  interrupts: [...text("name"), ["CPU", "cpu", "id"], ["per second", "per_second", "number"], ...lengths("", ""),
    ["own", "own_ticks", "ticks"], ["nested", "nested", "count"], ["deepest", "deepest", "count"],
    ...lengths("kept_off.", "kept off "), ["kept off for longest", "kept_off_thread", "thread"]],
  unannounced_interrupts: [...text("name"), ["CPU", "cpu", "id"], ["wakeups", "wakeups", "count"]],
  durations: [...text("name", "category"), ...PARTS],
  functions: [...text("name"), ...PARTS],
  counters: [...text("name", "argument", "category"), ["id", "counter_id", "id"], ["samples", "samples", "count"],
    ["min", "min", "number"], ["mean", "mean", "number"], ["max", "max", "number"],
    ["mean over time", "time_weighted_mean", "number"]],
  flows: [...text("name", "category"), ["begun", "begun", "count"], ["steps", "steps", "count"], ["ended", "ended", "count"],
    ["unfinished", "unfinished", "count"], ["in doubt", "in_doubt", "count"], ...lengths("end_to_end.", "end to end ")],
  contention: [["object", "object", "address"], ...text("name", "category", "kind"), ...lengths("", ""), ["total", "total_ticks", "ticks"],
    ["woken in vain", "woken_in_vain", "count"], ["unfinished", "unfinished", "count"]],
  priority_inversions: [["waiter", "waiter", "thread"], ["holder", "holder", "thread"], ["runner", "runner", "thread"],
    ...text("category", "name"), ["object", "object", "address"], ["times", "times", "count"], ["time", "ticks", "ticks"],
    ["max", "max_ticks", "ticks", ""]],
  jobs: [["thread", "thread", "thread"], ...text("name", "source"), ["deadline", "deadline_ns", "ns"], ["period", "period_ns", "ns"],
    ...lengths("", ""), ["histogram", "histogram", "histogram"], ["on time", "on_time", "count"], ["late", "late", "count"],
    ["late, share", "late_share", "share"], ["overdue", "overdue", "count"], ["not due", "not_due", "count"],
    ["in doubt", "in_doubt", "count"], ["no deadline", "without_deadline", "count"], ...lengths("interval.", "interval ")],
  losses: [...text("where"), ["CPU", "cpu", "id"], ["times", "times", "count"], ["records", "records", "count"],
    ["bytes", "bytes", "count"]],
};

// The column that a table is sorted by at first, falling.
const WORST = {
  cpus: "busy_share", threads: "wakeup_latency.max_ticks", interrupts: "kept_off.max_ticks", unannounced_interrupts: "wakeups",
  durations: "max_ticks", functions: "self_ticks", counters: "samples", flows: "end_to_end.max_ticks", contention: "max_ticks",
  priority_inversions: "max_ticks", jobs: "late", losses: "records",
};

// By what matters most, falling.
export function orderOf(name, columns) {
  return { column: Math.max(0, columns.findIndex(([, path]) => path === WORST[name])), falling: true };
}

export class StatisticsTables {
  constructor(trace, element, goTo) {
    Object.assign(this, { trace, element, goTo });
    this.chosen = "threads";
    this.differences = trace.baseline === undefined ? undefined : {};
    this.orders = Object.fromEntries(Object.keys(TABLES).map((name) => [name, orderOf(name, TABLES[name])]));
    const select = document.createElement("select");
    select.id = "table";
    select.setAttribute("aria-label", "Which statistics");
    for (const name of Object.keys(TABLES)) {
      const rows = trace.stats[name].length;
      select.add(new Option(`${titleOf(name)} (${rows})`, name, false, name === this.chosen));
    }
    select.addEventListener("change", () => {
      this.chosen = select.value;
      this.show();
    });
    this.holder = scrolled();
    element.append(select, ...this.choice(), this.holder);
    this.show();
  }

  // Between this run alone and the one that it is compared with.
  choice() {
    if (this.trace.baseline === undefined) return [];
    const box = document.createElement("input");
    Object.assign(box, { type: "checkbox", id: "differences", checked: true });
    box.addEventListener("change", () => {
      this.differences = box.checked ? {} : undefined;
      this.show();
    });
    const label = document.createElement("label");
    label.append(box, " beside the baseline");
    return [label];
  }

  // The differences that weigh most come first.
  table() {
    const { trace, chosen } = this;
    if (this.differences === undefined) return new Table(trace, TABLES[chosen], trace.stats[chosen], this.orders[chosen], this.goTo);
    const columns = comparedColumns(chosen, TABLES[chosen]);
    this.differences[chosen] ??= { column: columns.length - 1, falling: true };
    return new Table(trace, columns, comparedRows(trace, chosen), this.differences[chosen], this.goTo);
  }

  show() {
    const { chosen } = this;
    const table = this.table();
    const { rows } = table;
    table.element.dataset.table = chosen;
    this.holder.setAttribute("aria-label", `${titleOf(chosen)}, ${rows.length} rows`);
    this.holder.replaceChildren(table.element);
  }
}
