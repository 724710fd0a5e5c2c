// The vertical position of each lane, in pixels: in the order of the user, pinned ones first and fixed, without those
// that a filter leaves out.
import { LANE } from "./trace.js";

export const RULER = 26;
// Narrower where the stage is.
export let GUTTER = 170;
const MOST_GUTTER = 170;
const GUTTER_SHARE = 0.28;
export const ROW = 16;
const GAP = 8;
const BAR = { [LANE.cpu]: 22, [LANE.thread]: 14, [LANE.spans]: 0, [LANE.counter]: 42 };

// Fewer are not worth a fold.
const LEAST_FOLDED = 4;
// Pinned lanes leave room for others.
const MOST_PINNED_SHARE = 0.6;

export class Layout {
  constructor(trace) {
    this.trace = trace;
    const endedIn = (stats) => new Set(stats?.threads.filter((row) => row.ended > 0).map((row) => String(row.thread)));
    const [ended, endedInBaseline] = [endedIn(trace.stats), endedIn(trace.baseline?.stats)];
    const isQuiet = (lane) => lane.kind === LANE.thread && (lane.idle || (lane.baseline ? endedInBaseline : ended).has(String(lane.id)));
    this.quiet = new Set(trace.lanes.map((_, i) => i).filter((i) => isQuiet(trace.lanes[i])));
    if (this.quiet.size < LEAST_FOLDED) this.quiet.clear();
    this.isFolded = true;
    this.pinned = [];
    this.collapsed = new Set();
    this.filter = "";
    this.room = Infinity;
    this.order = trace.lanes.map((_, i) => i);
    this.hidesBaseline = false;
    this.putBaselineBeside();
    // Threads that idle or have ended lie below the others.
    const rank = (i) => (this.quiet.has(i) ? 1 : [LANE.cpu, LANE.thread].includes(trace.lanes[i].kind) ? 0 : 2);
    this.order.sort((a, b) => rank(a) - rank(b));
    this.arrange();
  }
  // Lanes of another run below those of the same name.
  putBaselineBeside() {
    const { lanes } = this.trace;
    const others = new Map();
    for (const i of this.order.filter((one) => lanes[one].baseline)) {
      const key = `${lanes[i].kind} ${lanes[i].name}`;
      if (!others.has(key)) others.set(key, []);
      others.get(key).push(i);
    }
    const beside = this.order.filter((i) => !lanes[i].baseline)
      .flatMap((i) => [i, ...[others.get(`${lanes[i].kind} ${lanes[i].name} · baseline`)?.shift()].filter((one) => one !== undefined)]);
    this.order = [...beside, ...[...others.values()].flat()];
  }

  get quietCount() {
    return [...this.quiet].filter((i) => !this.hidesBaseline || !this.trace.lanes[i].baseline).length;
  }

  matches(lane) {
    if (this.hidesBaseline && this.trace.lanes[lane].baseline) return false;
    return this.filter === "" || this.trace.lanes[lane].name.toLowerCase().includes(this.filter);
  }
  isHidden(lane) {
    // A search by name unfolds.
    return !this.matches(lane) || (this.isFolded && this.filter === "" && this.quiet.has(lane));
  }

  arrange() {
    this.places = [];
    this.fold = null;
    let y = RULER + GAP / 2;
    const put = (i, isPinned) => {
      const lane = this.trace.lanes[i];
      const bar = BAR[lane.kind];
      const rows = this.collapsed.has(i) ? 0 : lane.rows;
      const height = Math.max(bar + rows * ROW, ROW);
      this.places[i] = { y, bar, rows, height, isHidden: false, isPinned };
      y += height + GAP;
    };
    for (const i of this.pinned) put(i, y < this.room * MOST_PINNED_SHARE);
    const last = this.places[this.pinned.findLast((i) => this.places[i].isPinned)];
    // The scrolling lanes begin here.
    this.top = last === undefined ? RULER : last.y + last.height + GAP / 2;
    const pinned = new Set(this.pinned);
    for (const i of this.order) {
      if (pinned.has(i)) continue;
      if (this.fold === null && this.filter === "" && this.quiet.has(i) && this.matches(i)) {
        this.fold = { y, height: ROW };
        y += ROW + GAP;
      }
      if (this.isHidden(i)) this.places[i] = { y: this.fold?.y ?? y, bar: 0, rows: 0, height: 0, isHidden: true, isPinned: false };
      else put(i, false);
    }
    this.height = y;
  }
  // To the stage: neither names nor pinned lanes fill it.
  fit(width, room) {
    GUTTER = Math.min(MOST_GUTTER, Math.round(width * GUTTER_SHARE));
    if (room === this.room) return;
    this.room = room;
    this.arrange();
  }

  toggle() {
    this.isFolded = !this.isFolded;
    this.arrange();
  }
  toggleBaseline() {
    this.hidesBaseline = !this.hidesBaseline;
    this.arrange();
  }
  setFilter(text) {
    this.filter = text.trim().toLowerCase();
    this.arrange();
  }
  pin(lane) {
    const at = this.pinned.indexOf(lane);
    if (at < 0) this.pinned.push(lane);
    else this.pinned.splice(at, 1);
    this.arrange();
  }
  collapse(lane) {
    if (!this.collapsed.delete(lane)) this.collapsed.add(lane);
    this.arrange();
  }
  // Behind the next lane that is shown (1), or ahead of the one before (-1).
  move(lane, direction) {
    const list = this.pinned.includes(lane) ? this.pinned : this.order;
    const from = list.indexOf(lane);
    let to = from + direction;
    while (list === this.order && to >= 0 && to < list.length && (this.isHidden(list[to]) || this.pinned.includes(list[to]))) to += direction;
    if (to < 0 || to >= list.length) return;
    list.splice(from, 1);
    list.splice(to, 0, lane);
    this.arrange();
  }
  // The shown lanes, from the top.
  get shown() {
    return this.trace.lanes.map((_, i) => i).filter((i) => !this.places[i].isHidden).sort((a, b) => this.places[a].y - this.places[b].y);
  }

  // A lane's height on the stage that is scrolled this far.
  yOn(lane, scroll) {
    const { y, isPinned } = this.places[lane];
    return isPinned ? y : y - scroll;
  }
  // The number of the lane at this height of the stage, -1 where there is none.
  at(y, scroll) {
    const isPinned = y < this.top;
    const reach = isPinned ? y : y + scroll;
    return this.places.findIndex((place) => !place.isHidden && place.isPinned === isPinned && reach >= place.y - GAP / 2 &&
      reach < place.y + place.height + GAP / 2);
  }
  isFoldAt(y, scroll) {
    return this.fold !== null && y >= this.top && y + scroll >= this.fold.y && y + scroll < this.fold.y + this.fold.height;
  }
  // Numbers of those that are seen on a stage of this height: the pinned ones, or the others.
  seen(scroll, height, wantsPinned) {
    const found = [];
    this.places.forEach((place, i) => {
      if (place.isHidden || place.isPinned !== wantsPinned) return;
      if (wantsPinned || (place.y + place.height - scroll >= this.top && place.y - scroll <= height)) found.push(i);
    });
    return found;
  }
}
