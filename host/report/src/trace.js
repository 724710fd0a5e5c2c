// The page's content: lanes, statistics, and blocks of items and levels of detail, which are
// unpacked on demand and kept as long as there is room.
import { History } from "./history.js";
import { fromBase85, inflate, Numbers, parseExact } from "./bytes.js";

export const LANE = { cpu: 0, thread: 1, spans: 2, counter: 3 };
export const KIND = {
  run: 0, state: 1, unknown: 2, lost: 3, duration: 4, instant: 5, wakeup: 6, log: 7, counter: 8, flow: 9, arrow: 10,
};
export const STATES = ["running", "runnable", "blocked", "waiting", "unknown"];

const MOST_BLOCKS = 256;

// Koids of threads that a trace refers to and never names, as in host/src/archive/archive_provider.h.
const isUnknownThread = (koid) => koid >= 0x7d000000 && koid < 0x7e000000;

class Block {
  constructor(bytes, count, shapes) {
    const sizes = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const columns = [];
    let at = 9 * 4;
    for (let i = 0; i < 9; ++i) {
      const size = sizes.getUint32(i * 4, true);
      columns.push(bytes.subarray(at, at + size));
      at += size;
    }
    this.count = count;
    this.kind = columns[0].map((value) => value & 63);
    // Durations that one record has all of.
    this.single = columns[0].map((value) => (value >> 6) & 1);
    // A state that is a wakeup latency, a run that only its end shows, anything else that is in doubt.
    this.flag = columns[0].map((value) => value >> 7);
    this.lane = new Uint32Array(count);
    this.other = new Uint32Array(count);
    this.label = new Uint32Array(count);
    this.shape = new Uint32Array(count);
    this.begin = new Float64Array(count);
    this.end = new Float64Array(count);
    this.offset = new Float64Array(count);
    [this.lane, this.other, this.label, this.shape].forEach((values, i) => {
      const numbers = new Numbers(columns[1 + i]);
      for (let j = 0; j < count; ++j) values[j] = numbers.next();
    });
    // Each unknown time as it seemed before the record at its end; 0: unknown.
    this.seemed = this.other.map((other, i) => (this.kind[i] === KIND.state || this.kind[i] === KIND.unknown ? other >> 3 : 0));
    this.seemed.forEach((seemed, i) => {
      if (seemed > 0) this.other[i] &= 7;
    });
    const ends = new Numbers(columns[5]);
    const lengths = new Numbers(columns[6]);
    const offsets = new Numbers(columns[7]);
    const before = new Map();
    let end = 0;
    let offset = 0;
    for (let i = 0; i < count; ++i) {
      end += ends.next();
      this.end[i] = end;
      this.begin[i] = this.beginOf(i, lengths.next(), before);
      const coded = offsets.next();
      if (coded !== 0) offset += Numbers.signed(coded - 1);
      this.offset[i] = coded === 0 ? -1 : offset;
    }
    this.textBytes = columns[8];
    this.shapes = shapes;
  }
  // States are coded by the distance from the lane's item before, all else by its length.
  beginOf(i, coded, before) {
    const kind = this.kind[i];
    if (kind > KIND.unknown && kind !== KIND.counter) return this.end[i] - coded;
    const begin = (before.get(this.lane[i]) ?? this.end[i]) + Numbers.signed(coded);
    before.set(this.lane[i], this.end[i]);
    return begin;
  }
  // All texts at once, to be looked through.
  get text() {
    this.allText ??= new TextDecoder().decode(this.textBytes);
    return this.allText;
  }
  // The parts of an item's text.
  partsOf(item) {
    if (this.shape[item] === 0) return [];
    this.texts ??= this.textsByItem();
    return this.texts[item];
  }
  // They are packed by shape, then by part.
  textsByItem() {
    const lines = this.text.split("\n");
    const items = new Map();
    this.shape.forEach((shape, item) => {
      if (!items.has(shape)) items.set(shape, []);
      items.get(shape).push(item);
    });
    items.delete(0);
    const texts = new Array(this.count);
    let at = 0;
    for (const [shape, all] of [...items].sort((a, b) => a[0] - b[0])) {
      const parts = this.shapes[shape].map((_, part) => at + part * all.length);
      all.forEach((item, i) => {
        texts[item] = parts.map((part) => lines[part + i]);
      });
      at += parts.length * all.length;
    }
    return texts;
  }
}

