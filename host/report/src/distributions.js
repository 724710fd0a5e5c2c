// Every set of lengths as a histogram, with the bounds that a budget or a deadline sets to it as lines in it.
import { element } from "./elements.js";
import { count, lengthOf } from "./time.js";
import { titleOf } from "./table.js";

const SVG = "http://www.w3.org/2000/svg";
const HEIGHT = 100;
const MOST_LABELS = 6;

// The bins, each twice or so as long as the one before, and as many more as the bounds need.
function slotsOf({ histogram, bounds }) {
  const slots = histogram.map((bin, i) =>
    ({ from: i === 0 ? bin.up_to_ticks / 2 : Number(histogram[i - 1].up_to_ticks), to: Number(bin.up_to_ticks), count: bin.count }));
  const ticks = bounds.map((bound) => Number(bound.ticks));
  const [least, most] = [Math.min(...ticks), Math.max(...ticks)];
  if (least < slots[0].from) slots.unshift({ from: least / 2, to: slots[0].from, count: 0 });
  const end = slots[slots.length - 1].to;
  if (most > end) slots.push({ from: end, to: most * 1.2, count: 0 });
  return slots;
}

// A length's place from 0 to 1: lengths within a bin by their logarithms.
function placeOf(slots, ticks) {
  const i = Math.max(0, slots.findIndex(({ to }) => ticks <= to));
  const { from, to } = slots[i];
  const share = from > 0 && to > from ? Math.log(ticks / from) / Math.log(to / from) : 1;
  return (i + Math.min(1, Math.max(0, share))) / slots.length;
}

function bars(slots) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", `0 0 ${slots.length} ${HEIGHT}`);
  svg.setAttribute("preserveAspectRatio", "none");
  svg.setAttribute("aria-hidden", "true");
  const most = Math.max(...slots.map((slot) => slot.count));
  slots.forEach((slot, i) => {
    if (slot.count === 0) return;
    const bar = document.createElementNS(SVG, "rect");
    const height = Math.max(1, (slot.count / most) * HEIGHT);
    Object.entries({ x: i + 0.04, y: HEIGHT - height, width: 0.92, height }).forEach(([name, value]) => bar.setAttribute(name, value));
    svg.append(bar);
  });
  return svg;
}

export class Histograms {
  constructor(trace, holder, select) {
    Object.assign(this, { trace, holder, select });
    const sets = trace.distributions;
    const groups = new Map();
    sets.forEach(({ metric, of }, i) => {
      if (!groups.has(metric)) groups.set(metric, element("optgroup", "", { label: titleOf(metric) }));
      groups.get(metric).append(new Option(`${titleOf(metric)} ${of}`, i));
    });
    select.append(...groups.values());
    // The first that has a bound, the worst ahead.
    const bounded = sets.filter((set) => set.bounds.length > 0).sort((a, b) => exceeding(b) - exceeding(a));
    if (bounded.length > 0) select.value = sets.indexOf(bounded[0]);
    select.addEventListener("change", () => this.show());
    this.show();
  }

  show() {
    const { trace, holder } = this;
    const set = trace.distributions[this.select.value];
    if (set === undefined) {
      holder.textContent = "This trace has no lengths.";
      return;
    }
    const slots = slotsOf(set);
    const number = set.histogram.reduce((sum, bin) => sum + bin.count, 0);
    const texts = set.histogram.map((bin) => `${count(bin.count)} up to ${lengthOf(trace, bin.up_to_ticks)}`);
    const chart = element("div", "", { class: "histogram", role: "img", "aria-label": `${count(number)} lengths: ${texts.join(", ")}` });
    chart.append(bars(slots));
    const put = (one, place) => {
      one.style.left = `${place * 100}%`;
      chart.append(one);
    };
    const step = Math.ceil(slots.length / MOST_LABELS);
    for (let i = step - 1; i < slots.length; i += step) put(element("small", lengthOf(trace, Math.round(slots[i].to))), (i + 1) / slots.length);
    const list = element("ul");
    for (const { text, ticks, above } of set.bounds) {
      put(element("div", "", { class: "bound", title: text }), placeOf(slots, Number(ticks)));
      list.append(element("li", `${text}: ${count(above)} of ${count(number)} are longer than ${lengthOf(trace, ticks)}`, { "data-above": above, "data-ticks": ticks }));
    }
    holder.replaceChildren(chart, list);
    Object.assign(holder.dataset, { metric: set.metric, of: set.of, count: number });
  }
}

function exceeding({ bounds }) {
  return Math.max(...bounds.map((bound) => bound.above));
}
