// Bytes as the command packed them; host/src/report/bytes.h is the other side.

const FIRST = 40;
const DIGITS = Uint8Array.from({ length: 127 }, (_, code) => (code === 125 ? 60 : code === 126 ? 92 : code) - FIRST);

export function fromBase85(text) {
  const bytes = new Uint8Array(Math.floor((text.length * 4) / 5));
  for (let i = 0, at = 0; i < text.length; i += 5, at += 4) {
    let value = 0;
    for (let j = Math.min(i + 5, text.length) - 1; j >= i; --j) value = value * 85 + DIGITS[text.charCodeAt(j)];
    // Those behind the end are ignored.
    for (let j = 0; j < 4; ++j) bytes[at + j] = value >>> (8 * j);
  }
  return bytes;
}

export async function inflate(bytes) {
  const stream = new DecompressionStream("deflate");
  const writer = stream.writable.getWriter();
  // If they fail, reading fails, too.
  writer.write(bytes).catch(() => {});
  writer.close().catch(() => {});
  const pieces = [];
  let size = 0;
  const reader = stream.readable.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    pieces.push(value);
    size += value.length;
  }
  const all = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}

// Numbers of varying length, one after another. Exact up to 2^53.
export class Numbers {
  constructor(bytes) {
    this.bytes = bytes;
    this.at = 0;
  }
  next() {
    const bytes = this.bytes;
    let byte = bytes[this.at++];
    if (byte < 0x80) return byte;
    let value = byte & 0x7f;
    let factor = 0x80;
    do {
      byte = bytes[this.at++];
      value += (byte & 0x7f) * factor;
      factor *= 0x80;
    } while (byte >= 0x80);
    return value;
  }
  // With the sign in the lowest bit.
  static signed(value) {
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }
}

// JSON whose integers may be larger than a number holds: those become text.
export function parseExact(text) {
  return JSON.parse(text.replace(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g,
    (piece) => (/^-?\d{16,}$/.test(piece) ? `"${piece}"` : piece)));
}
