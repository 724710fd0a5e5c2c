// The statistics as tables that can be sorted. This file selects the numbers;
// docs/reference/statistics.md defines them.
import { count, duration } from "./time.js";

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

const TABLES = {
  cpus: [["CPU", "cpu", "id"], ["busy", "busy_ticks", "ticks"], ["busy, share", "busy_share", "share"],
    ["idle", "idle_ticks", "ticks"], ["unknown", "unknown_ticks", "ticks"], ["lost", "lost_ticks", "ticks"], ...CAUSES],
  threads: [...text("name"), ["koid", "thread", "id"], ...spent("running"), ...spent("runnable"), ...spent("blocked"),
    ...spent("waiting"), ...spent("unknown"), ["runs", "runs", "count"], ...CAUSES, ["wakeups", "wakeups", "count"],
    ...lengths("wakeup_latency.", "latency "), ...lengths("run.", "run "), ...lengths("block.", "block ")],
  interrupts: [["CPU", "cpu", "id"], ...text("name"), ["per second", "per_second", "number"], ...lengths("", ""),
    ["own", "own_ticks", "ticks"], ["nested", "nested", "count"], ["deepest", "deepest", "count"],
    ...lengths("kept_off.", "kept off ")],
  unannounced_interrupts: [["CPU", "cpu", "id"], ...text("name"), ["wakeups", "wakeups", "count"]],
  durations: [...text("category", "name"), ...PARTS],
  functions: [...text("name"), ...PARTS],
  counters: [...text("category", "name", "argument"), ["id", "counter_id", "id"], ["samples", "samples", "count"],
    ["min", "min", "number"], ["mean", "mean", "number"], ["max", "max", "number"],
    ["mean over time", "time_weighted_mean", "number"]],
  flows: [...text("category", "name"), ["begun", "begun", "count"], ["steps", "steps", "count"], ["ended", "ended", "count"],
    ["unfinished", "unfinished", "count"], ["in doubt", "in_doubt", "count"], ...lengths("end_to_end.", "end to end ")],
  contention: [...text("category", "name"), ["object", "object", "address"], ...text("kind"), ...lengths("", ""), ["total", "total_ticks", "ticks"],
    ["woken in vain", "woken_in_vain", "count"], ["unfinished", "unfinished", "count"]],
  priority_inversions: [["waiter", "waiter", "thread"], ["holder", "holder", "thread"], ["runner", "runner", "thread"],
    ...text("category", "name"), ["object", "object", "address"], ["times", "times", "count"], ["time", "ticks", "ticks"],
    ["max", "max_ticks", "ticks", ""]],
  jobs: [["thread", "thread", "thread"], ...text("name", "source"), ["deadline", "deadline_ns", "ns"], ["period", "period_ns", "ns"],
    ...lengths("", ""), ["histogram", "histogram", "histogram"], ["on time", "on_time", "count"], ["late", "late", "count"],
    ["late, share", "late_share", "share"], ["overdue", "overdue", "count"], ["not due", "not_due", "count"],
    ["in doubt", "in_doubt", "count"], ["no deadline", "without_deadline", "count"], ...lengths("interval.", "interval ")],
  losses: [["CPU", "cpu", "id"], ...text("where"), ["times", "times", "count"], ["records", "records", "count"],
    ["bytes", "bytes", "count"]],
};

// The column that a table is sorted by at first, falling.
const WORST = {
  cpus: "busy_share", threads: "wakeup_latency.max_ticks", interrupts: "kept_off.max_ticks", unannounced_interrupts: "wakeups",
  durations: "max_ticks", functions: "self_ticks", counters: "samples", flows: "end_to_end.max_ticks", contention: "max_ticks",
  priority_inversions: "max_ticks", jobs: "late", losses: "records",
};

const valueAt = (row, path) => path.split(".").reduce((value, key) => value?.[key], row) ?? null;

const BARS = "▁▂▃▄▅▆▇█";

// A bar for each bin; one that is not empty is seen.
function bars(bins) {
  const most = Math.max(...bins.map((bin) => bin.count));
  return bins.map((bin) => (bin.count === 0 ? " " : BARS[Math.ceil((bin.count / most) * BARS.length) - 1])).join("");
}

