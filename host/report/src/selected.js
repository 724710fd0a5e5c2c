// The selection: a stretch of a lane, of an item (block and item) or of none.
import { KIND } from "./trace.js";

export function ofItem(trace, { block, item }) {
  return {
    block, item, kind: block.kind[item], lane: block.lane[item], other: block.other[item], begin: block.begin[item], end: block.end[item],
    name: trace.nameOf(block.label[item]),
  };
}

// The item that is exactly this stretch: of the lane, if there is one, and with the record at the offset, if it is
// given. Null if there is none.
export async function itemAt(trace, { lane, begin, end }, offset) {
  for (const number of trace.blocksIn(begin, end)) {
    const block = await trace.block(number);
    for (let item = 0; item < block.count; ++item) {
      if (block.begin[item] !== begin || block.end[item] !== end) continue;
      if (block.kind[item] === KIND.arrow || block.kind[item] === KIND.lost) continue;
      if (lane >= 0 ? block.lane[item] !== lane : trace.lanes[block.lane[item]].baseline) continue;
      if (offset !== undefined && block.offset[item] !== Number(offset)) continue;
      return ofItem(trace, { block, item });
    }
  }
  return null;
}
