// A selected stretch of time in words and numbers: what all CPUs and threads did in it.
import { element, factList } from "./elements.js";
import { orderOf, TABLES } from "./statistics.js";
import { sumColumns, sumsOf } from "./sums.js";
import { scrolled, Table, titleOf } from "./table.js";
import { lengthOf, moment } from "./time.js";

export function stretchFacts(trace, { begin, end }) {
  const when = (time) => `${moment(trace, time)} (tick ${trace.ticks(time)})`;
  return [["From", when(begin)], ["To", when(end)], ["Length", `${lengthOf(trace, end - begin)} (${end - begin} ticks)`]];
}

// Fills the element with the sums, which take a moment.
export async function showSums(trace, { begin, end }, holder, goTo, isStale) {
  const sums = await sumsOf(trace, begin, end, isStale);
  if (sums === null) return;
  const command = `barefxt stats ${trace.archive} --from ${trace.ticks(begin)}ticks --to ${trace.ticks(end)}ticks`;
  holder.append(factList([["The same", command]]));
  for (const [name, rows] of Object.entries(sums)) {
    if (rows.length === 0) continue;
    const columns = sumColumns(TABLES, name);
    const table = new Table(trace, columns, rows, orderOf(name, columns), goTo);
    table.element.dataset.sums = name;
    const box = scrolled();
    box.setAttribute("aria-label", `${titleOf(name)} in the stretch, ${rows.length} rows`);
    box.append(table.element);
    holder.append(element("h3", `${titleOf(name)} in it`), box);
  }
  holder.dataset.state = "done";
}
