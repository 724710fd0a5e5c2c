// Everything but the text: what lies in the lanes, item by item, or, where that is too much, from the
// levels of detail.
import { heights, LINE, QUIET } from "./bars.js";
import { GUTTER, ROW, RULER } from "./layout.js";
import { Levels } from "./levels.js";
import { KIND, LANE, STATES } from "./trace.js";

const MOST_ITEMS = 100000;
// More arrows hide everything: those of the selection are left then.
const MOST_ARROWS = 100;
const MARK_WIDTH = 8;
const LOST_STEP = 6;
const MARK_COLOURS = { [KIND.instant]: "mark", [KIND.wakeup]: "wakeup", [KIND.log]: "log", [KIND.flow]: "arrow" };

export class Painter {
  constructor(trace, layout, palette, view, onArrival) {
    Object.assign(this, { trace, layout, palette, view, onArrival });
    this.exact = true;
    this.levels = new Levels(this);
  }

  // Returns false while something that belongs into the picture is being unpacked.
  paint(context, width, height, selected) {
    Object.assign(this, { context, width, height });
    this.scale = (width - GUTTER) / this.view.width;
    const { begin, end, scroll } = this.view;
    this.scroll = scroll;
    context.clearRect(0, 0, width, height);
    context.fillStyle = this.palette.get("background");
    context.fillRect(0, 0, width, height);
    const numbers = this.trace.blocksIn(begin, end);
    this.items = this.trace.itemsIn(numbers);
    this.exact = !this.trace.hasLevels || this.items <= MOST_ITEMS;
    this.selected = selected;
    const all = new Set();
    // The least and the greatest value of each counter in view.
    this.ranges = new Map();
    let complete = true;
    for (const isPinned of [false, true]) {
      this.visible = new Set(this.layout.seen(scroll, height, isPinned));
      if (isPinned && this.visible.size === 0) continue;
      const [top, bottom] = isPinned ? [RULER, this.layout.top] : [this.layout.top, height];
      context.save();
      context.beginPath();
      context.rect(GUTTER, top, width - GUTTER, bottom - top);
      context.clip();
      this.paintLanes();
      complete = (this.exact ? this.paintBlocks(numbers, false) : this.levels.paint()) && complete;
      if (selected !== null) this.paintSelection(selected);
      context.restore();
      for (const lane of this.visible) all.add(lane);
    }
    this.visible = all;
    return complete;
  }

  x(time) {
    return GUTTER + (time - this.view.begin) * this.scale;
  }
  y(lane) {
    return this.layout.yOn(lane, this.scroll);
  }

  paintLanes() {
    this.context.fillStyle = this.palette.get("lane");
    for (const lane of this.visible) this.context.fillRect(GUTTER, this.y(lane), this.width, this.layout.places[lane].height);
  }

  // A bar, at least a pixel wide. One bar is enough for all that begin and end in the same pixel.
  bar(key, begin, end, y, height, colour, rank = 0) {
    const from = Math.max(this.x(begin), GUTTER);
    const to = Math.min(this.x(end), this.width);
    const pixel = Math.floor(from);
    if (to - from < 1) {
      if (rank > 0) {
        this.addShort(pixel, y, height, to - from, colour, rank);
        return;
      }
      if (this.lastPixel.get(key) === pixel) return;
      this.lastPixel.set(key, pixel);
    }
    this.context.fillStyle = colour;
    this.context.fillRect(to - from < 1 ? pixel : from, y, Math.max(1, to - from), height);
  }

  // Bars shorter than a pixel: those of a rank share it, by the longest one's colour.
  addShort(pixel, y, height, length, colour, rank) {
    const key = (y + this.scroll) * 65536 + pixel;
    if (!this.short.has(key)) this.short.set(key, { pixel, y, height, ranks: [] });
    const { ranks } = this.short.get(key);
    ranks[rank] ??= { covered: 0, longest: -1, colour };
    ranks[rank].covered += length;
    if (length > ranks[rank].longest) Object.assign(ranks[rank], { longest: length, colour });
  }
  // As high as they are long together, upon the line of what is quiet, running lowest.
  paintShort() {
    for (const { pixel, y, height, ranks } of this.short.values()) {
      let base = y + height;
      for (const { covered, colour } of ranks.reverse().filter(Boolean)) {
        const part = Math.min(base - y, Math.max(2, covered * height));
        this.context.fillStyle = colour;
        this.context.fillRect(pixel, base - part, 1, part);
        base -= part;
      }
    }
  }

