// Shows why something was late: a sentence, bars, and who woke whom. The command explained the worst
// intervals; the history explains all others.
import { button, element, factList } from "./elements.js";
import { lengthOf, moment } from "./time.js";
import { KIND, LANE, STATES } from "./trace.js";
import { causeText, partition } from "./why.js";

const MOST_BARS = 12;

// Kinds of cases that may explain the item; if several have the interval, the first counts.
function kindsFor(selected) {
  if (selected.kind === KIND.state && STATES[selected.other] === "runnable") return ["wakeup_latency", "preempted"];
  if (selected.kind === KIND.duration) return ["lock_wait", "duration"];
  if (selected.kind === KIND.flow || selected.kind === KIND.arrow) return ["flow"];
  return ["wakeup_latency", "preempted", "lock_wait", "duration"];
}

function matches(trace, one, selected) {
  const { kind, name } = selected;
  if (trace.time(one.end) !== selected.end) return false;
  if (one.kind === "flow") return one.name === name;
  const label = one.lock?.name ?? one.name;
  return trace.time(one.begin) === selected.begin && String(one.thread) === String(trace.lanes[selected.lane].id) &&
    (kind !== KIND.duration || label === name);
}

// The parts of the selected interval, and the case with all else of it; null if nothing explains it.
export async function explain(trace, selected) {
  const { lane, begin, end, kind } = selected;
  if (lane < 0 || trace.lanes[lane].kind !== LANE.thread || trace.lanes[lane].baseline) return null;
  const kinds = kindsFor(selected);
  const found = (await trace.cases()).filter((one) => kinds.includes(one.kind) && matches(trace, one, selected))
    .sort((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind))[0];
  if (found !== undefined) {
    const parts = found.parts.map((part) => ({ ticks: part.ticks, times: part.times, longest: part.longest_ticks, text: part.text }));
    return { found, parts, length: found.ticks };
  }
  if (end <= begin || kind === KIND.flow || kind === KIND.arrow) return null;
  const history = await trace.historyOf();
  const thread = history?.threadOf(trace.lanes[lane].id) ?? null;
  if (thread === null) return null;
  const parts = partition(history, thread, begin, end).map(({ cause, ...rest }) => ({ ...rest, text: causeText(history, cause) }));
  return { found: null, parts, length: end - begin };
}

function bars(trace, parts, length) {
  const table = element("table", "", { class: "parts" });
  const body = table.createTBody();
  const add = (ticks, text, data) => {
    const row = body.insertRow();
    Object.assign(row.dataset, data);
    const share = length === 0 ? 0 : (ticks / length) * 100;
    row.append(element("td", `${share.toFixed(1)} %`, { class: "number" }), element("td", lengthOf(trace, ticks), { class: "number" }));
    const cell = row.insertCell();
    const bar = element("div", "", { class: "bar" });
    bar.style.width = `${share}%`;
    cell.append(bar, element("span", text));
  };
  for (const { ticks, times, longest, text } of parts.slice(0, MOST_BARS)) {
    const often = times > 1 ? ` (${times} times, ${lengthOf(trace, longest)} at most)` : "";
    add(ticks, text + often, { ticks, times, longest, text });
  }
  const rest = parts.slice(MOST_BARS);
  if (rest.length > 0) add(rest.reduce((sum, part) => sum + part.ticks, 0), `${rest.length} other causes`, {});
  return table;
}

// `show(time)` goes there.
function chain(trace, found, show) {
  const list = element("ol", "", { class: "chain" });
  found.chain.forEach((link) => {
    const time = trace.time(link.time);
    const name = (koid, text) => text ?? `thread ${koid}`;
    const by = link.waker !== undefined ? name(link.waker, link.waker_name)
      : link.interrupt !== undefined ? `interrupt ${link.interrupt || "without a name"}` : "somebody that is not recorded";
    const line = element("li");
    line.append(`${name(link.thread, link.thread_name)} was woken by ${by}${link.cpu === undefined ? "" : ` on CPU ${link.cpu}`} `,
      button(moment(trace, time), () => show(time, trace.laneOf(link.thread))));
    list.append(line);
  });
  return list;
}

// As elements; empty where nothing explains it.
export function shownReasons(trace, explained, show) {
  if (explained === null) return [];
  const { found, parts, length } = explained;
  const all = [element("h3", "Why")];
  if (found !== null) all.push(element("p", found.sentence, { class: "sentence" }));
  all.push(bars(trace, parts, length));
  if (found === null) return all;
  if (found.path !== undefined) {
    const path = found.path.map((one) => `${one.thread_name ?? `thread ${one.thread}`} ${lengthOf(trace, one.end - one.begin)}`);
    all.push(factList([["Path", path.join(", then ")]]));
  }
  if (found.chain.length > 0) all.push(element("h3", "Who woke whom, backwards"), chain(trace, found, show));
  if (found.would_help !== "") all.push(factList([["Would help", found.would_help]]));
  return all;
}
