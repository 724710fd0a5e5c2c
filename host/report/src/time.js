// Times as people read them.

const UNITS = [[1, "s"], [1e3, "ms"], [1e6, "µs"], [1e9, "ns"]];

function unitFor(seconds) {
  const size = Math.abs(seconds);
  return UNITS.find(([factor]) => size * factor >= 1) ?? UNITS[3];
}

// About three digits, or as many as are needed to distinguish times that differ by `step` seconds.
export function duration(seconds, step = 0) {
  if (seconds === 0) return "0 s";
  const [factor, unit] = unitFor(seconds);
  const value = seconds * factor;
  const digits = step > 0 ? Math.ceil(-Math.log10(step * factor)) : 2 - Math.floor(Math.log10(Math.abs(value)));
  return `${value.toFixed(Math.min(9, Math.max(0, digits)))} ${unit}`;
}

export function lengthOf(trace, ticks) {
  return trace.rate === 0 ? `${ticks} ticks` : duration(ticks / trace.rate);
}

// Since the beginning of what is shown.
export function since(trace, time, step = 0) {
  if (trace.rate === 0) return `${Math.round(time - trace.first)} ticks`;
  return duration((time - trace.first) / trace.rate, step / trace.rate);
}

export function count(number) {
  return String(number).replace(/\B(?=(\d{3})+(?!\d))/g, " ");
}
