// Samples as a flame graph: the paths that `profile --to speedscope` writes, together or of one thread, callers above
// their callees. A press on a function zooms to it, or, above the one that is zoomed to, back out.
import { button, element } from "./elements.js";
import { count, counted } from "./time.js";

// As high as a finger needs.
const ROW = matchMedia("(pointer: coarse)").matches ? 44 : 20;
// A share of the width. Narrower functions are left out until their caller is zoomed to.
const LEAST = 1 / 300;
const HINT = "A press zooms to a function, or out to a caller. The arrow keys go from one to the next.";

class Node {
  constructor(name, caller, hue) {
    Object.assign(this, { name, caller, hue, self: 0, total: 0, callees: new Map() });
  }
  get path() {
    return this.caller === null ? [this] : [...this.caller.path, this];
  }
  get sorted() {
    return [...this.callees.values()].sort((a, b) => b.total - a.total);
  }
}

function treeOf(profiles, frames, hues) {
  const root = new Node("all samples", null, "lane");
  for (const { samples, weights } of profiles) {
    samples.forEach((path, i) => {
      let at = root;
      at.total += weights[i];
      for (const frame of path) {
        if (!at.callees.has(frame)) at.callees.set(frame, new Node(frames[frame].name, at, `hue-${frame % hues}`));
        at = at.callees.get(frame);
        at.total += weights[i];
      }
      at.self += weights[i];
    });
  }
  return root;
}

const share = (part, whole) => `${((part / whole) * 100).toFixed(1)} %`;

// A C++ function without namespaces, arguments and result: bars have no room for them.
function shortened(name) {
  let [text, longer] = [name.replace(/( const| \[clone .*\])+$/, ""), ""];
  while (text !== longer) [text, longer] = [text.replace(/<[^<>]*>|\([^()]*\)/g, ""), text];
  return text.split(/::| /).pop() || name;
}

class FlameGraph {
  constructor({ profiles, shared }, hues, holder) {
    Object.assign(this, { profiles, frames: shared.frames, hues });
    this.threads = element("select", "", { "aria-label": "Samples of which thread" });
    this.threads.add(new Option("all threads", ""));
    profiles.forEach(({ name, endValue }, i) => this.threads.add(new Option(`${name} (${count(endValue)})`, i)));
    this.search = element("input", "", { type: "search", placeholder: "Functions", "aria-label": "Mark functions whose name has this", autocomplete: "off" });
    this.note = element("p", "", { role: "status" });
    this.graph = element("div", "", { class: "scrolled", role: "group", "aria-label": "Flame graph" });
    this.about = element("p", "", { class: "about" });
    this.threads.addEventListener("change", () => this.choose());
    this.search.addEventListener("input", () => this.draw());
    holder.append(this.threads, " ", this.search, this.note, this.graph, this.about);
    this.choose();
  }

  choose() {
    const { profiles, threads } = this;
    this.root = treeOf(threads.value === "" ? profiles : [profiles[threads.value]], this.frames, this.hues);
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
    this.flames = new Map();
    const { path } = this.top;
    path.forEach((node, row) => this.put(node, row, 0, 1));
    this.putCallees(this.top, path.length, 0);
    const all = element("div", "", { class: "flames" });
    all.style.height = `${this.rows * ROW}px`;
    all.append(...this.flames.values());
    this.graph.replaceChildren(all);
    const samples = counted(this.root.total, "sample");
    const found = this.matching(this.root);
    this.note.textContent = (this.words === "" ? samples : `${count(found)} of ${samples} (${share(found, this.root.total)})`) +
      (this.narrow > 0 ? `; ${counted(this.narrow, "function")} too narrow to be drawn` : "");
    this.about.textContent = HINT;
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
    const text = `${node.name}: ${counted(node.total, "sample")}, ${share(node.total, this.root.total)}; ${count(node.self)} in itself`;
    const flame = button(node.caller === null ? node.name : shortened(node.name), () => {
      this.zoom(node);
      this.flames.get(node).focus();
    }, { title: text, tabindex: node === this.top ? 0 : -1, "data-row": row, "data-self": node.self, "data-total": node.total });
    Object.assign(flame.style, { left: `${left * 100}%`, width: `${width * 100}%`, top: `${row * ROW}px`, height: `${ROW}px` });
    if (this.words === "") flame.style.background = `var(--${node.hue})`;
    flame.classList.toggle("found", this.matches(node));
    flame.addEventListener("pointerenter", () => { this.about.textContent = text; });
    flame.addEventListener("focus", () => {
      this.about.textContent = text;
      for (const one of this.flames.values()) one.tabIndex = one === flame ? 0 : -1;
    });
    flame.addEventListener("keydown", (event) => {
      if (!event.key.startsWith("Arrow")) return;
      event.preventDefault();
      this.flames.get(this.neighbour(node, event.key))?.focus();
    });
    this.rows = Math.max(this.rows, row + 1);
    this.flames.set(node, flame);
  }
  neighbour(node, key) {
    const drawn = (caller) => caller.sorted.filter((callee) => this.flames.has(callee));
    const siblings = node.caller === null ? [node] : drawn(node.caller);
    const at = siblings.indexOf(node);
    return { ArrowUp: node.caller, ArrowDown: drawn(node)[0], ArrowLeft: siblings[at - 1], ArrowRight: siblings[at + 1] }[key];
  }
}

// Unpacks them once they are wanted.
export function showFlames(trace, holder) {
  holder.hidden = false;
  holder.addEventListener("toggle", async () => {
    new FlameGraph(await trace.samplesOf(), trace.hues.light.length, holder);
    holder.dataset.state = "ready";
  }, { once: true });
}
