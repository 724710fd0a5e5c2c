// Finds why a thread was late: an interval parted into causes, tick by tick, as `barefxt explain` does it.
// host/src/explain/judge.cpp and partition.cpp are the same rules; a test holds both to each other.

const DOING = { unknown: 0, running: 1, runnable: 2, blocked: 3 };
const INTERRUPT = { none: 1, maybeLate: 2, in: 4 };
const HOLDER = { unknown: 0, held: 1, free: 2 };
const DEEPEST = 32;
const MOST_PARTS = 256;

// A look at the history at one tick, and the last change among all that it saw.
class Look {
  constructor(history, top, tick) {
    Object.assign(this, { history, top, tick });
    this.since = -Infinity;
    this.visited = [];
    this.cause = { kind: "unknown", locks: [] };
  }

  find(track) {
    const at = track === undefined ? -1 : track.find(this.tick);
    if (at >= 0) this.since = Math.max(this.since, track.time[at]);
    return at;
  }

  leaveOpen(reason) {
    const { losses } = this.history;
    const at = this.find(losses);
    this.cause = { kind: "unknown", reason: at >= 0 && losses.value[at] > 0 ? "lost" : reason, locks: [] };
  }

  thread(koid) {
    const { history } = this;
    const track = history.doing[koid];
    const at = this.find(track);
    if (at < 0) return this.leaveOpen("thread");
    this.visited.push(koid);
    switch (track.state[at]) {
      case DOING.running: {
        const cpu = track.number[at];
        if (this.interrupted(cpu)) return undefined;
        Object.assign(this.cause, koid === this.top ? { kind: "running", cpu } : { kind: "holder", cpu, thread: koid });
        return undefined;
      }
      case DOING.runnable:
        return this.ready(koid, track, at);
      case DOING.blocked:
        return this.blocked(koid, track, at);
      default:
        return this.leaveOpen("thread");
    }
  }

  // "no", "yes" or "maybe", and the step.
  interruptOn(cpu) {
    const { history } = this;
    if (!history.hasInterrupts) return ["no", -1];
    const track = history.interrupts[cpu];
    if (track === undefined || this.tick < history.wrongUntil[cpu]) return ["maybe", -1];
    this.since = Math.max(this.since, history.wrongUntil[cpu]);
    const at = this.find(track);
    if (at < 0) return ["maybe", -1];
    const state = track.state[at];
    if (state === INTERRUPT.in) return ["yes", at];
    const isNone = state === INTERRUPT.none || (state === INTERRUPT.maybeLate && !history.hasLateInterrupts);
    return [isNone ? "no" : "maybe", at];
  }

  // True if the interrupt, or its being unknown, is the cause.
  interrupted(cpu) {
    const [is, at] = this.interruptOn(cpu);
    if (is === "no") return false;
    if (is === "maybe") {
      this.leaveOpen("interrupt");
      return true;
    }
    const track = this.history.interrupts[cpu];
    Object.assign(this.cause, { kind: track.value[at] === 1 ? "stall" : "interrupt", cpu, label: track.number[at] });
    return true;
  }

  priorityOf(koid) {
    const track = this.history.priority[koid];
    const at = this.find(track);
    return at < 0 || track.state[at] === 0 ? -1 : track.value[at];
  }

  priorities(runner, waiter) {
    const { cause, history } = this;
    cause.thread = runner;
    const priority = this.priorityOf(runner);
    const over = this.priorityOf(waiter);
    if (priority >= 0) cause.priority = priority;
    if (over >= 0) cause.over = over;
    const isKnown = priority >= 0 && over >= 0 && history.largerIsHigher;
    cause.kind = !isKnown ? "other" : priority > over ? "higher" : "lower";
    if (waiter === this.top || !history.largerIsHigher) return;
    const top = this.priorityOf(this.top);
    if (isKnown && priority >= over && top > priority) cause.isInversion = true;
  }

  // The step of the thread that a CPU runs, -1 if it is not known.
  runsOn(cpu) {
    const track = this.history.runs[cpu];
    const at = this.find(track);
    return at < 0 || track.state[at] === 0 ? -1 : at;
  }

