// Names the item below the pointer, in a line beside it.
import { itemName } from "./describe.js";
import { hit } from "./hit.js";
import { GUTTER, RULER } from "./layout.js";
import { lengthOf, moment } from "./time.js";

const BESIDE = 14;

export class Hover {
  constructor(painter, element) {
    Object.assign(this, { painter, element });
  }

  // Null hides it.
  at(x, y) {
    const text = x === null || y < RULER ? "" : this.textAt(x, y);
    this.element.textContent = text;
    this.element.hidden = text === "";
    if (text === "") return;
    const { clientWidth, clientHeight } = this.element.parentElement;
    const { offsetWidth, offsetHeight } = this.element;
    this.element.style.left = `${Math.max(0, Math.min(x + BESIDE, clientWidth - offsetWidth))}px`;
    this.element.style.top = `${y + BESIDE + offsetHeight > clientHeight ? y - BESIDE - offsetHeight : y + BESIDE}px`;
  }

  textAt(x, y) {
    const { painter } = this;
    const { trace, layout, view } = painter;
    const lane = layout.at(y, view.scroll);
    if (lane < 0) return "";
    const { name } = trace.lanes[lane];
    // The gutter shortens it.
    if (x < GUTTER) return name;
    const time = view.begin + (x - GUTTER) / painter.scale;
    const found = hit(painter, x, y);
    if (found === null) return `${name} · ${moment(trace, time, view.width / 1000)}`;
    this.element.dataset.compared = painter.compared;
    const { block, item } = found;
    const length = block.end[item] - block.begin[item];
    return [itemName(trace, block, item), ...(length > 0 ? [lengthOf(trace, length)] : []), moment(trace, block.begin[item])].join(" · ");
  }
}