export class Trace {
  constructor(index, data) {
    Object.assign(this, index);
    this.data = data;
    this.span = Number(BigInt(index.last) - BigInt(index.first));
    // Times in the page count from the base.
    this.first = Number(BigInt(index.first) - BigInt(index.base));
    this.last = this.first + this.span;
    this.base = BigInt(index.base);
    for (const lane of this.lanes) if (lane.baseline) lane.name += " · baseline";
    for (const lane of this.lanes) lane.isUnknown = lane.kind === LANE.thread && isUnknownThread(Number(lane.id));
    this.unpacked = new Map();
    this.pending = new Map();
    this.levelBytes = new Map();
    this.unpackedBytes = 0;
  }

  static async load(dataElement, indexElement) {
    const bytes = await inflate(fromBase85(indexElement.textContent.trim()));
    return new Trace(parseExact(new TextDecoder().decode(bytes)), dataElement.textContent.trim());
  }

  async bytesAt([position, size]) {
    this.unpackedBytes += size;
    const text = this.data.substring((position / 4) * 5, (position / 4 + Math.ceil(size / 4)) * 5);
    return inflate(fromBase85(text).subarray(0, size));
  }

  // Numbers of the blocks that hold something of this stretch.
  blocksIn(begin, end) {
    const found = [];
    this.blocks.forEach((block, i) => {
      if (block[0] <= end && block[1] >= begin) found.push(i);
    });
    return found;
  }
  itemsIn(numbers) {
    return numbers.reduce((sum, number) => sum + this.blocks[number][2], 0);
  }

  // Null where it is not unpacked yet.
  blockIfThere(number) {
    const block = this.unpacked.get(number) ?? null;
    if (block !== null && number >= this.longBlocks) {
      this.unpacked.delete(number);
      this.unpacked.set(number, block);
    }
    return block;
  }
  async block(number) {
    const there = this.blockIfThere(number);
    if (there !== null) return there;
    if (!this.pending.has(number)) {
      const [, , count, position, size] = this.blocks[number];
      this.pending.set(number, this.bytesAt([position, size]).then((bytes) => {
        const block = new Block(bytes, count, this.shapes);
        this.pending.delete(number);
        this.unpacked.set(number, block);
        this.makeRoom();
        return block;
      }));
    }
    return this.pending.get(number);
  }
  makeRoom() {
    for (const number of this.unpacked.keys()) {
      if (this.unpacked.size <= MOST_BLOCKS + this.longBlocks) return;
      if (number >= this.longBlocks) this.unpacked.delete(number);
    }
  }

  get hasLevels() {
    return this.levels.lanes.length > 0;
  }
  levelsIfThere(lane) {
    return this.levelBytes.get(lane) ?? null;
  }
  async levelsOf(lane) {
    if (!this.levelBytes.has(lane)) this.levelBytes.set(lane, await this.bytesAt(this.levels.lanes[lane]));
    return this.levelBytes.get(lane);
  }

  // The worst intervals, as `barefxt explain --json` has them.
  async cases() {
    this.explanations ??= this.bytesAt(this.explained).then((bytes) => parseExact(new TextDecoder().decode(bytes)).cases);
    return this.explanations;
  }
  // Explains all others. Null if the command left it out.
  async historyOf() {
    if (this.history[1] === 0) return null;
    this.unpackedHistory ??= this.bytesAt(this.history).then((bytes) => new History(bytes, this.base));
    return this.unpackedHistory;
  }
  get hasSamples() {
    return this.samples[1] > 0;
  }
  // In the format of speedscope.
  async samplesOf() {
    return JSON.parse(new TextDecoder().decode(await this.bytesAt(this.samples)));
  }
  laneOf(thread, cpu) {
    const kind = thread === undefined ? LANE.cpu : LANE.thread;
    const id = String(thread ?? cpu);
    return this.lanes.findIndex((lane) => lane.kind === kind && String(lane.id) === id && !lane.baseline);
  }

  // From ticks as recorded, and back, exactly.
  time(ticks) {
    return Number(BigInt(ticks) - this.base);
  }
  ticks(time) {
    return this.base + BigInt(Math.round(time));
  }
  nameOfThread(koid) {
    this.threadNames ??= new Map(this.lanes.filter((lane) => lane.kind === LANE.thread && !lane.baseline).map((lane) => [String(lane.id), lane.name]));
    return this.threadNames.get(String(koid)) ?? `thread ${koid}`;
  }
  // In the run that this one is compared with.
  nameInBaseline(koid) {
    this.oldNames ??= new Map(this.baseline.stats.threads.map((row) => [String(row.thread), row.name]));
    return this.oldNames.get(String(koid)) ?? `thread ${koid}`;
  }
  categoryOf(label) {
    return this.labels[label][0];
  }
  nameOf(label) {
    return this.labels[label][1];
  }
}
