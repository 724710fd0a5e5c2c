// The page put together.
import { showCompared } from "./compared.js";
import { facts, laneName } from "./describe.js";
import { Histograms } from "./distributions.js";
import { element, factList } from "./elements.js";
import { listFindings } from "./findings.js";
import { showFlames } from "./flames.js";
import { showHeaps } from "./heaps.js";
import { hit } from "./hit.js";
import { Hover } from "./hover.js";
import { listen } from "./input.js";
import { LaneList } from "./lanes.js";
import { Labeller } from "./labels.js";
import { GUTTER, Layout, RULER } from "./layout.js";
import { LoadCharts } from "./load.js";
import { listNearby } from "./nearby.js";
import { Painter } from "./paint.js";
import { Palette } from "./palette.js";
import { explain, shownReasons } from "./reasons.js";
import { Results } from "./results.js";
import { itemAt, ofItem } from "./selected.js";
import { StatisticsTables, TABLES } from "./statistics.js";
import { showSums, stretchFacts } from "./stretch.js";
import { count, exactly, lengthOf, moment, stretchIn } from "./time.js";
import { Trace } from "./trace.js";
import { View } from "./view.js";

const at = (id) => document.getElementById(id);
const SETTLED = 250;
// How wide the gutter's triangles are that collapse lanes.
const FOLDER = 14;

class Page {
  constructor(trace) {
    this.trace = trace;
    this.palette = new Palette(trace.colours, trace.hues);
    this.layout = new Layout(trace);
    this.view = new View(trace, () => this.later());
    this.painter = new Painter(trace, this.layout, this.palette, this.view, () => this.later());
    this.labeller = new Labeller(this.painter);
    this.selected = null;
    this.shows = 0;
    this.listings = 0;
    this.stage = at("stage");
    this.hover = new Hover(this.painter, at("hover"));
    const chooseLane = (lane) => this.chooseLane(lane);
    this.lanes = new LaneList(this.layout, at("filter"), at("lanes"), (change) => this.arrange(change), chooseLane);
    this.load = new LoadCharts(trace, this.view, at("load"), at("load-of"));
    new Histograms(trace, at("lengths"), at("lengths-of"));
    listFindings(trace, at("findings"), (finding) => {
      this.finding = trace.findings.indexOf(finding);
      this.show(finding);
    });
    new Results(trace, (one) => this.choose(one), chooseLane);
    if (trace.baseline !== undefined) showCompared(trace, at("compared"), Object.keys(TABLES));
    new StatisticsTables(trace, at("statistics"), (place) => this.show(place));
    if (trace.heaps !== undefined) showHeaps(trace, at("heaps"), (place) => this.show(place));
    if (trace.hasSamples) showFlames(trace, at("samples"));
    this.header();
    this.wire();
    this.recall();
    this.recolour();
  }

  header() {
    const { trace } = this;
    const { stats } = trace;
    document.title = `${trace.archive} – barefxt report`;
    at("archive").textContent = trace.archive;
    const parts = [`${count(stats.records.total)} records`, `${count(stats.records.event ?? 0)} events`,
      `${stats.cpus.length} CPUs`, `${stats.threads.length} threads`,
      lengthOf(trace, stats.span_ticks)];
    at("summary").textContent = parts.join(" · ");
    at("summary").dataset.records = stats.records.total;
    at("summary").dataset.events = stats.records.event ?? 0;
    const notes = [];
    if (stats.losses.length > 0)
      notes.push(`Records were lost: ${(stats.loss_share * 100).toFixed(1)} % of the time is not covered (hatched).`);
    if (stats.malformed.places > 0) notes.push(`${stats.malformed.places} places of the archive could not be read.`);
    if (stats.left_out > 0) notes.push(`${stats.left_out} records were left out.`);
    if (trace.beginningOnly) {
      notes.push(`This is more than can be drawn: the timeline ends at ${moment(trace, trace.last)}. ` +
        "The numbers are of all. To draw another stretch, make a report with --from and --to.");
    }
    at("notes").textContent = notes.join(" ");
  }

