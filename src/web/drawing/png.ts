// Encodes a drawing as PNG with a palette (https://www.w3.org/TR/png-3). No image library is used: flat shapes need
// only one filter type and zlib, which Node has.
import { promisify } from 'node:util';
import { crc32, deflate } from 'node:zlib';

export interface IndexedImage {
  width: number;
  height: number;
  /** Index into the palette for each pixel, row by row. */
  pixels: Uint8Array;
  /** At most 256 colours. */
  palette: readonly Colour[];
}

export interface Colour {
  red: number;
  green: number;
  blue: number;
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const PALETTE_COLOUR = 3;

/** Compresses on a thread of libuv, not on the caller's. */
const compress = promisify<Uint8Array, object, Buffer>(deflate);

export async function encodePng({ width, height, pixels, palette }: IndexedImage): Promise<Buffer> {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, PALETTE_COLOUR], 8);
  // Each row starts with its filter type: 0, none.
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y++) rows.set(pixels.subarray(y * width, (y + 1) * width), y * (width + 1) + 1);
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.flatMap(({ red, green, blue }) => [red, green, blue]))),
    chunk('IDAT', await compress(rows, { level: 6 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const framed = Buffer.alloc(data.length + 12);
  framed.writeUInt32BE(data.length, 0);
  framed.write(type, 4, 'latin1');
  data.copy(framed, 8);
  framed.writeUInt32BE(crc32(framed.subarray(4, data.length + 8)), data.length + 8);
  return framed;
}