  ready(koid, track, step) {
    const { history, cause } = this;
    const hasNext = track.flags[step] === 1 || track.flags[step] === 3;
    if (!hasNext && history.onlyCpu === null) return this.leaveOpen("place");
    const cpu = hasNext ? track.number[step] : history.onlyCpu;
    if (history.runs[cpu] === undefined) return this.leaveOpen("place");
    if (this.interrupted(cpu)) return undefined;
    const runs = history.runs[cpu];
    const at = this.runsOn(cpu);
    if (at < 0 || runs.value[at] - 1 === koid) return this.leaveOpen("cpu");
    cause.cpu = cpu;
    if (runs.flags[at] === 1) {
      cause.kind = "idle";
      return undefined;
    }
    const runner = runs.value[at] - 1;
    if (history.onlyCpu === null) {
      // It may have come from another CPU, which idled.
      if (track.flags[step] < 2) return this.leaveOpen("place");
      const last = track.value[step];
      if (last !== cpu) {
        const there = this.runsOn(last);
        if (there < 0) return this.leaveOpen("cpu");
        if (history.runs[last].flags[there] === 1) {
          const [is] = this.interruptOn(last);
          if (is === "maybe") return this.leaveOpen("interrupt");
          if (is === "no") {
            Object.assign(cause, { kind: "migration", fromCpu: last, thread: runner });
            return undefined;
          }
        }
      }
    }
    return this.priorities(runner, koid);
  }

  blocked(koid, track, step) {
    const { history } = this;
    const { lockLosses } = history;
    const lost = this.find(lockLosses);
    // Even in the same tick, one came first.
    const isBeforeLoss = (other, at) => lost >= 0 && other.losses[at] <= lockLosses.losses[lost];
    let wasForgotten = false;
    // The inner wait is part of the outer one: that has the more to show.
    for (const waits of [history.innerWait[koid], history.outerWait[koid]]) {
      const at = this.find(waits);
      if (at < 0 || waits.state[at] === 0) continue;
      if (isBeforeLoss(waits, at)) {
        wasForgotten = true;
        continue;
      }
      const holder = history.holder[waits.value[at]];
      const held = this.find(holder);
      if (waits === history.innerWait[koid] && (held < 0 || holder.state[held] !== HOLDER.held)) {
        const outer = this.find(history.outerWait[koid]);
        if (outer >= 0 && history.outerWait[koid].state[outer] !== 0) continue;
      }
      return this.lock(koid, track, step, waits, at);
    }
    // A wait may go on of which the begin is not recorded.
    const waited = history.waited[koid];
    const inWait = this.find(waited);
    const uses = history.lockUses[koid];
    const used = this.find(uses);
    const isClear = lost < 0 || !history.waitsRecorded || (used >= 0 && !isBeforeLoss(uses, used));
    if (wasForgotten || track.flags[step] !== 1 || (inWait >= 0 && waited.state[inWait] === 1) || !isClear)
      return this.leaveOpen("holder");
    Object.assign(this.cause, koid === this.top ? { kind: "blocked" } : { kind: "holder_blocked", thread: koid });
    return undefined;
  }

  lock(koid, track, step, waits, wait) {
    const { history, cause } = this;
    const { lockLosses } = history;
    const holders = history.holder[waits.value[wait]];
    const object = waits.number[wait];
    const lost = this.find(lockLosses);
    const at = this.find(holders);
    const isKnown = at >= 0 && (lost < 0 || holders.losses[at] > lockLosses.losses[lost]);
    const state = isKnown ? holders.state[at] : HOLDER.unknown;
    if (state !== HOLDER.held) {
      if (history.haveHolders[object] && state === HOLDER.unknown) return this.leaveOpen("holder");
      Object.assign(cause, { object, isFree: state === HOLDER.free },
        koid === this.top ? { kind: "blocked" } : { kind: "holder_blocked", thread: koid });
      return undefined;
    }
    // If the holder's release is not recorded, another may have it once this thread was woken in
    // vain.
    const since = holders.time[at];
    const isOfThisRun = step > 0 && track.state[step - 1] === DOING.running && track.time[step - 1] <= since;
    if (holders.flags[at] !== 1 && track.time[step] > since && !isOfThisRun) return this.leaveOpen("holder");
    const holder = holders.value[at] - 1;
    if (holder === koid) return this.leaveOpen("holder");
    if (this.visited.length >= DEEPEST) return this.leaveOpen("deep");
    cause.locks.push([object, holder]);
    if (this.visited.includes(holder)) {
      Object.assign(cause, { kind: "holder_blocked", thread: holder, isCycle: true });
      return undefined;
    }
    return this.thread(holder);
  }
}