  wire() {
    const { trace } = this;
    listen(this.stage, this.view, {
      timeAt: (x) => this.view.begin + ((x - GUTTER) / (this.stage.clientWidth - GUTTER)) * this.view.width,
      click: (x, y) => this.click(x, y),
      mark: (from, to, isOver) => this.mark(from, to, isOver),
      hover: (x, y) => this.hover.at(x, y),
      key: (key) => this.key(key),
    });
    at("in").addEventListener("click", () => this.view.zoom(2));
    at("out").addEventListener("click", () => this.view.zoom(1 / 2));
    at("whole").addEventListener("click", () => this.view.whole());
    at("sum").addEventListener("click", () => this.sumUp());
    at("both").hidden = trace.baseline === undefined;
    at("both").addEventListener("click", () => this.arrange(() => this.layout.toggleBaseline()));
    at("fold").addEventListener("click", () => this.fold());
    this.foldButton();
    at("theme").addEventListener("click", () => {
      this.palette.toggle();
      this.recolour();
    });
    this.palette.preference.addEventListener("change", () => this.recolour());
    at("go").addEventListener("submit", (event) => {
      event.preventDefault();
      this.goToTime(at("time").value);
    });
    at("time").addEventListener("focus", () => at("time").select());
    at("time").addEventListener("input", () => at("time").setCustomValidity(""));
    window.addEventListener("hashchange", () => this.recall());
    at("nearby").addEventListener("toggle", () => this.list());
    document.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || /INPUT|SELECT/.test(event.target.tagName)) return;
      if (event.key === "/") at("query").focus();
      // The timeline has taken its own keys, and Enter presses a button that has the focus.
      else if (event.target === this.stage || event.key === "Enter" || !this.key(event.key)) return;
      event.preventDefault();
    });
    new ResizeObserver(() => this.later()).observe(this.stage);
    // On paper, the picture is as wide as the sheet, and drawn before that is printed.
    for (const event of ["beforeprint", "afterprint"]) window.addEventListener(event, () => this.draw());
  }

  // The stretch stands in the address, so that it survives a reload and can be sent.
  remember() {
    const { trace, view } = this;
    const hash = view.isWhole ? "" : `#${exactly(trace, view.begin)}-${exactly(trace, view.end)}`;
    if (hash === location.hash) return;
    history.replaceState(null, "", hash === "" ? location.pathname + location.search : hash);
  }
  recall() {
    const stretch = location.hash === "" ? null : stretchIn(this.trace, decodeURIComponent(location.hash.slice(1)));
    if (stretch !== null) this.view.show(...stretch);
  }
  goToTime(text) {
    const stretch = stretchIn(this.trace, text);
    at("time").setCustomValidity(stretch === null ? "No time. Such are 1.5, 200ms to 300ms, 12345ticks, or --from 1 --to 2." : "");
    if (!at("time").reportValidity()) return;
    const [from, to] = stretch;
    const room = to > from ? 0 : this.view.width / 2;
    this.view.show(from - room, to + room);
    this.stage.focus();
  }

  recolour() {
    this.palette.applyTo(document.documentElement);
    at("theme").textContent = this.palette.theme === "dark" ? "Light" : "Dark";
    this.later();
  }

  // Draws once, however often something changed until then.
  later() {
    this.stage.dataset.state = "drawing";
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.draw();
    });
  }

  draw() {
    const [width, height] = [this.stage.clientWidth, this.stage.clientHeight];
    const contexts = ["picture", "labels"].map((id) => {
      const canvas = at(id);
      const ratio = window.devicePixelRatio;
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
      const context = canvas.getContext("2d", { willReadFrequently: true });
      context.setTransform(ratio, 0, 0, ratio, 0, 0);
      return context;
    });
    this.layout.fit(width, height);
    this.view.mostScroll = Math.max(0, this.layout.height - height);
    this.view.scroll = Math.min(this.view.scroll, this.view.mostScroll);
    const complete = this.painter.paint(contexts[0], width, height, this.selected);
    this.labeller.paint(contexts[1], width, height);
    const { trace, view } = this;
    const step = view.width / 1000;
    const range = at("range");
    this.stretch = `${moment(trace, view.begin, step)} to ${moment(trace, view.end, step)}`;
    if (document.activeElement !== at("time")) at("time").value = this.stretch;
    range.textContent = `${lengthOf(trace, Math.round(view.width))}${this.painter.exact ? "" : ", summed up: zoom in for single events"}`;
    range.dataset.begin = trace.ticks(view.begin);
    range.dataset.end = trace.ticks(view.end);
    this.stage.dataset.unpacked = trace.unpackedBytes;
    this.stage.dataset.items = this.painter.items;
    this.stage.dataset.exact = this.painter.exact;
    this.stage.dataset.state = complete ? "ready" : "unpacking";
    if (complete) this.stage.dataset.ready ??= performance.now();
    clearTimeout(this.settling);
    this.settling = setTimeout(() => this.settled(), SETTLED);
  }

  // Slow updates, and those that are read aloud, wait until the view rests.
  settled() {
    at("spoken").textContent = `Timeline shows ${this.stretch}, ${at("range").textContent}`;
    this.remember();
    this.load.show();
    this.list();
  }

  list() {
    if (!at("nearby").open) return;
    const mine = ++this.listings;
    listNearby(this.trace, this.view, at("list"), (one) => this.select(ofItem(this.trace, one)), () => mine !== this.listings);
  }

  click(x, y) {
    this.stage.focus();
    if (this.layout.isFoldAt(y, this.view.scroll)) return this.fold();
    const lane = this.layout.at(y, this.view.scroll);
    if (x < FOLDER && lane >= 0 && this.trace.lanes[lane].rows > 0) return this.arrange(() => this.layout.collapse(lane));
    // A click on a name chooses nothing.
    if (x < GUTTER || y < RULER) return undefined;
    const found = hit(this.painter, x, y);
    if (found !== null) {
      this.select(ofItem(this.trace, found));
    } else if (!this.painter.exact) {
      at("details").textContent = "Too many events lie here to show: zoom in.";
    }
    return undefined;
  }

  fold() {
    this.arrange(() => this.layout.toggle());
  }
  // Changes the layout, and shows it.
  arrange(change) {
    change();
    this.foldButton();
    this.lanes.show();
    this.later();
  }
  foldButton() {
    const { quietCount, isFolded } = this.layout;
    at("fold").hidden = quietCount === 0;
    at("fold").textContent = `${isFolded ? "Show" : "Fold"} ${quietCount} idle or ended`;
    at("fold").setAttribute("aria-expanded", !isFolded);
    at("both").setAttribute("aria-pressed", !this.layout.hidesBaseline);
  }

  key(key) {
    if (key === "[" || key === "]") {
      this.nextFinding(key === "]" ? 1 : -1);
    } else if (key === "f" && this.selected !== null) {
      this.choose(this.selected);
    } else if (key === "m" && this.selected !== null && this.selected.lane >= 0) {
      this.reveal(this.selected.lane);
      this.later();
    } else if (key === "r") {
      this.sumUp();
    } else if (key === "?") {
      at("help").open = true;
      at("help").scrollIntoView();
    } else if (key === "n" || key === "p") {
      this.step(key === "n" ? 1 : -1);
    } else if (key === "Enter" && this.selected !== null) {
      this.choose(this.selected);
    } else if (key === "Escape") {
      this.select(null);
    } else {
      return false;
    }
    return true;
  }

  nextFinding(direction) {
    const { findings } = this.trace;
    if (findings.length === 0) return;
    const from = this.finding ?? (direction > 0 ? -1 : findings.length);
    this.finding = (from + direction + findings.length) % findings.length;
    this.show(findings[this.finding]);
  }

  // To the next item of the lane, or the one before; without one, to the first in view.
  async step(direction) {
    const { trace, view } = this;
    const now = this.selected?.block === undefined ? null : this.selected;
    const from = now === null ? this.selected?.begin ?? view.begin : now.begin;
    const reach = view.width * 4;
    let best = null;
    const ahead = ({ block, item }) => (block.begin[item] - from) * direction;
    for (const number of trace.blocksIn(Math.min(from, from + direction * reach), Math.max(from, from + direction * reach))) {
      const block = await trace.block(number);
      for (let item = 0; item < block.count; ++item) {
        if (now !== null && (block.lane[item] !== now.block.lane[now.item] || block.kind[item] !== now.block.kind[now.item])) continue;
        const distance = ahead({ block, item });
        if (now === null ? distance < 0 : distance <= 0) continue;
        if (best === null || distance < ahead(best)) best = { block, item };
      }
    }
    if (best === null) return;
    this.select(ofItem(trace, best));
    const { begin } = this.selected;
    if (begin < view.begin || begin > view.end) view.pan(begin - (view.begin + view.end) / 2);
  }

  // Null, an item (selected.js), or a stretch of a lane with a text.
  select(one) {
    this.selected = one;
    const details = at("details");
    if (one === null) {
      details.textContent = "Choose an event to see all about it.";
    } else {
      const reasons = element("div", "", { id: "why" });
      const sentence = one.text === undefined ? [] : [element("p", one.text)];
      const known = one.block === undefined ? stretchFacts(this.trace, one) : facts(this.trace, one.block, one.item);
      details.replaceChildren(...sentence, reasons, factList(known));
      this.explain(one, reasons, sentence);
      if (one.lane < 0) this.sums(one, details);
    }
    this.later();
  }

  // While a stretch is being dragged over, it is outlined; its sums come when that is over.
  mark(from, to, isOver) {
    const { trace } = this;
    const [begin, end] = [Math.min(from, to), Math.max(from, to)].map((time) => Math.round(Math.min(Math.max(time, trace.first), trace.last)));
    const one = { lane: -1, begin, end };
    if (isOver) {
      this.select(one);
    } else {
      this.selected = one;
      this.later();
    }
  }

  // All of what happened in the selected stretch, or else in what is shown.
  sumUp() {
    const { begin, end } = this.selected ?? this.view;
    this.select({ lane: -1, begin: Math.round(begin), end: Math.round(end) });
  }

  sums(one, details) {
    const holder = element("div", "", { id: "sums" });
    details.append(holder);
    showSums(this.trace, one, holder, (place) => this.show(place), () => this.selected !== one);
  }

  async explain(one, holder, sentence) {
    const explained = await explain(this.trace, one);
    if (this.selected !== one) return;
    const show = (time, lane) => {
      this.view.pan(time - (this.view.begin + this.view.end) / 2);
      if (lane >= 0) this.reveal(lane);
    };
    holder.replaceChildren(...shownReasons(this.trace, explained, show));
    holder.dataset.state = "done";
    // The command's own sentence says it once.
    if (explained?.found?.sentence === one.text) sentence.forEach((line) => line.remove());
  }

  // Selects it and shows it in its surroundings.
  choose(one) {
    const length = one.end - one.begin;
    const room = length > 0 ? length : this.trace.span / 2000;
    this.view.show(one.begin - room, one.end + room);
    if (one.lane >= 0) this.reveal(one.lane);
    this.select(one);
  }

  // The whole lane, as far as it is in view.
  chooseLane(lane) {
    const { trace, view } = this;
    this.reveal(lane);
    this.select({ lane, begin: Math.round(view.begin), end: Math.round(view.end), text: laneName(trace, lane) });
  }

  reveal(lane) {
    const { layout } = this;
    if (!layout.matches(lane)) this.arrange(() => this.lanes.clear());
    if (layout.places[lane].isHidden) this.fold();
    const place = layout.places[lane];
    if (place.isPinned) return;
    const top = place.y - layout.top;
    const height = this.stage.clientHeight - layout.top;
    this.view.mostScroll = Math.max(0, this.layout.height - this.stage.clientHeight);
    if (top < this.view.scroll || top + place.height > this.view.scroll + height) this.view.scrollTo(top - height / 3);
  }

  // A place of a finding or of a table: from `begin` to `end` in ticks, of a thread or a CPU, or of the record at
  // an offset.
  async show({ begin, end, thread, cpu, offset, text }) {
    const { trace } = this;
    const mine = ++this.shows;
    const [from, to] = [trace.time(begin), trace.time(end)];
    if (to > trace.last) {
      this.select(null);
      at("details").textContent = `Not drawn: from tick ${begin} to tick ${end}, which is behind the end of the timeline. ${text ?? ""}`;
      return;
    }
    const lane = thread === undefined && cpu === undefined ? -1 : trace.laneOf(thread, cpu);
    const stretch = { lane, begin: from, end: to, text };
    const found = await itemAt(trace, stretch, offset);
    if (mine === this.shows) this.choose(found === null ? stretch : { ...found, text });
  }
}

Trace.load(at("data"), at("index")).then((trace) => new Page(trace)).catch((trouble) => {
  at("notes").textContent = `This page needs a browser from 2023 or later: ${trouble.message}`;
});
