// Wheel, drag, fingers and keys upon the timeline. A drag moves it; from the ruler, or with Shift, it marks a stretch.
import { GUTTER, RULER } from "./layout.js";

const CLICK = 4;
const ZOOM = 1.5;

export function listen(element, view, { timeAt, click, mark, hover, key }) {
  element.addEventListener("wheel", (event) => {
    event.preventDefault();
    const sideways = event.shiftKey ? event.deltaY || event.deltaX : event.deltaX;
    if (event.altKey) {
      view.scrollTo(view.scroll + event.deltaY);
    } else if (sideways !== 0) {
      view.pan((sideways / element.clientWidth) * view.width);
    } else if (event.offsetX < GUTTER) {
      view.scrollTo(view.scroll + event.deltaY);
    } else {
      view.zoom(Math.exp(-event.deltaY / 400), timeAt(event.offsetX));
    }
  }, { passive: false });

  let drag = null;
  // Fingers on the timeline, by their ids: two of them zoom.
  const fingers = new Map();
  const spread = () => {
    const [one, other] = [...fingers.values()];
    return { distance: Math.max(1, Math.abs(one - other)), middle: (one + other) / 2 };
  };

  element.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    element.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, event.offsetX);
    if (fingers.size > 1) {
      drag = null;
      return;
    }
    const [x, y] = [event.offsetX, event.offsetY];
    const marks = x >= GUTTER && (event.shiftKey || y < RULER);
    drag = { x, y, lastX: x, lastY: y, moved: false, marked: marks ? timeAt(x) : null };
  });
  element.addEventListener("pointermove", (event) => {
    const [x, y] = [event.offsetX, event.offsetY];
    if (fingers.size === 2 && fingers.has(event.pointerId)) {
      const before = spread();
      fingers.set(event.pointerId, x);
      const now = spread();
      // The time between the fingers stays between them.
      const width = (view.width * before.distance) / now.distance;
      const begin = timeAt(before.middle) - (timeAt(now.middle) - view.begin) * (width / view.width);
      view.show(begin, begin + width);
      return;
    }
    if (drag === null) {
      if (fingers.size === 0) hover(x, y);
      return;
    }
    if (!drag.moved) hover(null);
    drag.moved ||= Math.hypot(x - drag.x, y - drag.y) > CLICK;
    if (!drag.moved) return;
    if (drag.marked !== null) {
      mark(drag.marked, timeAt(x), false);
    } else {
      view.pan(timeAt(drag.lastX) - timeAt(x));
      view.scrollTo(view.scroll + drag.lastY - y);
    }
    drag.lastX = x;
    drag.lastY = y;
  });
  element.addEventListener("pointerup", (event) => {
    fingers.delete(event.pointerId);
    if (drag !== null && !drag.moved) click(event.offsetX, event.offsetY);
    if (drag !== null && drag.moved && drag.marked !== null) mark(drag.marked, timeAt(event.offsetX), true);
    drag = null;
  });
  element.addEventListener("pointercancel", (event) => {
    fingers.delete(event.pointerId);
    drag = null;
  });
  element.addEventListener("pointerleave", () => hover(null));

  const step = () => view.width / 8;
  const keys = {
    ArrowLeft: () => view.pan(-step()),
    ArrowRight: () => view.pan(step()),
    PageUp: () => view.pan(-view.width),
    PageDown: () => view.pan(view.width),
    ArrowUp: () => view.scrollTo(view.scroll - 40),
    ArrowDown: () => view.scrollTo(view.scroll + 40),
    Home: () => view.whole(),
    0: () => view.whole(),
    "+": () => view.zoom(ZOOM),
    "=": () => view.zoom(ZOOM),
    w: () => view.zoom(ZOOM),
    "-": () => view.zoom(1 / ZOOM),
    s: () => view.zoom(1 / ZOOM),
    a: () => view.pan(-step()),
    d: () => view.pan(step()),
  };
  element.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (Object.hasOwn(keys, event.key)) {
      keys[event.key]();
    } else if (!key(event.key)) {
      return;
    }
    event.preventDefault();
  });
}