// The parts of an interval of a thread's, the largest first: cause, ticks, times and longest. `thread` is
// its number in the history.
export function partition(history, thread, begin, end) {
  const sums = new Map();
  const sumOf = (cause) => {
    const key = JSON.stringify(cause);
    if (!sums.has(key)) {
      const joined = { kind: cause.kind, reason: cause.reason, locks: [] };
      if (sums.size >= MOST_PARTS && key !== JSON.stringify(joined)) return sumOf(joined);
      sums.set(key, { cause, ticks: 0, times: 0, longest: 0 });
    }
    return sums.get(key);
  };
  let last = null;
  let current = 0;
  for (let time = end; time > begin;) {
    const look = new Look(history, thread, time - 1);
    look.thread(thread);
    const from = Math.max(Math.min(look.since, time - 1), begin);
    const sum = sumOf(look.cause);
    sum.ticks += time - from;
    if (sum !== last) sum.times += 1;
    current = (sum === last ? current : 0) + time - from;
    sum.longest = Math.max(sum.longest, current);
    last = sum;
    time = from;
  }
  // Equal ones stay in the order in which they were found.
  return [...sums.values()].sort((a, b) => b.ticks - a.ticks);
}

function locksText(history, locks) {
  return locks.map(([object, holder], i) => {
    const what = history.objects[object];
    const who = history.threads[holder];
    return i === 0 ? `${what} was held by ${who}` : `, which waited for ${what}, held by ${who}`;
  }).join("");
}

const OPEN = {
  lost: "records were lost",
  thread: "the state of a thread is not recorded",
  cpu: "the thread of a CPU is not recorded",
  interrupt: "an interrupt may have been open",
  place: "the CPU that it waited for is not recorded",
  holder: "the holder of a lock is not recorded",
  deep: "too many threads wait for each other",
};

// "`low` of lower priority (3 < 7) ran on CPU 1": as the command words it.
export function causeText(history, cause) {
  const { kind } = cause;
  if (kind === "unknown") return cause.reason === undefined ? "unknown" : `unknown: ${OPEN[cause.reason]}`;
  const on = cause.cpu === undefined ? "" : ` on CPU ${cause.cpu}`;
  const who = cause.thread === undefined ? "a thread" : history.threads[cause.thread];
  const it = cause.thread === undefined ? "it" : who;
  const { priority, over } = cause;
  const sign = priority > over ? ">" : priority === over ? "=" : "<";
  const priorities = priority === undefined || over === undefined ? "" : ` (${priority} ${sign} ${over})`;
  const orInterrupt = (what) => (history.hasInterrupts ? "" : what);
  const interrupt = cause.label === undefined ? "an interrupt without a name" : history.interruptNames[cause.label];
  let text = "";
  switch (kind) {
    case "running":
      text = `${it} ran itself${on}`;
      break;
    case "higher":
      text = `${who} of higher priority${priorities} ran${on}`;
      break;
    case "lower":
      text = `${who} of ${priority === over ? "equal" : "lower"} priority${priorities} ran${on}${orInterrupt(", or an unrecorded interrupt")}`;
      break;
    case "other":
      text = `${who} ran${on}, whether of higher priority is not recorded`;
      break;
    case "interrupt":
      text = `${interrupt} ran${on}`;
      break;
    case "stall":
      text = `${interrupt} did not return, and nothing was recorded${on}`;
      break;
    case "idle":
      text = `CPU ${cause.cpu ?? 0} idled${orInterrupt(", or an unrecorded interrupt ran")}`;
      break;
    case "migration":
      text = `it left CPU ${cause.fromCpu}, which idled, for CPU ${cause.cpu}, where ${who} ran`;
      break;
    case "holder":
      text = `the holder ran${on}`;
      break;
    case "holder_blocked":
      text = cause.isCycle ? "they wait for each other" : "the holder was blocked itself";
      break;
    default:
      text = `${it} waited`;
      if (cause.object !== undefined) text += ` for ${history.objects[cause.object]}`;
      if (cause.isFree) text += ", which nobody held";
  }
  if (cause.isInversion) text = `priority inversion: ${text}`;
  return cause.locks.length === 0 ? text : `${text}; ${locksText(history, cause.locks)}`;
}
