// Wheel, drag and keys upon the timeline.
import { GUTTER } from "./layout.js";

const CLICK = 4;
const ZOOM = 1.5;

export function listen(element, view, { timeAt, click, key }) {
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
  element.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    drag = { x: event.offsetX, y: event.offsetY, lastX: event.offsetX, lastY: event.offsetY, moved: false };
    element.setPointerCapture(event.pointerId);
  });
  element.addEventListener("pointermove", (event) => {
    if (drag === null) return;
    drag.moved ||= Math.hypot(event.offsetX - drag.x, event.offsetY - drag.y) > CLICK;
    if (!drag.moved) return;
    view.pan(timeAt(drag.lastX) - timeAt(event.offsetX));
    view.scrollTo(view.scroll + drag.lastY - event.offsetY);
    drag.lastX = event.offsetX;
    drag.lastY = event.offsetY;
  });
  element.addEventListener("pointerup", (event) => {
    if (drag !== null && !drag.moved) click(event.offsetX, event.offsetY);
    drag = null;
  });
  element.addEventListener("pointercancel", () => {
    drag = null;
  });

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
