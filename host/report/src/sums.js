// Sums of a stretch of time, from what is drawn. They are the numbers of `barefxt stats --json --from --to`, by the same names:
// lasting states are cut at both ends, counted things count where they end, and what follows the stretch is not known.
import { KIND, LANE, STATES } from "./trace.js";

// A CPU seemed to be this.
const SEEMED = ["unknown", "busy", "idle"];

const sumOfLengths = () => ({ count: 0, total_ticks: 0, max_ticks: 0 });

// Rows by their key, made when first asked for.
class Rows {
  constructor(make) {
    this.make = make;
    this.all = new Map();
  }
  of(key, ...about) {
    if (!this.all.has(key)) this.all.set(key, this.make(...about));
    return this.all.get(key);
  }
  get list() {
    return [...this.all.values()];
  }
}

class Sums {
  constructor(trace, begin, end) {
    Object.assign(this, { trace, begin, end });
    this.losses = new Map();
    this.assumed = [];
    this.threads = new Rows((lane) => ({
      name: lane.name, thread: lane.id, ...Object.fromEntries(STATES.map((state) => [`${state}_ticks`, 0])), wakeup_latency: sumOfLengths(),
    }));
    this.cpus = new Rows((lane) => ({ cpu: lane.id, busy_ticks: 0, idle_ticks: 0, unknown_ticks: 0, lost_ticks: 0 }));
    this.interrupts = new Rows((cpu, name) => ({ cpu, name, ...sumOfLengths() }));
    this.durations = new Rows(([category, name]) => ({ category, name, ...sumOfLengths(), in_doubt: 0, unended: 0 }));
    this.functions = new Rows(([, name]) => ({ name, ...sumOfLengths(), in_doubt: 0, unended: 0 }));
    this.counters = new Rows(([category, name], argument, id) =>
      ({ category, name, argument, counter_id: id, samples: 0, min: Infinity, max: -Infinity, sum: 0 }));
  }

  within(begin, end) {
    return Math.min(end, this.end) - Math.max(begin, this.begin);
  }
  isCounted(time) {
    return time >= this.begin && time <= this.end;
  }
  addLength(sum, begin, end) {
    sum.count += 1;
    sum.total_ticks += end - begin;
    if (end - begin < sum.max_ticks || (sum.count > 1 && end - begin === sum.max_ticks)) return;
    Object.assign(sum, { max_ticks: end - begin, max_begin: this.trace.ticks(begin), max_end: this.trace.ticks(end) });
  }

  add(block, i) {
    const { trace } = this;
    const [kind, number, begin, end] = [block.kind[i], block.lane[i], block.begin[i], block.end[i]];
    const lane = trace.lanes[number];
    if (lane.baseline) return;
    const ticks = Math.max(0, this.within(begin, end));
    switch (kind) {
      case KIND.run: {
        const other = block.other[i];
        const cpu = this.cpus.of(other, trace.lanes[other]);
        if (block.flag[i] === 1 && end > this.end) {
          cpu.unknown_ticks += ticks;
          this.assumed.push({ lane: number, begin, ticks });
          return;
        }
        this.threads.of(number, lane).running_ticks += ticks;
        // Archives that omit the thread have threads of this kind for it.
        cpu[lane.isUnknown ? "unknown_ticks" : lane.idle ? "idle_ticks" : "busy_ticks"] += ticks;
        return;
      }
      case KIND.state: {
        const row = this.threads.of(number, lane);
        // That it was not woken shows only where it runs.
        let state = STATES[block.other[i]];
        if (end > this.end && state === "waiting") state = "blocked";
        if (end > this.end && block.seemed[i] > 0) state = STATES[block.seemed[i] - 1];
        row[`${state}_ticks`] += ticks;
        if (block.flag[i] === 1 && this.isCounted(end)) this.addLength(row.wakeup_latency, begin, end);
        return;
      }
      case KIND.unknown:
        this.cpus.of(number, lane)[`${end > this.end ? SEEMED[block.seemed[i]] : "unknown"}_ticks`] += ticks;
        return;
      case KIND.lost:
        if (!this.losses.has(number)) this.losses.set(number, []);
        this.losses.get(number).push([begin, end]);
        return;
      case KIND.duration:
        if (lane.kind !== LANE.spans) this.addDuration(block, i, lane);
        return;
      case KIND.counter:
        if (this.isCounted(begin)) this.addSample(block, i, lane, number);
        return;
      default:
    }
  }

