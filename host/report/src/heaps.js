// Heaps as `stats --heap --json` has them: the peak, who held it, and what each call site and thread holds.
import { button, element, factList } from "./elements.js";
import { scrolled, Table } from "./table.js";
import { count, moment } from "./time.js";

const MOST_ROWS = 100;
const AMOUNTS = [["bytes at peak", "at_peak.bytes"], ["live bytes", "live.bytes"], ["live blocks", "live.blocks"],
  ["allocations", "allocated.blocks"], ["bytes allocated", "allocated.bytes"], ["frees", "freed.blocks"],
  ["failed", "failed"], ["perhaps freed", "unknown.blocks"]].map((column) => [...column, "count"]);
const LISTS = {
  sites: ["By call site", [["function", "function", "text"], ["place", "place", "text"], ...AMOUNTS, ["address", "caller", "address"]]],
  threads: ["By thread", [["name", "thread", "thread"], ["koid", "thread", "id"], ...AMOUNTS]],
};

const counted = (number, one) => `${count(number)} ${one}${number === 1 ? "" : "s"}`;
const amount = ({ bytes, blocks }) => `${counted(bytes, "byte")} in ${counted(blocks, "block")}`;

// The holder of most bytes at the peak.
function most(holders, nameOf) {
  const one = holders.reduce((a, b) => (b.at_peak.bytes > a.at_peak.bytes ? b : a));
  return `${nameOf(one)}: ${amount(one.at_peak)}`;
}

function facts(trace, heaps) {
  const { peak, live, allocated, failed, frees, unknown } = heaps;
  const lost = "records were lost";
  const pairs = [["peak", `${amount(peak)} at ${moment(trace, trace.time(heaps.peak_ticks))}${heaps.peak_known ? "" : `; unknown, since ${lost}`}`]];
  if (peak.bytes > 0) {
    pairs.push(["call site then", most(heaps.sites, ({ function: name, place }) => (place === undefined ? name : `${name} (${place})`))],
      ["thread then", most(heaps.threads, ({ thread }) => trace.nameOfThread(thread))]);
  }
  pairs.push(["live at the end", amount(live) + (unknown.blocks > 0 ? `; perhaps freed, since ${lost}: ${amount(unknown)}` : "")],
    ["allocated", amount(allocated) + (failed.blocks > 0 ? `; ${counted(failed.blocks, "allocation")} failed` : "")],
    ["freed", counted(frees, "block") + (heaps.unknown_frees > 0 ? `; ${count(heaps.unknown_frees)} without a recorded allocation` : "")]);
  return pairs;
}

export function showHeaps(trace, holder, goTo) {
  const { heaps } = trace;
  const time = heaps.peak_ticks;
  holder.append(factList(facts(trace, heaps)), button("Show the peak", () => goTo({ begin: time, end: time })));
  for (const [name, [title, columns]] of Object.entries(LISTS)) {
    const rows = heaps[name];
    const known = columns.filter(([, path]) => path !== "place" || rows.some((row) => row.place !== undefined));
    const order = { column: known.findIndex(([, path]) => path === "at_peak.bytes"), falling: true };
    const table = new Table(trace, known, rows, order, goTo, MOST_ROWS);
    table.element.dataset.heaps = name;
    const region = scrolled();
    region.setAttribute("aria-label", `Heaps, ${title.toLowerCase()}, ${counted(rows.length, "row")}`);
    region.append(table.element);
    holder.append(element("h3", title), region);
  }
  holder.hidden = false;
}
