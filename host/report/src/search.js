// Finds items by what they are called, by their category, their arguments, or the text of a log; threads and other
// lanes by their name; and runs and states as the details name them: "control runs", "control is blocked".
import { KIND, LANE, STATES } from "./trace.js";

const MOST_SHOWN = 500;
const NAMED = new Set([KIND.duration, KIND.instant, KIND.wakeup, KIND.log, KIND.counter, KIND.flow]);

// Calls `isStale` between blocks. If that returns true, stops and returns null.
export async function search(trace, query, isStale) {
  const wanted = query.toLowerCase();
  const meant = trace.labels.map(([category, name]) => name.toLowerCase().includes(wanted) || category.toLowerCase() === wanted);
  const lanes = [];
  trace.lanes.forEach((lane, i) => {
    if (lane.name.toLowerCase().includes(wanted) || String(lane.id) === wanted) lanes.push(i);
  });
  // For each thread: that it runs, and each state.
  const spent = trace.lanes.map(({ kind, name }) => (kind !== LANE.thread ? [] :
    ["runs", ...STATES.map((state) => `is ${state}`)].map((does) => `${name} ${does}`.toLowerCase().includes(wanted))));
  let count = 0;
  let spells = 0;
  let found = [];
  for (let number = 0; number < trace.blocks.length; ++number) {
    const block = await trace.block(number);
    if (isStale()) return null;
    const inText = block.text.toLowerCase().includes(wanted);
    for (let item = 0; item < block.count; ++item) {
      if (trace.lanes[block.lane[item]].baseline) continue;
      const kind = block.kind[item];
      if (kind === KIND.run || kind === KIND.state) {
        if (!spent[block.lane[item]][kind === KIND.run ? 0 : 1 + block.other[item]]) continue;
        ++spells;
        found.push({ block, item });
        continue;
      }
      if (!NAMED.has(kind)) continue;
      const matches = meant[block.label[item]] ||
        (inText && block.shape[item] !== 0 && block.partsOf(item).some((part) => part.toLowerCase().includes(wanted)));
      if (!matches) continue;
      ++count;
      found.push({ block, item });
    }
    // Blocks come in order of time, but for those of what lasts long: the first are among these.
    if (found.length > 2 * MOST_SHOWN) found = first(found);
  }
  return { count, spells, lanes, found: first(found) };
}

function first(found) {
  return found.sort((a, b) => a.block.begin[a.item] - b.block.begin[b.item]).slice(0, MOST_SHOWN);
}
