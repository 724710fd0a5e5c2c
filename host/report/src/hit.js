// Finds the item at a place of the picture.
import { ROW } from "./layout.js";
import { KIND, LANE } from "./trace.js";

const NEAR = 5;

// How far up a thing lies: what lies above is meant before what it covers. -1: not here.
function rank(painter, block, i, lane, x, y) {
  const kind = block.kind[i];
  const place = painter.layout.places[lane];
  const inBar = y < place.bar;
  const from = painter.x(block.begin[i]);
  const to = Math.max(painter.x(block.end[i]), from + 1);
  if (kind === KIND.arrow) {
    const [fromX, fromY, toX, toY] = painter.arrowEnds(block, i);
    const atEnd = Math.hypot(toX - x, toY - (painter.y(lane) + y)) <= NEAR || Math.hypot(fromX - x, fromY - (painter.y(lane) + y)) <= NEAR;
    return atEnd && (block.lane[i] === lane || block.other[i] === lane) ? 4 : -1;
  }
  const onCpu = kind === KIND.run && painter.trace.lanes[lane].kind === LANE.cpu;
  if ((onCpu ? block.other[i] : block.lane[i]) !== lane) return -1;
  switch (kind) {
    case KIND.instant:
    case KIND.wakeup:
    case KIND.log:
    case KIND.flow:
      return Math.abs(from - x) <= NEAR && y >= (place.bar || ROW) - 10 && y <= (place.bar || ROW) + 2 ? 5 : -1;
    case KIND.duration: {
      const top = place.bar + block.other[i] * ROW;
      return block.other[i] < place.rows && x >= from - 1 && x <= to + 1 && y >= top && y < top + ROW ? 3 : -1;
    }
    case KIND.lost:
      return x >= from - 1 && x <= to + 1 ? 1 : -1;
    default:
      return inBar && x >= from - 1 && x <= to + 1 ? 2 : -1;
  }
}

export function hit(painter, x, y) {
  const lane = painter.layout.at(y, painter.view.scroll);
  if (lane < 0 || !painter.exact) return null;
  const time = painter.view.begin + (x - painter.x(painter.view.begin)) / painter.scale;
  const near = NEAR / painter.scale;
  // How many items were compared, which takes the time of an answer.
  painter.compared = 0;
  let best = null;
  let highest = -1;
  let shortest = Infinity;
  for (const number of painter.trace.blocksIn(time - near, time + near)) {
    const block = painter.trace.blockIfThere(number);
    if (block === null) continue;
    painter.compared += block.count;
    for (let item = 0; item < block.count; ++item) {
      if (block.end[item] < time - near || block.begin[item] > time + near) continue;
      const found = rank(painter, block, item, lane, x, y - painter.y(lane));
      const length = block.end[item] - block.begin[item];
      if (found < 0 || found < highest || (found === highest && length >= shortest)) continue;
      [best, highest, shortest] = [{ block, item }, found, length];
    }
  }
  return best;
}
