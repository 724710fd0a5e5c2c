// The history that explains an interval of a thread: the tracks of `barefxt explain`, as the command packed them.
// host/src/report/reasons.h is the other side.
import { Numbers } from "./bytes.js";

const RUNNING = 1;
const MOST_CPUS = 65536;

// The steps of one subject, in order of time; `value` and the like hold from a step to the next one.
class Track {
  constructor(count) {
    this.count = count;
    this.time = new Float64Array(count);
    this.state = new Uint8Array(count);
    this.flags = new Uint8Array(count);
    this.number = new Uint16Array(count);
    this.value = new Float64Array(count);
    this.losses = new Uint32Array(count);
  }
  // The last step no later than `time`; -1 if there is none.
  find(time) {
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.time[middle] <= time) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }
  takeRest(i, columns) {
    const state = columns[1].bytes[columns[1].at++];
    this.state[i] = state & 15;
    this.flags[i] = state >> 4;
    this.number[i] = columns[2].next();
    this.value[i] = columns[3].next();
  }
}

// From the last step to the first.
function trackOf(count, columns, end) {
  const track = new Track(count);
  let time = end;
  let losses = 0;
  for (let i = count - 1; i >= 0; --i) {
    time -= columns[0].next();
    track.time[i] = time;
    track.takeRest(i, columns);
    losses = i === count - 1 ? columns[4].next() : losses - columns[4].next();
    track.losses[i] = losses;
  }
  return track;
}

// The states of a thread. `takeRun` returns begin and end of its next run on a CPU.
function doingOf(count, columns, begin, takeRun) {
  const track = new Track(count);
  let time = begin;
  for (let i = 0; i < count; ++i) {
    track.takeRest(i, columns);
    if (track.state[i] === RUNNING && track.value[i] === 1) {
      [track.time[i], time] = takeRun(track.number[i]);
    } else {
      time += Numbers.signed(columns[0].next());
      track.time[i] = time;
    }
  }
  return track;
}

export class History {
  // Times are ticks since `base`.
  constructor(bytes, base) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let at = 0;
    const take = () => {
      const size = view.getUint32(at, true);
      at += 4 + size;
      return bytes.subarray(at - size, at);
    };
    Object.assign(this, JSON.parse(new TextDecoder().decode(take())));
    const since = (ticks) => Number(BigInt(ticks) - BigInt(base));
    this.wrongUntil = this.wrongUntil.map(since);
    const [begin, end] = [since(this.begin), since(this.end)];
    const table = (of) => {
      const counts = new Numbers(take());
      const columns = Array.from({ length: 5 }, () => new Numbers(take()));
      const tracks = [];
      while (counts.at < counts.bytes.length) tracks.push(of(counts.next(), columns, tracks.length));
      return tracks;
    };
    const ordinary = (count, columns) => trackOf(count, columns, end);
    this.runs = table(ordinary);
    const takeRun = this.runsBehind(begin, end);
    this.doing = table((count, columns, thread) => doingOf(count, columns, begin, (cpu) => takeRun(thread, cpu)));
    for (const name of ["priority", "outerWait", "innerWait", "waited", "lockUses", "interrupts", "holder"]) this[name] = table(ordinary);
    [this.lockLosses] = table(ordinary);
    [this.losses] = table(ordinary);
    this.numbers = new Map(this.koids.map((koid, i) => [koid, i]));
  }
  // Returns a function that returns begin and end of the next run of a thread on a CPU.
  runsBehind(begin, last) {
    const found = new Map();
    this.runs.forEach((track, cpu) => {
      for (let i = 0; i < track.count; ++i) {
        if (track.value[i] === 0 || track.time[i] <= begin) continue;
        const key = (track.value[i] - 1) * MOST_CPUS + cpu;
        if (!found.has(key)) found.set(key, { runs: [], taken: 0 });
        found.get(key).runs.push([track.time[i], i + 1 < track.count ? track.time[i + 1] : last]);
      }
    });
    return (thread, cpu) => {
      const one = found.get(thread * MOST_CPUS + cpu);
      return one.runs[one.taken++];
    };
  }
  // Null if nothing is known of it.
  threadOf(koid) {
    return this.numbers.get(String(koid)) ?? null;
  }
}
