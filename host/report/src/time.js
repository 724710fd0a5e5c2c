// Times as the command writes and reads them: lengths with a unit, points in time in seconds since the
// trace's zero, as `print` shows them and --from takes them.

const UNITS = [[1, "s"], [1e3, "ms"], [1e6, "us"]];
const PARTS = { s: 1e9, ms: 1e6, us: 1e3, ns: 1 };

export function duration(seconds) {
  const unit = UNITS.find(([factor]) => seconds * factor >= 1);
  return unit === undefined ? `${(seconds * 1e9).toFixed(0)} ns` : `${(seconds * unit[0]).toFixed(3)} ${unit[1]}`;
}

export function lengthOf(trace, ticks) {
  return trace.rate === 0 ? `${ticks} ticks` : duration(ticks / trace.rate);
}

// Seconds with nine digits.
function seconds(trace, time) {
  const rate = BigInt(trace.rate);
  const nanoseconds = (trace.ticks(time) * 2000000000n + rate) / (2n * rate);
  const text = String(nanoseconds).padStart(10, "0");
  return `${text.slice(0, -9)}.${text.slice(-9)}`;
}

// A point in time, with as many digits as distinguish times that differ by `step` ticks.
export function moment(trace, time, step = 0) {
  if (trace.rate === 0) return `${trace.ticks(time)} ticks`;
  const digits = Math.min(9, Math.max(0, Math.ceil(-Math.log10(step / trace.rate))));
  const text = seconds(trace, time);
  return `${text.slice(0, text.length - (digits === 0 ? 10 : 9 - digits))} s`;
}

// The ticks that --from takes such a text for; null if it is no time.
function bound(trace, text) {
  const found = /^(\d+(?:\.\d*)?|\.\d+)\s*(s|ms|us|ns|ticks)?$/.exec(text);
  if (found === null) return null;
  const [, number, unit = "s"] = found;
  if (unit === "ticks") return BigInt(Math.trunc(Number(number)));
  return BigInt(Math.round((Number(number) * PARTS[unit] * trace.rate) / 1e9));
}

// A point in time that is read back as the same tick, by the page and by --from.
export function exactly(trace, time) {
  const ticks = trace.ticks(time);
  if (trace.rate !== 0) {
    const text = seconds(trace, time);
    if (bound(trace, text) === ticks) return text;
  }
  return `${ticks}ticks`;
}

// "FROM-TO", "FROM to TO" or "--from FROM --to TO"; null if it is none. One time is both.
export function stretchIn(trace, text) {
  const times = text.trim().replace(/^--from\s+|\s+--to(?=\s)/g, "").split(/\s*-\s*|\s+to\s+|\s+(?=[\d.])/).map((one) => bound(trace, one));
  if (times.length > 2 || times.includes(null)) return null;
  const [from, to] = [times[0], times[times.length - 1]].map((ticks) => trace.time(ticks));
  return from > to ? null : [from, to];
}

export function count(number) {
  return String(number).replace(/\B(?=(\d{3})+(?!\d))/g, " ");
}

export function counted(number, one) {
  return `${count(number)} ${one}${number === 1 ? "" : "s"}`;
}
