// The search box, and what it found.
import { itemName } from "./describe.js";
import { button, element } from "./elements.js";
import { search } from "./search.js";
import { ofItem } from "./selected.js";
import { count, moment } from "./time.js";

const MOST_LANES = 50;
const at = (id) => document.getElementById(id);

export class Results {
  // `choose(one)` selects and shows an item, `reveal(lane)` shows a lane.
  constructor(trace, choose, reveal) {
    Object.assign(this, { trace, choose, reveal });
    this.searches = 0;
    this.found = [];
    at("query").addEventListener("input", () => this.search());
    at("find").addEventListener("submit", (event) => {
      event.preventDefault();
      if (this.found.length > 0) this.show(this.next % this.found.length);
    });
  }

  async search() {
    const mine = ++this.searches;
    const query = at("query").value.trim();
    this.found = [];
    this.next = 0;
    at("results").replaceChildren();
    at("found").textContent = "";
    delete at("found").dataset.count;
    if (query === "") return;
    const answer = await search(this.trace, query, () => mine !== this.searches);
    if (answer === null) return;
    this.found = answer.found;
    const spells = answer.spells === 0 ? "" : `, ${count(answer.spells)} runs and states`;
    this.matched = `${count(answer.count)} events${spells} and ${answer.lanes.length} lanes found`;
    const all = answer.count + answer.spells;
    at("found").textContent = this.matched + (all > this.found.length ? `, the first ${this.found.length} are listed` : "");
    Object.assign(at("found").dataset, { spells: answer.spells, count: answer.count });
    for (const lane of answer.lanes.slice(0, MOST_LANES)) this.add(this.trace.lanes[lane].name, "lane", () => this.reveal(lane));
    this.found.forEach(({ block, item }, i) =>
      this.add(itemName(this.trace, block, item), moment(this.trace, block.begin[item]), () => this.show(i)));
  }

  show(number) {
    this.next = number + 1;
    at("found").textContent = `${count(this.next)} of ${this.matched}`;
    this.choose(ofItem(this.trace, this.found[number]));
  }

  add(name, detail, choose) {
    const one = button(`${name} `, choose);
    one.append(element("small", detail));
    const line = element("li");
    line.append(one);
    at("results").append(line);
  }
}
