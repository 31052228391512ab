// Decodes a PNG with a palette, for tests: checks the frame of every chunk and throws at what the format forbids.
import assert from 'node:assert/strict';
import { crc32, inflateSync } from 'node:zlib';
import type { Colour } from './png.ts';

interface Decoded {
  width: number;
  height: number;
  /** Opaque at 255. */
  at(x: number, y: number): Colour & { alpha: number };
}

export function decodePng(png: Buffer): Decoded {
  assert.equal(png.subarray(0, 8).toString('latin1'), '\x89PNG\r\n\x1a\n');
  const chunks = new Map<string, Buffer>();
  let at = 8;
  while (at < png.length) {
    const length = png.readUInt32BE(at);
    const type = png.toString('latin1', at + 4, at + 8);
    assert.equal(png.readUInt32BE(at + 8 + length), crc32(png.subarray(at + 4, at + 8 + length)), type);
    assert.ok(!chunks.has(type), `${type} twice`);
    chunks.set(type, png.subarray(at + 8, at + 8 + length));
    at += length + 12;
  }
  assert.equal(at, png.length);
  assert.deepEqual([...chunks.keys()].at(-1), 'IEND');
  const [header, colours, alphas, data] = ['IHDR', 'PLTE', 'tRNS', 'IDAT'].map((type) => chunks.get(type));
  assert.ok(header?.length === 13 && colours && data);
  // Eight bits a pixel, a palette, one compression and filter method, not interlaced.
  assert.deepEqual([...header.subarray(8)], [8, 3, 0, 0, 0]);
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const rows = inflateSync(data);
  assert.equal(rows.length, (width + 1) * height);
  for (let y = 0; y < height; y++) assert.equal(rows[y * (width + 1)], 0, 'a filter type');
  return {
    ...{ width, height },
    at: (x, y) => {
      const index = rows[y * (width + 1) + 1 + x] ?? -1;
      const [red, green, blue] = colours.subarray(3 * index, 3 * index + 3);
      assert.ok(red !== undefined && green !== undefined && blue !== undefined, 'a colour of the palette');
      return { red, green, blue, alpha: alphas?.[index] ?? 255 };
    },
  };
}