  state(key, begin, end, y, height, name) {
    const colour = this.palette.get(name);
    if (QUIET.has(name)) this.bar(key, begin, end, y + (height - LINE) / 2, LINE, colour);
    else this.bar(key, begin, end, y, height, colour, name === "running" ? 2 : 1);
  }

  paintBlocks(numbers, onlyLosses) {
    let complete = true;
    this.lastPixel = new Map();
    this.short = new Map();
    const late = [];
    const counters = new Map();
    for (const number of numbers) {
      const block = this.trace.blockIfThere(number);
      if (block === null) {
        complete = false;
        this.trace.block(number).then(this.onArrival);
      } else {
        this.paintBlock(block, onlyLosses, late, counters);
      }
    }
    this.paintShort();
    for (const [lane, values] of counters) this.paintCurve(lane, values);
    this.paintLate(late);
    return complete;
  }

  paintBlock(block, onlyLosses, late, counters) {
    const { begin, end } = this.view;
    const palette = this.palette;
    for (let i = 0; i < block.count; ++i) {
      const kind = block.kind[i];
      if (block.end[i] < begin || block.begin[i] > end || (onlyLosses && kind !== KIND.lost)) continue;
      const lane = block.lane[i];
      if (kind === KIND.counter) {
        if (!this.visible.has(lane)) continue;
        if (!counters.has(lane)) counters.set(lane, []);
        counters.get(lane).push([block.begin[i], block.end[i], Number(block.partsOf(i)[0])]);
        continue;
      }
      if (kind === KIND.run) {
        const cpu = block.other[i];
        const idle = this.trace.lanes[lane].idle;
        if (this.visible.has(cpu)) {
          if (idle) this.state(cpu * 64, block.begin[i], block.end[i], this.y(cpu), 20, "idle");
          else this.bar(cpu * 64, block.begin[i], block.end[i], this.y(cpu), 20, palette.hue(lane), 1);
        }
        if (this.visible.has(lane))
          this.state(lane * 64, block.begin[i], block.end[i], this.y(lane), 12, idle ? "idle" : "running");
        continue;
      }
      if (kind >= KIND.instant || kind === KIND.lost) {
        if (this.visible.has(lane) || (kind === KIND.arrow && this.visible.has(block.other[i]))) late.push([block, i]);
        continue;
      }
      if (!this.visible.has(lane)) continue;
      const { bar, rows } = this.layout.places[lane];
      if (kind === KIND.state) {
        if (this.trace.lanes[lane].idle) continue;
        this.state(lane * 64 + 1 + block.other[i], block.begin[i], block.end[i], this.y(lane), 12, STATES[block.other[i]]);
      } else if (kind === KIND.unknown) {
        this.state(lane * 64 + 1, block.begin[i], block.end[i], this.y(lane), 20, "unknown");
      } else {
        const row = block.other[i];
        if (row >= rows) continue;
        this.bar(lane * 64 + 8 + row, block.begin[i], block.end[i], this.y(lane) + bar + row * ROW, ROW - 2,
          palette.hue(block.label[i]));
      }
    }
  }

  // Items drawn on top of others.
  paintLate(late) {
    const arrows = late.filter(([block, i]) => block.kind[i] === KIND.arrow);
    const isDense = arrows.length > MOST_ARROWS;
    const marks = new Map();
    for (const [block, i] of late) {
      const kind = block.kind[i];
      const lane = block.lane[i];
      if (kind === KIND.arrow) {
        if (!isDense || this.isOfSelection(block, i)) this.paintArrow(block, i);
      } else if (kind === KIND.lost) {
        this.paintLoss(this.x(block.begin[i]), this.x(block.end[i]), this.y(lane), lane);
      } else {
        if (!marks.has(lane)) marks.set(lane, []);
        marks.get(lane).push([this.x(block.end[i]), kind]);
      }
    }
    for (const [lane, all] of marks) this.paintMarks(lane, all);
  }

  isOfSelection(block, i) {
    if (this.selected === null) return false;
    const { lane, begin, end } = this.selected;
    const isIn = (time) => time >= begin && time <= end;
    return (block.lane[i] === lane && isIn(block.begin[i])) || (block.other[i] === lane && isIn(block.end[i]));
  }

