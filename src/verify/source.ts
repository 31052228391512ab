// Where the verifier reads from: checkpoint, key, tiles and bundles by their paths (C2SP tlog-tiles).
import { LedgerFault } from './fault.ts';

/**
 * Returns the bytes at a path under the ledger's address, or undefined if there are none. It must fail after `limit`
 * bytes, since the server controls how much it sends, and with an ArchivedPart where the service says that what is asked
 * for has left it.
 */
export type FetchBytes = (path: string, limit: number) => Promise<Uint8Array | undefined>;

/** Rows of the log that the service has archived, and where it says that they are. */
export class ArchivedPart extends Error {
  override name = 'ArchivedPart';
  readonly place: string | null;
  constructor(place: string | null) {
    super('archived');
    this.place = place;
  }
}

/** What was read, or that it is archived. */
export async function unlessArchived<T>(read: Promise<T>): Promise<T | ArchivedPart> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof ArchivedPart) return error;
    throw error;
  }
}

export const TILE_WIDTH = 256;
export const HASH_BYTES = 32;
const MAX_TILE = TILE_WIDTH * HASH_BYTES;
const MAX_BUNDLE = TILE_WIDTH * (2 + 0xffff);
export const MAX_NOTE = 1_000_000;

export async function fetchText(fetch: FetchBytes, path: string): Promise<string> {
  const bytes = await fetch(path, MAX_NOTE);
  if (bytes === undefined) throw new LedgerFault('unavailable', `nothing at ${path}`);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new LedgerFault('bad_checkpoint', `${path} is not text`);
  }
}

export async function fetchTile(
  fetch: FetchBytes,
  level: number,
  index: number,
  width: number,
): Promise<Buffer> {
  const tile = await fetchWidth(fetch, `tile/${level}/${spelt(index)}`, width, MAX_TILE);
  const hashes = tile.bytes.subarray(0, width * HASH_BYTES);
  const served = tile.complete ? TILE_WIDTH : width;
  if (tile.bytes.length !== served * HASH_BYTES) {
    throw new LedgerFault('wrong_tile', `tile ${index} of level ${level} is not ${served} hashes`, {
      leaf: index * TILE_WIDTH ** (level + 1),
    });
  }
  return hashes;
}

/** `more`: the bundle is complete, although the checkpoint covers only its beginning. */
export async function fetchBundle(
  fetch: FetchBytes,
  index: number,
  width: number,
): Promise<{ bytes: Buffer; more: boolean }> {
  const { bytes, complete } = await fetchWidth(fetch, `tile/entries/${spelt(index)}`, width, MAX_BUNDLE);
  return { bytes, more: complete && width < TILE_WIDTH };
}

/** What the tables beside the log say of the entries of a bundle. */
export const fetchRows = async (fetch: FetchBytes, index: number, width: number): Promise<Buffer> =>
  (await fetchWidth(fetch, `rows/${spelt(index)}`, width, MAX_BUNDLE)).bytes;

/** A log may drop an incomplete tile once the complete one exists, which begins with the same hashes. */
async function fetchWidth(
  fetch: FetchBytes,
  path: string,
  width: number,
  limit: number,
): Promise<{ bytes: Buffer; complete: boolean }> {
  const partial = width < TILE_WIDTH ? await fetch(`${path}.p/${width}`, limit) : undefined;
  const bytes = partial ?? (await fetch(path, limit));
  if (bytes === undefined) throw new LedgerFault('unavailable', `nothing at ${path}`);
  return {
    bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    complete: partial === undefined,
  };
}

/** C2SP tlog-tiles: three digits a path segment, all but the last prefixed with x. */
function spelt(index: number): string {
  const digits = String(index);
  const padded = digits.padStart(Math.ceil(digits.length / 3) * 3, '0');
  return padded.replaceAll(/([0-9]{3})(?=[0-9])/g, 'x$1/');
}
