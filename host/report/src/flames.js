// Samples as a flame graph: the paths that `profile --to speedscope` writes, together or of one thread, callers above
// their callees. A press on a function zooms to it, or, above the one that is zoomed to, back out.
import { button, element } from "./elements.js";
import { count } from "./time.js";

// As high as a finger needs.
const ROW = matchMedia("(pointer: coarse)").matches ? 44 : 20;
// Of the width. Narrower functions are left out until their caller is zoomed to.
const LEAST = 1 / 300;

class Node {
  constructor(name, caller) {
    Object.assign(this, { name, caller, self: 0, total: 0, callees: new Map() });
  }
  get path() {
    return this.caller === null ? [this] : [...this.caller.path, this];
  }
  get sorted() {
    return [...this.callees.values()].sort((a, b) => b.total - a.total);
  }
}

function treeOf(profiles, frames) {
  const root = new Node("all samples", null);
  for (const { samples, weights } of profiles) {
    samples.forEach((path, i) => {
      let at = root;
      at.total += weights[i];
      for (const frame of path) {
        if (!at.callees.has(frame)) at.callees.set(frame, new Node(frames[frame].name, at));
        at = at.callees.get(frame);
        at.total += weights[i];
      }
      at.self += weights[i];
    });
  }
  return root;
}

const share = (part, whole) => `${((part / whole) * 100).toFixed(1)} %`;

class FlameGraph {
  constructor({ profiles, shared }, holder) {
    Object.assign(this, { profiles, frames: shared.frames });
    this.threads = element("select", "", { "aria-label": "Samples of which thread" });
    this.threads.add(new Option("all threads", ""));
    profiles.forEach(({ name, endValue }, i) => this.threads.add(new Option(`${name} (${count(endValue)})`, i)));
    this.search = element("input", "", { type: "search", placeholder: "Functions", "aria-label": "Mark functions whose name has this", autocomplete: "off" });
    this.note = element("p", "", { role: "status" });
    this.graph = element("div", "", { class: "scrolled", tabindex: "0", role: "region", "aria-label": "Flame graph" });
    this.threads.addEventListener("change", () => this.choose());
    this.search.addEventListener("input", () => this.draw());
    holder.append(this.threads, " ", this.search, this.note, this.graph);
    this.choose();
  }

  choose() {
    const { profiles, threads } = this;
    this.root = treeOf(threads.value === "" ? profiles : [profiles[threads.value]], this.frames);
    this.zoom(this.root);
  }
  zoom(node) {
    this.top = node;
    this.draw();
  }

  matches(node) {
    return this.words !== "" && node.caller !== null && node.name.toLowerCase().includes(this.words);
  }
  // Samples with such a function on their path, each once.
  matching(node) {
    return this.matches(node) ? node.total : [...node.callees.values()].reduce((sum, callee) => sum + this.matching(callee), 0);
  }

  draw() {
    this.words = this.search.value.trim().toLowerCase();
    this.narrow = 0;
    this.rows = 0;
    this.flames = element("div", "", { class: "flames" });
    const { path } = this.top;
    path.forEach((node, row) => this.put(node, row, 0, 1));
    this.putCallees(this.top, path.length, 0);
    this.flames.style.height = `${this.rows * ROW}px`;
    this.graph.replaceChildren(this.flames);
    const all = this.root.total;
    const found = this.matching(this.root);
    this.note.textContent = (this.words === "" ? `${count(all)} samples` : `${count(found)} of ${count(all)} samples (${share(found, all)})`) +
      (this.narrow > 0 ? `; ${count(this.narrow)} more when zoomed in` : "");
  }
  putCallees(node, row, left) {
    for (const callee of node.sorted) {
      const width = callee.total / this.top.total;
      if (width < LEAST) {
        this.narrow += 1;
        continue;
      }
      this.put(callee, row, left, width);
      this.putCallees(callee, row + 1, left);
      left += width;
    }
  }
  put(node, row, left, width) {
    const flame = button(node.name, () => {
      this.zoom(node);
      this.graph.querySelector(`[data-row="${row}"]`).focus();
    }, {
      title: `${node.name}: ${count(node.total)} samples, ${share(node.total, this.root.total)}; ${count(node.self)} in itself`,
      "data-row": row, "data-self": node.self, "data-total": node.total,
    });
    Object.assign(flame.style, { left: `${left * 100}%`, width: `${width * 100}%`, top: `${row * ROW}px`, height: `${ROW}px` });
    flame.classList.toggle("found", this.matches(node));
    this.rows = Math.max(this.rows, row + 1);
    this.flames.append(flame);
  }
}

// Unpacks them once they are wanted.
export function showFlames(trace, holder) {
  holder.hidden = false;
  holder.addEventListener("toggle", async () => {
    new FlameGraph(await trace.samplesOf(), holder);
    holder.dataset.state = "ready";
  }, { once: true });
}
