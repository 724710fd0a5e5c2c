// The lanes where more lies in a pixel than can be drawn: from the levels of detail that the command made.
// host/src/report/levels.h is the other side.
import { GUTTER, ROW } from "./layout.js";
import { heights, LINE, QUIET } from "./bars.js";
import { LANE, STATES } from "./trace.js";

export class Levels {
  constructor(painter) {
    this.painter = painter;
  }

  // Returns false while something of it is being unpacked.
  paint() {
    const { painter } = this;
    const { trace } = painter;
    const { buckets } = trace.levels;
    const share = painter.view.width / Math.max(1, trace.span);
    const pixels = painter.width - GUTTER;
    let level = buckets.length - 1;
    while (level > 0 && buckets[level] * share < pixels / 2) --level;
    let complete = true;
    for (const lane of painter.visible) {
      const bytes = trace.levelsIfThere(lane);
      if (bytes === null) {
        complete = false;
        trace.levelsOf(lane).then(painter.onArrival);
      } else {
        this.paintLevel(lane, bytes, level);
      }
    }
    const always = Array.from({ length: trace.longBlocks }, (_, i) => i);
    return painter.paintBlocks(always, true) && complete;
  }

  paintLevel(number, bytes, level) {
    const { painter } = this;
    const { trace } = painter;
    const { buckets } = trace.levels;
    const lane = trace.lanes[number];
    const states = lane.kind === LANE.cpu ? 3 : lane.kind === LANE.thread ? 5 : 0;
    const rows = Math.min(lane.rows, trace.levels.rows);
    // A CPU also has the thread that ran most.
    const ran = lane.kind === LANE.cpu ? 2 : 0;
    const planes = lane.kind === LANE.counter ? 8 : states + ran + rows * 3 + 1;
    let at = 0;
    for (let i = 0; i < level; ++i) at += planes * buckets[i];
    const size = buckets[level];
    const plane = (i) => bytes.subarray(at + i * size, at + (i + 1) * size);
    const ticks = trace.span / size;
    const first = Math.max(0, Math.floor((painter.view.begin - trace.first) / ticks));
    const last = Math.min(size - 1, Math.ceil((painter.view.end - trace.first) / ticks));
    const place = painter.layout.places[number];
    const y = painter.y(number);
    const whole = trace.levels.whole;
    const context = painter.context;
    const each = (draw) => {
      for (let i = first; i <= last; ++i) {
        const x = painter.x(trace.first + i * ticks);
        draw(i, x, painter.x(trace.first + (i + 1) * ticks) - x + 0.3);
      }
    };
    if (lane.kind === LANE.counter) return this.paintExtremes(number, bytes.slice(at, at + planes * size), size, each, place, y);
    const names = lane.kind === LANE.cpu ? ["running", "idle", "unknown"] : STATES;
    const height = lane.kind === LANE.cpu ? 20 : 12;
    const shares = Array.from({ length: states }, (_, i) => plane(i));
    const [low, high] = ran === 0 ? [] : [plane(states), plane(states + 1)];
    each((i, x, width) => {
      // The state of most of the time as a line, those that stand out from the lower edge up.
      const most = names.map((name, state) => (QUIET.has(name) ? shares[state][i] : 0));
      const quiet = most.indexOf(Math.max(...most));
      if (most[quiet] > 0) {
        context.fillStyle = painter.palette.get(names[quiet]);
        context.fillRect(x, y + (height - LINE) / 2, width, LINE);
      }
      let base = y + height;
      shares.forEach((values, state) => {
        if (QUIET.has(names[state]) || values[i] === 0) return;
        const part = Math.min(Math.max(2, (values[i] / whole) * height), base - y);
        const thread = ran === 0 ? 0 : low[i] + high[i] * 256;
        context.fillStyle = thread > 0 ? painter.palette.hue(thread - 1) : painter.palette.get(lane.idle ? "idle" : names[state]);
        context.fillRect(x, base - part, width, part);
        base -= part;
      });
    });
    for (let row = 0; row < Math.min(rows, place.rows); ++row) {
      const [lower, upper, covered] = [0, 1, 2].map((i) => plane(states + ran + row * 3 + i));
      const top = y + place.bar + row * ROW;
      each((i, x, width) => {
        if (covered[i] === 0) return;
        const part = Math.max(2, (covered[i] / whole) * (ROW - 2));
        context.fillStyle = painter.palette.hue(lower[i] + upper[i] * 256 - 1);
        context.fillRect(x, top + ROW - 2 - part, width, part);
      });
    }
    const marks = plane(states + ran + rows * 3);
    context.fillStyle = painter.palette.get("mark");
    each((i, x) => {
      if (marks[i] > 0) context.fillRect(x, y + (place.bar || ROW) - 2, 1, 2);
    });
    return undefined;
  }

  paintExtremes(lane, bytes, size, each, place, y) {
    const { painter } = this;
    const values = new Float32Array(bytes.buffer, bytes.byteOffset, 2 * size);
    let low = Infinity;
    let high = -Infinity;
    for (let i = 0; i < size; ++i) {
      if (values[i] < low) low = values[i];
      if (values[size + i] > high) high = values[size + i];
    }
    if (high >= low) painter.ranges.set(lane, [low, high]);
    const base = y + place.height - 3;
    const of = heights(low, high, place.height - 8);
    painter.context.fillStyle = painter.palette.get("counter");
    each((i, x, width) => {
      if (Number.isNaN(values[i])) return;
      painter.context.fillRect(x, base - of(values[size + i]), width, of(values[size + i]) - of(values[i]) + 2);
    });
  }
}
