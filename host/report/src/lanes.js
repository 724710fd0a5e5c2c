// The lanes as a list: filtered by name, pinned, collapsed and put in another order.
import { button, element } from "./elements.js";

// As many have buttons: a filter finds others.
const MOST_LISTED = 200;

export class LaneList {
  // `arrange(change)`: calls `change`, and shows what it changed. `choose(lane)` goes there.
  constructor(layout, filter, holder, arrange, choose) {
    Object.assign(this, { layout, filter, holder, arrange, choose });
    filter.addEventListener("input", () => arrange(() => layout.setFilter(filter.value)));
    holder.parentElement.addEventListener("toggle", () => this.show());
  }

  // All lanes are shown again.
  clear() {
    this.filter.value = "";
    this.layout.hidesBaseline = false;
    this.layout.setFilter("");
  }

  show() {
    const { layout, holder } = this;
    if (!holder.parentElement.open) return;
    const { shown } = layout;
    const focused = document.activeElement?.dataset.does;
    const lines = shown.slice(0, MOST_LISTED).map((lane) => this.line(lane));
    const rest = shown.length - lines.length;
    if (rest > 0) lines.push(element("li", `${rest} more: filter them by name.`));
    if (shown.length === 0) lines.push(element("li", "No lane has such a name."));
    holder.replaceChildren(...lines);
    // The button that was pressed moves with its lane.
    if (focused !== undefined) holder.querySelector(`[data-does="${focused}"]`)?.focus();
  }

  line(lane) {
    const { layout } = this;
    const { name, rows } = layout.trace.lanes[lane];
    const line = element("li", "", { "data-lane": name });
    const add = (does, text, title, change, attributes = {}) =>
      line.append(button(text, () => this.arrange(change), { title, "aria-label": `${title}: ${name}`, "data-does": `${does} ${lane}`, ...attributes }));
    line.append(button(name, () => this.choose(lane), { class: "name" }));
    if (rows > 0) add("collapse", "▾", "Collapse", () => layout.collapse(lane), { "aria-pressed": layout.collapsed.has(lane) });
    add("pin", "Pin", "Keep at the top", () => layout.pin(lane), { "aria-pressed": layout.pinned.includes(lane) });
    add("up", "↑", "Move up", () => layout.move(lane, -1));
    add("down", "↓", "Move down", () => layout.move(lane, 1));
    return line;
  }
}