function shown(trace, value, type, row = {}) {
  if (value === null) return "–";
  if (type === "thread") return trace.nameOfThread(value);
  if (type === "address") return row.object_name ?? `0x${BigInt(value).toString(16)}`;
  if (type === "ns") return value === 0 ? "–" : duration(value / 1e9);
  if (type === "histogram") return bars(value);
  if (type === "ticks") return trace.rate === 0 ? `${value} ticks` : duration(value / trace.rate);
  if (type === "share") return `${(value * 100).toFixed(1)} %`;
  if (type === "number") return String(Math.round(value * 1000) / 1000);
  return type === "count" ? count(value) : String(value);
}

// Rows without a value come last.
function compare(a, b, sign) {
  if (a === null || b === null) return (a === null) - (b === null);
  return sign * (typeof a === "string" || typeof b === "string" ? String(a).localeCompare(String(b), undefined, { numeric: true }) : a - b);
}

export class StatisticsTables {
  // `goTo(place)`: shows where something was, in ticks as recorded.
  constructor(trace, element, goTo) {
    Object.assign(this, { trace, element, goTo });
    this.chosen = "threads";
    this.sorted = {};
    const select = document.createElement("select");
    select.id = "table";
    select.setAttribute("aria-label", "Which statistics");
    for (const name of Object.keys(TABLES)) {
      const rows = trace.stats[name].length;
      select.add(new Option(`${name.replace("_", " ")} (${rows})`, name, false, name === this.chosen));
    }
    select.addEventListener("change", () => {
      this.chosen = select.value;
      this.show();
    });
    this.holder = document.createElement("div");
    this.holder.className = "scrolled";
    this.holder.tabIndex = 0;
    this.holder.setAttribute("role", "region");
    element.append(select, this.holder);
    this.show();
  }

  show() {
    const columns = TABLES[this.chosen];
    const worst = columns.findIndex(([, path]) => path === WORST[this.chosen]);
    const { column, falling } = this.sorted[this.chosen] ?? { column: worst, falling: true };
    const table = document.createElement("table");
    table.dataset.table = this.chosen;
    const heads = table.createTHead().insertRow();
    columns.forEach(([title], i) => {
      const head = document.createElement("th");
      head.scope = "col";
      head.setAttribute("aria-sort", i === column ? (falling ? "descending" : "ascending") : "none");
      const button = document.createElement("button");
      button.textContent = title + (i === column ? (falling ? " ▾" : " ▴") : "");
      button.addEventListener("click", () => {
        this.sorted[this.chosen] = { column: i, falling: i === column ? !falling : !["text", "thread"].includes(columns[i][2]) };
        this.show();
        this.holder.querySelectorAll("th button")[i].focus();
      });
      head.append(button);
      heads.append(head);
    });
    const body = table.createTBody();
    const [, key, type] = columns[column];
    const keyOf = (row) => (type === "thread" ? this.trace.nameOfThread(valueAt(row, key)) : valueAt(row, key));
    const rows = [...this.trace.stats[this.chosen]].sort((a, b) => compare(keyOf(a), keyOf(b), falling ? -1 : 1));
    for (const row of rows) this.addRow(body, row, columns);
    this.holder.setAttribute("aria-label", `${this.chosen.replace("_", " ")}, ${rows.length} rows`);
    this.holder.replaceChildren(table);
  }

  addRow(body, row, columns) {
    const line = body.insertRow();
    columns.forEach(([, path, type, place]) => {
      const cell = line.insertCell();
      const value = valueAt(row, path);
      const text = shown(this.trace, value, type, row);
      cell.dataset.key = path;
      if (type === "histogram")
        cell.title = value.map((bin) => `up to ${shown(this.trace, bin.up_to_ticks, "ticks")}: ${bin.count}`).join("\n");
      else cell.dataset.value = value === null ? "" : value;
      const begin = place === undefined ? null : valueAt(row, `${place}max_begin`);
      if (type !== "text" && type !== "thread") cell.className = "number";
      if (begin === null) {
        cell.textContent = text;
        return;
      }
      const button = document.createElement("button");
      button.textContent = text;
      button.title = "Show where that was";
      const whose = path.startsWith("kept_off") || row.thread === undefined ? {} : { thread: row.thread };
      button.addEventListener("click", () => this.goTo({
        begin, end: valueAt(row, `${place}max_end`), offset: valueAt(row, `${place}max_offset`) ?? undefined, cpu: row.cpu, ...whose,
      }));
      cell.append(button);
    });
  }
}