  addDuration(block, i, lane) {
    const label = block.label[i];
    const isOpen = block.end[i] > this.end;
    // At its end, one record tells of it.
    if (isOpen && block.single[i] === 1) return;
    const [category, name] = this.trace.labels[label];
    const row = category === "function" ? this.functions.of(name, this.trace.labels[label]) : this.durations.of(label, this.trace.labels[label]);
    if (isOpen || block.flag[i] === 1) {
      row[isOpen || block.offset[i] < 0 ? "unended" : "in_doubt"] += 1;
      return;
    }
    const [begin, end] = [block.begin[i], block.end[i]];
    this.addLength(row, begin, end);
    if (lane.kind === LANE.cpu) this.addLength(this.interrupts.of(`${lane.id} ${name}`, lane.id, name), begin, end);
  }

  addSample(block, i, lane, number) {
    const [argument] = this.trace.shapes[block.shape[i]][0];
    const row = this.counters.of(number, this.trace.labels[block.label[i]], argument, lane.id);
    const value = Number(block.partsOf(i)[0]);
    row.samples += 1;
    row.sum += value;
    row.mean = row.sum / row.samples;
    row.min = Math.min(row.min, value);
    row.max = Math.max(row.max, value);
  }

  // Losses of all CPUs and of one may overlap.
  finish() {
    for (const [number, losses] of this.losses) {
      let until = this.begin;
      let lost = 0;
      for (const [begin, end] of losses.sort((a, b) => a[0] - b[0])) {
        lost += Math.max(0, Math.min(end, this.end) - Math.max(begin, until));
        until = Math.max(until, end);
      }
      this.cpus.of(number, this.trace.lanes[number]).lost_ticks = lost;
    }
    for (const cpu of this.cpus.list) {
      const observed = cpu.busy_ticks + cpu.idle_ticks + cpu.unknown_ticks;
      cpu.busy_share = observed === 0 ? 0 : cpu.busy_ticks / observed;
    }
    return Object.fromEntries(["cpus", "threads", "interrupts", "durations", "functions", "counters"].map((name) => [name, this[name].list]));
  }
}

// Calls `isStale` between blocks. If that returns true, stops and returns null.
export async function sumsOf(trace, begin, end, isStale) {
  const sums = new Sums(trace, begin, end);
  for (const number of trace.blocksIn(begin, end)) {
    const block = await trace.block(number);
    if (isStale()) return null;
    for (let item = 0; item < block.count; ++item) {
      if (block.end[item] >= begin && block.begin[item] <= end) sums.add(block, item);
    }
  }
  for (const { lane, begin: since, ticks } of sums.assumed) {
    if (await isUnknownUntil(trace, lane, since)) sums.threads.of(lane, trace.lanes[lane]).unknown_ticks += ticks;
  }
  return isStale() ? null : sums.finish();
}

// True if the thread was seen before, so that it is known not to be known.
async function isUnknownUntil(trace, lane, time) {
  for (const number of trace.blocksIn(time, time)) {
    const block = await trace.block(number);
    for (let i = 0; i < block.count; ++i) {
      if (block.end[i] === time && block.lane[i] === lane && block.kind[i] === KIND.state && STATES[block.other[i]] === "unknown") return true;
    }
  }
  return false;
}

// The columns of these numbers, as the tables of all have them.
export function sumColumns(tables, name) {
  const has = new Set(["name", "category", "argument", "thread", "cpu", "counter_id", "busy_ticks", "busy_share", "idle_ticks", "unknown_ticks", "lost_ticks",
    ...STATES.map((state) => `${state}_ticks`), "wakeup_latency.count", "wakeup_latency.max_ticks", "count", "total_ticks", "max_ticks", "in_doubt",
    "unended", "samples", "min", "mean", "max"]);
  return tables[name].filter(([, path]) => has.has(path));
}
