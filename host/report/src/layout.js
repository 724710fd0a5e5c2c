// The vertical position of each lane, in pixels.
import { LANE } from "./trace.js";

export const RULER = 26;
export const GUTTER = 170;
export const ROW = 16;
const GAP = 8;
const BAR = { [LANE.cpu]: 22, [LANE.thread]: 14, [LANE.spans]: 0, [LANE.counter]: 42 };

export class Layout {
  constructor(trace) {
    this.places = [];
    let y = RULER + GAP / 2;
    for (const lane of trace.lanes) {
      const bar = BAR[lane.kind];
      const height = Math.max(bar + lane.rows * ROW, ROW);
      this.places.push({ y, bar, height });
      y += height + GAP;
    }
    this.height = y;
  }
  // The number of the lane at this height, -1 where there is none.
  at(y) {
    return this.places.findIndex((place) => y >= place.y - GAP / 2 && y < place.y + place.height + GAP / 2);
  }
  // Numbers of those that lie between these heights.
  within(top, bottom) {
    const found = [];
    this.places.forEach((place, i) => {
      if (place.y + place.height >= top && place.y <= bottom) found.push(i);
    });
    return found;
  }
}
