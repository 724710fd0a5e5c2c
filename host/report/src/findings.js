// The worst of a trace, in sentences that the command wrote, each with a button that shows it.
import { button, element } from "./elements.js";

export function listFindings(trace, list, show) {
  for (const finding of trace.findings) {
    const line = element("li", "", { "data-kind": finding.kind, "data-ticks": finding.ticks });
    line.append(element("span", finding.text), button("Show", () => show(finding), { "aria-label": `Show: ${finding.text}` }));
    list.append(line);
  }
  const isLost = trace.findings.some((finding) => finding.kind === "loss") || trace.stats.losses.length > 0;
  if (!isLost) list.append(element("li", "No loss of records is recorded."));
}
