// The search box, and what it found.
import { itemName } from "./describe.js";
import { button, element } from "./elements.js";
import { search } from "./search.js";
import { ofItem } from "./selected.js";
import { count, counted, moment } from "./time.js";

const MOST_LANES = 50;
const at = (id) => document.getElementById(id);

export class Results {
  // `choose(one)` selects and shows an item, `chooseLane(lane)` a lane.
  constructor(trace, choose, chooseLane) {
    Object.assign(this, { trace, choose, chooseLane });
    this.searches = 0;
    this.listed = [];
    at("query").addEventListener("input", () => this.search());
    at("find").addEventListener("submit", (event) => {
      event.preventDefault();
      if (this.listed.length > 0) this.show(this.next % this.listed.length);
    });
  }

  async search() {
    const mine = ++this.searches;
    const query = at("query").value.trim();
    this.listed = [];
    this.next = 0;
    at("results").replaceChildren();
    at("found").textContent = "";
    delete at("found").dataset.count;
    if (query === "") return;
    const answer = await search(this.trace, query, () => mine !== this.searches);
    if (answer === null) return;
    const { trace } = this;
    const spells = answer.spells === 0 ? "" : `, ${count(answer.spells)} runs and states`;
    this.all = answer.count + answer.spells + answer.lanes.length;
    // Lanes first: there are few of them.
    for (const lane of answer.lanes.slice(0, MOST_LANES)) this.add(trace.lanes[lane].name, "lane", () => this.chooseLane(lane));
    for (const { block, item } of answer.found)
      this.add(itemName(trace, block, item), moment(trace, block.begin[item]), () => this.choose(ofItem(trace, { block, item })));
    this.matched = `${counted(answer.count, "event")}${spells} and ${counted(answer.lanes.length, "lane")} found` +
      (this.all > this.listed.length ? `, the first ${count(this.listed.length)} are listed` : "");
    at("found").textContent = this.matched;
    Object.assign(at("found").dataset, { spells: answer.spells, count: answer.count });
  }

  show(number) {
    this.next = number + 1;
    at("found").textContent = `${count(this.next)} of ${count(this.all)}: ${this.matched}`;
    this.listed[number]();
  }

  add(name, detail, choose) {
    const number = this.listed.push(choose) - 1;
    const one = button(`${name} `, () => this.show(number));
    one.append(element("small", detail));
    const line = element("li");
    line.append(one);
    at("results").append(line);
  }
}
