// The text upon the picture: the ruler, the lanes' names, and names on what is wide enough. On a canvas
// of its own, so that the picture below does not depend on the fonts of a machine.
import { GUTTER, ROW, RULER } from "./layout.js";
import { KIND } from "./trace.js";
import { moment } from "./time.js";

const FONT = "12px system-ui, sans-serif";
const LEAST_WIDTH = 34;

// In ticks: a round number of seconds, or of ticks where their length is not known.
function stepFor(trace, ticks, pixels) {
  const rate = trace.rate || 1;
  const wanted = (ticks * 110) / pixels / rate;
  const power = 10 ** Math.floor(Math.log10(wanted));
  return power * [1, 2, 5, 10].find((factor) => power * factor >= wanted) * rate;
}

export class Labeller {
  constructor(painter) {
    this.painter = painter;
  }

  paint(context, width, height) {
    this.context = context;
    const { trace, layout, palette, view, visible } = this.painter;
    context.clearRect(0, 0, width, height);
    context.font = FONT;
    context.textBaseline = "middle";
    context.fillStyle = palette.get("text");
    const clipped = (top, bottom, draw) => {
      context.save();
      context.beginPath();
      context.rect(0, top, GUTTER - 6, bottom - top);
      context.clip();
      draw();
      context.restore();
    };
    for (const isPinned of [true, false]) {
      const [top, bottom] = isPinned ? [RULER, layout.top] : [layout.top, height];
      clipped(top, bottom, () => {
        for (const lane of visible) if (layout.places[lane].isPinned === isPinned) this.lane(lane);
        if (!isPinned) this.fold(layout, palette, view);
      });
    }
    if (layout.top > RULER) context.fillRect(0, layout.top - 2, width, 1);
    this.ruler(width, height);
    if (this.painter.exact) this.names(width, height);
  }

  lane(number) {
    const { context } = this;
    const { trace, layout, view } = this.painter;
    const { bar } = layout.places[number];
    const y = layout.yOn(number, view.scroll) + Math.max(bar, ROW) / 2;
    if (trace.lanes[number].rows > 0) context.fillText(layout.collapsed.has(number) ? "▸" : "▾", 2, y);
    context.fillText(this.shortened(trace.lanes[number].name, GUTTER - 22), 14, y);
    const range = this.painter.ranges.get(number);
    if (range !== undefined) this.axis(range, layout.yOn(number, view.scroll), layout.places[number].height);
  }

  // A counter's greatest value above, its least below, and the axis between them.
  axis([low, high], top, height) {
    const { context } = this;
    const x = GUTTER - 8;
    const [above, below] = [top + 5, top + height - 3];
    context.save();
    context.font = "10px system-ui, sans-serif";
    context.textAlign = "right";
    context.fillStyle = this.painter.palette.get("faint");
    context.fillRect(x, above, 1, below - above);
    for (const [value, y] of [[high, above], [low, below]]) {
      context.fillRect(x - 3, y, 4, 1);
      context.fillText(String(Math.round(value * 1000) / 1000), x - 5, y);
    }
    context.restore();
  }

  fold({ fold, isFolded, quietCount }, palette, view) {
    if (fold === null) return;
    this.context.fillStyle = palette.get("faint");
    const text = `${isFolded ? "▸" : "▾"} ${quietCount} idle or ended`;
    this.context.fillText(this.shortened(text, GUTTER - 16), 2, fold.y - view.scroll + ROW / 2);
  }

  ruler(width) {
    const { context } = this;
    const { trace, palette, view } = this.painter;
    const step = stepFor(trace, view.width, width - GUTTER);
    const zero = -Number(trace.base);
    context.fillStyle = palette.get("faint");
    context.textAlign = "center";
    // The zero of a large clock swallows steps: count them.
    const round = Math.max(view.begin, zero + Math.ceil((view.begin - zero) / step) * step);
    for (let i = 0; round + i * step <= view.end; ++i) {
      const time = round + i * step;
      const x = this.painter.x(time);
      context.fillRect(x, RULER - 6, 1, 6);
      if (x > GUTTER + 24 && x < width - 30) context.fillText(moment(trace, time, step), x, RULER / 2 - 2);
    }
    context.textAlign = "left";
  }

  names(width, height) {
    const { context, painter } = this;
    const { trace, layout, view } = painter;
    context.save();
    context.beginPath();
    context.rect(GUTTER, RULER, width - GUTTER, height - RULER);
    context.clip();
    context.font = "11px system-ui, sans-serif";
    context.fillStyle = painter.palette.get("text");
    for (const number of trace.blocksIn(view.begin, view.end)) {
      const block = trace.blockIfThere(number);
      if (block === null) continue;
      for (let i = 0; i < block.count; ++i) {
        const kind = block.kind[i];
        if (kind !== KIND.duration && kind !== KIND.run) continue;
        const from = Math.max(painter.x(block.begin[i]), GUTTER);
        const room = Math.min(painter.x(block.end[i]), width) - from - 6;
        if (room < LEAST_WIDTH) continue;
        const run = kind === KIND.run;
        if (run && trace.lanes[block.lane[i]].idle) continue;
        const lane = run ? block.other[i] : block.lane[i];
        if (!painter.visible.has(lane) || (!run && block.other[i] >= layout.places[lane].rows)) continue;
        // Scrolling lanes go below the pinned ones.
        if (!layout.places[lane].isPinned && painter.y(lane) + ROW / 2 < layout.top) continue;
        const y = painter.y(lane) + (run ? 10 : layout.places[lane].bar + block.other[i] * ROW + (ROW - 2) / 2);
        const name = run ? trace.lanes[block.lane[i]].name : trace.nameOf(block.label[i]);
        context.fillText(this.shortened(name, room), from + 3, y);
      }
    }
    context.restore();
  }

  shortened(text, room) {
    if (this.context.measureText(text).width <= room) return text;
    let length = text.length;
    while (length > 1 && this.context.measureText(`${text.slice(0, length)}…`).width > room) --length;
    return `${text.slice(0, length)}…`;
  }
}
