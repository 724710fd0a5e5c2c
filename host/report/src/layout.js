// The vertical position of each lane, in pixels.
import { LANE } from "./trace.js";

export const RULER = 26;
export const GUTTER = 170;
export const ROW = 16;
const GAP = 8;
const BAR = { [LANE.cpu]: 22, [LANE.thread]: 14, [LANE.spans]: 0, [LANE.counter]: 42 };

// Fewer are not worth a fold.
const LEAST_FOLDED = 4;

export class Layout {
  constructor(trace) {
    this.trace = trace;
    const ended = new Set(trace.stats.threads.filter((row) => row.ended > 0).map((row) => String(row.thread)));
    const isQuiet = (lane) => lane.kind === LANE.thread && (lane.idle || ended.has(String(lane.id)));
    this.quiet = new Set(trace.lanes.map((_, i) => i).filter((i) => isQuiet(trace.lanes[i])));
    if (this.quiet.size < LEAST_FOLDED) this.quiet.clear();
    this.isFolded = true;
    this.arrange();
  }
  // Threads that idle or have ended lie below the others, folded into one row or below that.
  arrange() {
    this.places = [];
    this.fold = null;
    let y = RULER + GAP / 2;
    const put = (i) => {
      const lane = this.trace.lanes[i];
      const bar = BAR[lane.kind];
      const height = Math.max(bar + lane.rows * ROW, ROW);
      this.places[i] = { y, bar, height, isHidden: false };
      y += height + GAP;
    };
    const isAhead = (lane) => lane.kind === LANE.cpu || lane.kind === LANE.thread;
    const numbers = this.trace.lanes.map((_, i) => i);
    const ahead = numbers.filter((i) => isAhead(this.trace.lanes[i]));
    for (const i of ahead.filter((one) => !this.quiet.has(one))) put(i);
    if (this.quiet.size > 0) {
      this.fold = { y, height: ROW };
      y += ROW + GAP;
    }
    for (const i of this.quiet) {
      if (this.isFolded) this.places[i] = { y: this.fold.y, bar: 0, height: 0, isHidden: true };
      else put(i);
    }
    for (const i of numbers.slice(ahead.length)) put(i);
    this.height = y;
  }
  toggle() {
    this.isFolded = !this.isFolded;
    this.arrange();
  }
  // The number of the lane at this height, -1 where there is none.
  at(y) {
    return this.places.findIndex((place) => !place.isHidden && y >= place.y - GAP / 2 && y < place.y + place.height + GAP / 2);
  }
  isFoldAt(y) {
    return this.fold !== null && y >= this.fold.y && y < this.fold.y + this.fold.height;
  }
  // Numbers of those that lie between these heights.
  within(top, bottom) {
    const found = [];
    this.places.forEach((place, i) => {
      if (!place.isHidden && place.y + place.height >= top && place.y <= bottom) found.push(i);
    });
    return found;
  }
}
