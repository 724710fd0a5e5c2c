// Load over time: how busy CPUs and threads are in each part of the stretch that is shown, how many threads wait for a
// CPU, and what counters stand at.
import { element } from "./elements.js";
import { KIND, LANE, STATES } from "./trace.js";
import { lengthOf, moment } from "./time.js";

const PARTS = 60;
const MOST_ROWS = 40;
const HEIGHT = 24;
const SVG = "http://www.w3.org/2000/svg";

// The begin of each part, and the end of the last one: whole ticks.
function edgesOf(begin, end) {
  const parts = Math.max(1, Math.min(PARTS, Math.floor(end - begin)));
  return Array.from({ length: parts + 1 }, (_, i) => begin + Math.floor(((end - begin) * i) / parts));
}

// Sums of one thing, by part.
class Curve {
  constructor(edges) {
    this.edges = edges;
    this.sums = new Array(edges.length - 1).fill(0);
    this.covered = new Array(edges.length - 1).fill(0);
    this.low = Infinity;
    this.high = -Infinity;
  }
  // `value` for each tick between.
  add(begin, end, value = 1) {
    const { edges } = this;
    const whole = edges[edges.length - 1] - edges[0];
    let i = Math.max(0, Math.floor(((begin - edges[0]) / whole) * this.sums.length) - 1);
    for (; i < this.sums.length && edges[i] < end; ++i) {
      const ticks = Math.min(end, edges[i + 1]) - Math.max(begin, edges[i]);
      if (ticks <= 0) continue;
      this.sums[i] += ticks * value;
      this.covered[i] += ticks;
    }
    this.low = Math.min(this.low, value);
    this.high = Math.max(this.high, value);
  }
  get means() {
    return this.sums.map((sum, i) => sum / (this.edges[i + 1] - this.edges[i]));
  }
}

// Curves by the number of their lane, and those of all threads that are ready.
export async function loadOf(trace, begin, end, isStale) {
  const edges = edgesOf(Math.round(begin), Math.round(end));
  const curves = new Map();
  const ready = new Curve(edges);
  const of = (lane) => {
    if (!curves.has(lane)) curves.set(lane, new Curve(edges));
    return curves.get(lane);
  };
  for (const number of trace.blocksIn(begin, end)) {
    const block = await trace.block(number);
    if (isStale()) return null;
    for (let i = 0; i < block.count; ++i) {
      if (block.end[i] < begin || block.begin[i] > end) continue;
      const kind = block.kind[i];
      const lane = trace.lanes[block.lane[i]];
      if (kind === KIND.run && !lane.idle && !lane.isUnknown) {
        of(block.lane[i]).add(block.begin[i], block.end[i]);
        of(block.other[i]).add(block.begin[i], block.end[i]);
      } else if (kind === KIND.state && STATES[block.other[i]] === "runnable" && !lane.baseline && !lane.idle) {
        ready.add(block.begin[i], block.end[i]);
      } else if (kind === KIND.counter) {
        of(block.lane[i]).add(block.begin[i], block.end[i], Number(block.partsOf(i)[0]));
      }
    }
  }
  return { edges, curves, ready };
}

// From `low` to `high`, a step for each part.
function chart(values, low, high) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", `0 0 ${values.length} ${HEIGHT}`);
  svg.setAttribute("preserveAspectRatio", "none");
  svg.setAttribute("aria-hidden", "true");
  const room = high > low ? high - low : 1;
  const path = document.createElementNS(SVG, "path");
  const steps = values.map((value, i) => {
    const y = HEIGHT * (1 - (value - low) / room);
    return `L${i} ${y.toFixed(2)}L${i + 1} ${y.toFixed(2)}`;
  });
  path.setAttribute("d", `M0 ${HEIGHT}${steps.join("")}L${values.length} ${HEIGHT}Z`);
  svg.append(path);
  return svg;
}

const percent = (value) => `${(value * 100).toFixed(1)} %`;
const number = (value) => String(Math.round(value * 100) / 100);

export class LoadCharts {
  constructor(trace, view, holder, select) {
    Object.assign(this, { trace, view, holder, select });
    this.drawings = 0;
    const isThere = (kind) => trace.lanes.some((lane) => lane.kind === kind);
    for (const [name, kind] of [["CPUs", LANE.cpu], ["threads", LANE.thread], ["counters", LANE.counter]])
      if (isThere(kind)) select.add(new Option(name, kind));
    select.addEventListener("change", () => this.show());
    holder.closest("details").addEventListener("toggle", () => this.show());
  }

  async show() {
    if (!this.holder.closest("details").open) return;
    const mine = ++this.drawings;
    const { trace, view, holder } = this;
    delete holder.dataset.state;
    const load = await loadOf(trace, view.begin, view.end, () => mine !== this.drawings);
    if (load === null) return;
    const kind = Number(this.select.value);
    const table = element("table");
    table.createCaption().textContent = `From ${moment(trace, view.begin)} to ${moment(trace, view.end)}, in parts of ${lengthOf(trace, load.edges[1] - load.edges[0])}`;
    const heads = table.createTHead().insertRow();
    for (const title of ["", "least", "mean", "most", "over time"]) heads.append(element("th", title, { scope: "col" }));
    const body = table.createTBody();
    const rows = [...load.curves].filter(([lane]) => trace.lanes[lane].kind === kind).map(([lane, curve]) => ({ name: trace.lanes[lane].name, curve }));
    const mean = ({ curve }) => curve.sums.reduce((sum, one) => sum + one, 0) / (load.edges[load.edges.length - 1] - load.edges[0]);
    rows.sort((a, b) => mean(b) - mean(a));
    for (const row of rows.slice(0, MOST_ROWS)) {
      if (kind === LANE.counter) this.addCounter(body, row);
      else this.addRow(body, row, mean(row), 0, 1, percent);
    }
    if (kind === LANE.cpu) {
      const row = { name: "threads that wait for a CPU", curve: load.ready };
      this.addRow(body, row, mean(row), 0, Math.max(1, ...load.ready.means), number);
    }
    holder.replaceChildren(table, ...(rows.length > MOST_ROWS ? [element("p", `${rows.length - MOST_ROWS} more have less.`)] : []));
    holder.dataset.edges = load.edges.map((edge) => trace.ticks(edge)).join(" ");
    holder.dataset.state = "done";
  }

  // A counter stands at a value: its least and most are values, its mean is of the time in which it is known.
  addCounter(body, { name, curve }) {
    const covered = curve.covered.reduce((sum, one) => sum + one, 0);
    const values = curve.sums.map((sum, i) => (curve.covered[i] === 0 ? curve.low : sum / curve.covered[i]));
    const mean = covered === 0 ? 0 : curve.sums.reduce((sum, one) => sum + one, 0) / covered;
    this.put(body, name, curve, [curve.low, mean, curve.high].map(number), values, [curve.low, curve.high], number);
  }
  addRow(body, { name, curve }, mean, low, high, text) {
    const values = curve.means;
    this.put(body, name, curve, [Math.min(...values), mean, Math.max(...values)].map(text), values, [low, high], text);
  }
  put(body, name, curve, texts, values, [low, high], text) {
    const row = body.insertRow();
    row.dataset.name = name;
    row.dataset.sums = curve.sums.join(" ");
    row.append(element("td", name), ...texts.map((one) => element("td", one, { class: "number" })));
    const cell = row.insertCell();
    cell.className = "chart";
    // The axis.
    cell.append(element("small", text(high)), element("small", text(low)), chart(values, low, high));
  }
}
