// The picture as a table: what lies in the stretch that is looked at, for those who do not see it.
import { itemName, kindName, laneName } from "./describe.js";
import { lengthOf, moment } from "./time.js";

const MOST_ROWS = 200;
const MOST_ITEMS = 200000;

function cellsOf(trace, { block, item }) {
  const length = block.end[item] - block.begin[item];
  return [moment(trace, block.begin[item]), length > 0 ? lengthOf(trace, length) : "", kindName(block.kind[item]),
    itemName(trace, block, item), laneName(trace, block.lane[item])];
}

// Fills the element; `choose` is called with an item whose button is pressed.
export async function listNearby(trace, view, element, choose, isStale) {
  const { begin, end } = view;
  const numbers = trace.blocksIn(begin, end);
  if (trace.itemsIn(numbers) > MOST_ITEMS) {
    element.textContent = `More than ${MOST_ITEMS} things lie in this stretch. Zoom in, search, or see the statistics.`;
    return;
  }
  const found = [];
  for (const number of numbers) {
    const block = await trace.block(number);
    if (isStale()) return;
    for (let item = 0; item < block.count; ++item) {
      if (block.end[item] >= begin && block.begin[item] <= end) found.push({ block, item });
    }
  }
  found.sort((a, b) => a.block.begin[a.item] - b.block.begin[b.item]);
  const table = document.createElement("table");
  table.createCaption().textContent = found.length > MOST_ROWS
    ? `The first ${MOST_ROWS} of ${found.length} things in the stretch shown`
    : `${found.length} things in the stretch shown`;
  const heads = table.createTHead().insertRow();
  for (const title of ["From", "Length", "What", "Name", "Where"]) {
    const head = document.createElement("th");
    head.scope = "col";
    head.textContent = title;
    heads.append(head);
  }
  const body = table.createTBody();
  for (const one of found.slice(0, MOST_ROWS)) {
    const row = body.insertRow();
    cellsOf(trace, one).forEach((text, i) => {
      const cell = row.insertCell();
      if (i !== 3) {
        cell.textContent = text;
        return;
      }
      const button = document.createElement("button");
      button.textContent = text;
      button.addEventListener("click", () => choose(one));
      cell.append(button);
    });
  }
  element.replaceChildren(table);
}
