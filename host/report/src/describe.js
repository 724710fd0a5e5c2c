// Describes an item in words.
import { KIND, LANE, STATES } from "./trace.js";
import { lengthOf, moment } from "./time.js";

const KIND_NAMES = {
  [KIND.run]: "runs", [KIND.state]: "thread's state", [KIND.unknown]: "unknown", [KIND.lost]: "records lost",
  [KIND.duration]: "duration", [KIND.instant]: "instant", [KIND.wakeup]: "wakeup", [KIND.log]: "log",
  [KIND.counter]: "counter", [KIND.flow]: "flow", [KIND.arrow]: "flow, from one place to the next",
};

export function kindName(kind) {
  return KIND_NAMES[kind];
}

export function itemName(trace, block, item) {
  const kind = block.kind[item];
  const lane = trace.lanes[block.lane[item]];
  if (kind === KIND.run) return `${lane.name} runs`;
  if (kind === KIND.state) return `${lane.name} is ${STATES[block.other[item]]}`;
  if (kind === KIND.unknown) return `what ${lane.name} does is not known`;
  if (kind === KIND.lost) return `records of ${lane.name} were lost`;
  if (kind === KIND.log) return block.partsOf(item)[0];
  if (kind === KIND.counter) return `${lane.name} = ${block.partsOf(item)[0]}`;
  return trace.nameOf(block.label[item]) || KIND_NAMES[kind];
}

export function laneName(trace, number) {
  const lane = trace.lanes[number];
  if (lane.kind !== LANE.thread) return lane.name;
  return `${lane.name} (thread ${lane.id}${lane.process === null ? "" : `, process ${lane.process}`})`;
}

// Everything about an item, as pairs of a name and a text.
export function facts(trace, block, item) {
  const kind = block.kind[item];
  const label = block.label[item];
  const [begin, end] = [block.begin[item], block.end[item]];
  const pairs = [["What", KIND_NAMES[kind]], ["Name", itemName(trace, block, item)]];
  if (trace.categoryOf(label) !== "") pairs.push(["Category", trace.categoryOf(label)]);
  pairs.push([trace.lanes[block.lane[item]].kind === LANE.thread ? "Thread" : "Lane", laneName(trace, block.lane[item])]);
  if (kind === KIND.run) pairs.push(["CPU", String(trace.lanes[block.other[item]].id)]);
  if (kind === KIND.arrow) pairs.push(["To", laneName(trace, block.other[item])]);
  const { baseline } = trace.lanes[block.lane[item]];
  if (baseline) pairs.push(["Run", `${trace.baseline.archive}, drawn as if it began with this one`]);
  const at = (time) => (baseline ? `${lengthOf(trace, time - trace.first)} behind its beginning` : `${moment(trace, time)} (tick ${trace.ticks(time)})`);
  if (end > begin || kind === KIND.duration) {
    pairs.push(["From", at(begin)], ["To", at(end)]);
    pairs.push(["Length", `${lengthOf(trace, end - begin)} (${end - begin} ticks)`]);
  } else {
    pairs.push(["At", at(end)]);
  }
  if (kind === KIND.state) {
    if (block.flag[item] === 1) pairs.push(["Since", "a wakeup"]);
  } else if (block.flag[item] === 1 && kind !== KIND.run) {
    pairs.push(["In doubt", "its end is not recorded, or records were lost in between: its length is not known"]);
  }
  block.partsOf(item).forEach((text, i) => {
    const [name, type] = trace.shapes[block.shape[item]][i];
    pairs.push([`${name} (${type})`, text]);
  });
  pairs.push(["Record at", block.offset[item] < 0 ? "none ends it" : `offset ${block.offset[item]}`]);
  return pairs;
}
