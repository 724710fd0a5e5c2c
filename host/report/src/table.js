// A table of rows of numbers as `stats --json` has them, that can be sorted by any column.
//
// A column is a title, a path in the row, a type, and, of a maximum, the path ahead of `max_begin` and the like:
// then the cell is a button that goes there.
import { count, duration } from "./time.js";

const valueAt = (row, path) => path.split(".").reduce((value, key) => value?.[key], row) ?? null;

const BARS = "▁▂▃▄▅▆▇█";

// A bar for each bin; one that is not empty is seen.
function bars(bins) {
  const most = Math.max(...bins.map((bin) => bin.count));
  return bins.map((bin) => (bin.count === 0 ? " " : BARS[Math.ceil((bin.count / most) * BARS.length) - 1])).join("");
}

function shown(trace, value, type, row = {}) {
  if (value === null) return "–";
  if (type === "thread") return row.isOfBaseline ? trace.nameInBaseline(value) : trace.nameOfThread(value);
  if (type === "address") return row.object_name ?? `0x${BigInt(value).toString(16)}`;
  if (type === "ns") return value === 0 ? "–" : duration(value / 1e9);
  if (type === "histogram") return bars(value);
  if (type === "ticks") return trace.rate === 0 ? `${value} ticks` : duration(value / trace.rate);
  if (type === "seconds") return duration(value);
  if (type === "signed") return `${value > 0 ? "+" : ""}${(value * 100).toFixed(2)} %`;
  if (type === "baselineTicks") return trace.baseline.stats.ticks_per_second === 0 ? `${value} ticks` : duration(value / trace.baseline.stats.ticks_per_second);
  if (type === "share") return `${(value * 100).toFixed(1)} %`;
  if (type === "number") return String(Math.round(value * 1000) / 1000);
  return type === "count" ? count(value) : String(value);
}

// Rows without a value come last.
function compare(a, b, sign) {
  if (a === null || b === null) return (a === null) - (b === null);
  return sign * (typeof a === "string" || typeof b === "string" ? String(a).localeCompare(String(b), undefined, { numeric: true }) : a - b);
}

export const titleOf = (name) => name.replaceAll("_", " ");

export function scrolled() {
  const holder = document.createElement("div");
  holder.className = "scrolled";
  holder.tabIndex = 0;
  holder.setAttribute("role", "region");
  return holder;
}

export class Table {
  // `order`: the column that it is sorted by and whether it is falling; kept by the caller. `goTo(place)`: shows
  // where something was, in ticks as recorded. `most`: of the rows that are shown.
  constructor(trace, columns, rows, order, goTo, most = Infinity) {
    Object.assign(this, { trace, columns, rows, order, goTo, most });
    this.element = document.createElement("table");
    this.fill();
  }

  fill() {
    const { columns, order } = this;
    this.element.replaceChildren();
    const heads = this.element.createTHead().insertRow();
    columns.forEach(([title, , type], i) => {
      if (type === "hidden") return;
      const isSorted = i === order.column;
      const head = document.createElement("th");
      head.scope = "col";
      head.setAttribute("aria-sort", isSorted ? (order.falling ? "descending" : "ascending") : "none");
      const button = document.createElement("button");
      button.textContent = title + (isSorted ? (order.falling ? " ▾" : " ▴") : "");
      button.addEventListener("click", () => {
        Object.assign(order, { column: i, falling: isSorted ? !order.falling : !["text", "thread"].includes(columns[i][2]) });
        this.fill();
        this.element.querySelectorAll("th button")[i].focus();
      });
      head.append(button);
      heads.append(head);
    });
    const body = this.element.createTBody();
    const [, key, type] = columns[order.column];
    const keyOf = (row) => (type === "thread" ? this.trace.nameOfThread(valueAt(row, key)) : valueAt(row, key));
    const rows = [...this.rows].sort((a, b) => compare(keyOf(a), keyOf(b), order.falling ? -1 : 1));
    for (const row of rows.slice(0, this.most)) this.addRow(body, row);
    if (rows.length > this.most) this.element.createTFoot().insertRow().insertCell().textContent = `and ${count(rows.length - this.most)} more`;
  }

  addRow(body, row) {
    const line = body.insertRow();
    this.columns.forEach(([, path, type, place]) => {
      if (type === "hidden") return;
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
