// How states are drawn, and how high values are.

// Nothing runs or waits for a CPU: a line instead of a bar, so that the rest stands out.
export const QUIET = new Set(["blocked", "waiting", "unknown", "idle"]);
export const LINE = 4;

// How high a value lies between the least and the greatest.
export function heights(low, high, room) {
  const least = high > low ? low : Math.min(0, high);
  return (value) => (high > least ? ((value - least) / (high - least)) * room : 0);
}
