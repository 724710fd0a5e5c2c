// The page put together.
import { facts, itemName } from "./describe.js";
import { hit } from "./hit.js";
import { listen } from "./input.js";
import { Labeller } from "./labels.js";
import { GUTTER, Layout, RULER } from "./layout.js";
import { listNearby } from "./nearby.js";
import { Painter } from "./paint.js";
import { Palette } from "./palette.js";
import { search } from "./search.js";
import { StatisticsTables } from "./statistics.js";
import { count, duration, since } from "./time.js";
import { Trace } from "./trace.js";
import { View } from "./view.js";

const at = (id) => document.getElementById(id);
const SETTLED = 250;

class Page {
  constructor(trace) {
    this.trace = trace;
    this.palette = new Palette(trace.colours, trace.hues);
    this.layout = new Layout(trace);
    this.view = new View(trace, () => this.later());
    this.painter = new Painter(trace, this.layout, this.palette, this.view, () => this.later());
    this.labeller = new Labeller(this.painter);
    this.selected = null;
    this.searches = 0;
    this.listings = 0;
    this.results = [];
    this.stage = at("stage");
    new StatisticsTables(trace, at("statistics"), (begin, end) => this.goTo(begin, end));
    this.header();
    this.wire();
    this.recolour();
  }

  header() {
    const { trace } = this;
    const { stats } = trace;
    document.title = `${trace.archive} – barefxt report`;
    at("archive").textContent = trace.archive;
    const parts = [`${count(stats.records.total)} records`, `${count(stats.records.event ?? 0)} events`,
      `${stats.cpus.length} CPUs`, `${stats.threads.length} threads`,
      trace.rate === 0 ? `${stats.span_ticks} ticks` : duration(stats.span_ticks / trace.rate)];
    at("summary").textContent = parts.join(" · ");
    at("summary").dataset.records = stats.records.total;
    at("summary").dataset.events = stats.records.event ?? 0;
    const notes = [];
    if (stats.losses.length > 0)
      notes.push(`Records were lost: ${(stats.loss_share * 100).toFixed(1)} % of the time is not covered (hatched).`);
    if (stats.malformed.places > 0) notes.push(`${stats.malformed.places} places of the archive could not be read.`);
    if (stats.left_out > 0) notes.push(`${stats.left_out} records were left out.`);
    if (trace.beginningOnly) {
      notes.push(`This is more than can be drawn: the timeline ends ${since(trace, trace.last, 1)} after the first record. ` +
        "The numbers are of all. To draw another stretch, make a report with --from and --to.");
    }
    at("notes").textContent = notes.join(" ");
  }

  wire() {
    listen(this.stage, this.view, {
      timeAt: (x) => this.view.begin + (x - GUTTER) / this.painter.scale,
      click: (x, y) => this.click(x, y),
      key: (key) => this.key(key),
    });
    at("in").addEventListener("click", () => this.view.zoom(2));
    at("out").addEventListener("click", () => this.view.zoom(1 / 2));
    at("whole").addEventListener("click", () => this.view.whole());
    at("theme").addEventListener("click", () => {
      this.palette.toggle();
      this.recolour();
    });
    this.palette.preference.addEventListener("change", () => this.recolour());
    at("query").addEventListener("input", () => this.search());
    at("find").addEventListener("submit", (event) => {
      event.preventDefault();
      if (this.results.length > 0) this.choose(this.results[this.result++ % this.results.length]);
    });
    at("nearby").addEventListener("toggle", () => this.list());
    document.addEventListener("keydown", (event) => {
      if (event.key !== "/" || /INPUT|SELECT/.test(document.activeElement.tagName)) return;
      event.preventDefault();
      at("query").focus();
    });
    new ResizeObserver(() => this.later()).observe(this.stage);
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
    this.view.mostScroll = Math.max(0, this.layout.height - height);
    this.view.scroll = Math.min(this.view.scroll, this.view.mostScroll);
    const complete = this.painter.paint(contexts[0], width, height, this.selected);
    this.labeller.paint(contexts[1], width, height);
    const { trace, view } = this;
    const step = view.width / 1000;
    const range = at("range");
    range.textContent = `${since(trace, view.begin, step)} to ${since(trace, view.end, step)}` +
      (this.painter.exact ? "" : ", summed up: zoom in for single events");
    range.dataset.begin = trace.ticks(view.begin);
    range.dataset.end = trace.ticks(view.end);
    this.stage.dataset.exact = this.painter.exact;
    this.stage.dataset.state = complete ? "ready" : "unpacking";
    clearTimeout(this.settling);
    this.settling = setTimeout(() => this.settled(), SETTLED);
  }

