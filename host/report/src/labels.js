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
    context.save();
    context.beginPath();
    context.rect(0, RULER, GUTTER - 6, height - RULER);
    context.clip();
    for (const lane of visible) {
      const place = layout.places[lane];
      context.fillText(this.shortened(trace.lanes[lane].name, GUTTER - 16), 8, place.y - view.scroll + Math.max(place.bar, ROW) / 2);
    }
    const { fold } = layout;
    if (fold !== null) {
      context.fillStyle = palette.get("faint");
      const text = `${layout.isFolded ? "▸" : "▾"} ${layout.quiet.size} idle or ended`;
      context.fillText(this.shortened(text, GUTTER - 16), 8, fold.y - view.scroll + ROW / 2);
    }
    context.restore();
    this.ruler(width, height);
    if (this.painter.exact) this.names(width, height);
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
        if (!painter.visible.has(lane)) continue;
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