  // A triangle where it has room, else a tick at the lower edge, one a pixel: the states stay visible.
  paintMarks(lane, marks) {
    marks.sort((a, b) => a[0] - b[0]);
    const base = this.y(lane) + (this.layout.places[lane].bar || ROW) - 2;
    let before = -Infinity;
    let last = -Infinity;
    marks.forEach(([x, kind], i) => {
      const isAlone = x - before >= MARK_WIDTH && (i + 1 === marks.length || marks[i + 1][0] - x >= MARK_WIDTH);
      before = x;
      this.context.fillStyle = this.palette.get(MARK_COLOURS[kind]);
      if (isAlone) {
        this.context.beginPath();
        this.context.moveTo(x, base - 7);
        this.context.lineTo(x + 3.5, base);
        this.context.lineTo(x - 3.5, base);
        this.context.fill();
      } else if (Math.floor(x) !== last) {
        this.context.fillRect(Math.floor(x), base, 1, 2);
        last = Math.floor(x);
      }
    });
  }

  // From the middle of a lane's bar to that of another.
  arrowEnds(block, item) {
    const middle = (lane) => this.y(lane) + this.layout.places[lane].bar / 2;
    return [this.x(block.begin[item]), middle(block.lane[item]), this.x(block.end[item]), middle(block.other[item])];
  }
  paintArrow(block, item) {
    const [fromX, fromY, toX, toY] = this.arrowEnds(block, item);
    // A flow that is over at once needs no arrow between its places.
    if (block.lane[item] === block.other[item] && toX - fromX < 4) return;
    const bend = Math.min(40, Math.max(8, (toX - fromX) / 2));
    const context = this.context;
    context.strokeStyle = context.fillStyle = this.palette.get("arrow");
    context.lineWidth = 1;
    context.beginPath();
    context.moveTo(fromX, fromY);
    context.bezierCurveTo(fromX + bend, fromY + 14, toX - bend, toY + 14, toX, toY);
    context.stroke();
    context.beginPath();
    context.arc(toX, toY, 2.5, 0, 2 * Math.PI);
    context.fill();
  }

  paintLoss(from, to, y, lane) {
    const context = this.context;
    const left = Math.max(from, GUTTER - LOST_STEP);
    const right = Math.min(Math.max(to, from + 2), this.width + LOST_STEP);
    const { height } = this.layout.places[lane];
    context.save();
    context.beginPath();
    context.rect(left, y, right - left, height);
    context.clip();
    context.strokeStyle = this.palette.get("lost");
    context.lineWidth = 1.5;
    context.beginPath();
    for (let x = Math.floor((left - height) / LOST_STEP) * LOST_STEP; x < right; x += LOST_STEP) {
      context.moveTo(x, y + height);
      context.lineTo(x + height, y);
    }
    context.stroke();
    context.restore();
  }

  paintCurve(lane, values) {
    const { height } = this.layout.places[lane];
    const low = values.reduce((least, one) => Math.min(least, one[2]), Infinity);
    const high = values.reduce((most, one) => Math.max(most, one[2]), -Infinity);
    this.ranges.set(lane, [low, high]);
    const of = heights(low, high, height - 8);
    const base = this.y(lane) + height - 3;
    this.context.fillStyle = this.palette.get("counter");
    for (const [begin, end, value] of values) {
      const from = Math.max(this.x(begin), GUTTER);
      this.context.fillRect(from, base - of(value), Math.max(1, this.x(end) - from), of(value) + 2);
    }
  }

  // Outlined in its lane, and a band over all others.
  paintSelection({ kind, lane, other, begin, end }) {
    const { context } = this;
    const from = this.x(begin);
    const width = Math.max(1, this.x(end) - from);
    context.fillStyle = context.strokeStyle = this.palette.get("selection");
    context.globalAlpha = 0.12;
    context.fillRect(from, RULER, width, this.height);
    context.globalAlpha = 1;
    if (lane < 0 || !this.visible.has(lane)) return;
    const place = this.layout.places[lane];
    const isRow = kind === KIND.duration && other < place.rows;
    const y = this.y(lane) + (isRow ? place.bar + other * ROW : 0);
    const height = isRow ? ROW - 2 : place.bar || ROW;
    context.lineWidth = 2;
    context.strokeRect(from - 2, y - 2, Math.max(4, width + 4), height + 4);
  }
}