  // Slow updates, and those that are read aloud, wait until the view rests.
  settled() {
    at("spoken").textContent = `Timeline shows ${at("range").textContent}`;
    this.list();
  }

  list() {
    if (!at("nearby").open) return;
    const mine = ++this.listings;
    listNearby(this.trace, this.view, at("list"), (one) => this.select(one), () => mine !== this.listings);
  }

  click(x, y) {
    this.stage.focus();
    const found = hit(this.painter, x, y);
    if (found !== null) {
      this.select(found);
    } else if (!this.painter.exact) {
      at("details").textContent = "Too many events lie here to show: zoom in.";
    }
  }

  key(key) {
    if (key === "n" || key === "p") {
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

  // To the next item of the lane, or the one before; without one, to the first in view.
  async step(direction) {
    const { trace, view } = this;
    const now = this.selected;
    const from = now === null ? view.begin : now.block.begin[now.item];
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
    this.select(best);
    const begin = best.block.begin[best.item];
    if (begin < view.begin || begin > view.end) view.pan(begin - (view.begin + view.end) / 2);
  }

  select(one) {
    this.selected = one;
    const list = document.createElement("dl");
    if (one !== null) {
      for (const [name, text] of facts(this.trace, one.block, one.item)) {
        const term = document.createElement("dt");
        const value = document.createElement("dd");
        term.textContent = name;
        value.textContent = text;
        list.append(term, value);
      }
      at("details").replaceChildren(list);
    } else {
      at("details").textContent = "Choose an event to see all about it.";
    }
    this.later();
  }

  // Selects it and shows it in its surroundings.
  choose(one) {
    const { block, item } = one;
    const length = block.end[item] - block.begin[item];
    const room = length > 0 ? length * 2 : this.trace.span / 2000;
    this.view.show(block.begin[item] - room, block.end[item] + room);
    this.reveal(block.lane[item]);
    this.select(one);
  }

  reveal(lane) {
    const place = this.layout.places[lane];
    const top = place.y - RULER;
    const height = this.stage.clientHeight - RULER;
    if (top < this.view.scroll || top + place.height > this.view.scroll + height) this.view.scrollTo(top - height / 3);
  }

  goTo(begin, end) {
    const from = Number(begin - this.trace.base);
    const to = Number(end - this.trace.base);
    if (to > this.trace.last)
      at("details").textContent = `Not drawn: from tick ${begin} to tick ${end}, which is behind the end of the timeline.`;
    const room = Math.max((to - from) / 2, this.trace.span / 10000);
    this.view.show(from - room, to + room);
  }

  async search() {
    const mine = ++this.searches;
    const query = at("query").value.trim();
    this.results = [];
    this.result = 0;
    at("results").replaceChildren();
    at("found").textContent = "";
    delete at("found").dataset.count;
    if (query === "") return;
    const answer = await search(this.trace, query, () => mine !== this.searches);
    if (answer === null) return;
    this.results = answer.found;
    at("found").textContent = `${count(answer.count)} events and ${answer.lanes.length} lanes found` +
      (answer.count > answer.found.length ? `, the first ${answer.found.length} are listed` : "");
    at("found").dataset.count = answer.count;
    for (const lane of answer.lanes.slice(0, 50)) this.addResult(this.trace.lanes[lane].name, "lane", () => this.reveal(lane));
    answer.found.forEach((one, i) => {
      const when = since(this.trace, one.block.begin[one.item], 1);
      this.addResult(itemName(this.trace, one.block, one.item), when, () => {
        this.result = i + 1;
        this.choose(one);
      });
    });
  }

  addResult(name, detail, choose) {
    const button = document.createElement("button");
    const small = document.createElement("small");
    small.textContent = detail;
    button.append(`${name} `, small);
    button.addEventListener("click", choose);
    const line = document.createElement("li");
    line.append(button);
    at("results").append(line);
  }
}

Trace.load(at("data"), at("index")).then((trace) => new Page(trace)).catch((trouble) => {
  at("notes").textContent = `This page needs a browser from 2023 or later: ${trouble.message}`;
});
