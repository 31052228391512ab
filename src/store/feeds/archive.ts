// The raw bodies of feeds: compressed, addressed by the hash of their bytes, kept for some days and within a size.
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import type { Reader, Transaction } from '../engine/store.ts';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

export interface ArchivedBody {
  feed: string;
  /** SHA-256 of the raw bytes, in hex. */
  hash: string;
  /** Without keys. */
  url: string;
  raw_size: number;
  stored_size: number;
  content: string;
}

const bodyHash = (raw: Uint8Array): string => createHash('sha256').update(raw).digest('hex');

/** Compressed as soon as it is read, so that a poll of many pages does not hold them all at their full size. */
export async function compressBody(feed: string, url: string, raw: Uint8Array): Promise<ArchivedBody> {
  const content = (await compress(raw)).toString('base64');
  return { feed, hash: bodyHash(raw), url, raw_size: raw.length, stored_size: content.length, content };
}

/** How exactly the last receipt of a body is known: an update rewrites the whole row, so not every poll makes one. */
const RECEIPT_MS = 60 * 60_000;

/** A body that is stored already is kept for longer. */
export async function writeBodies(
  tx: Transaction,
  bodies: readonly ArchivedBody[],
  received_at: number,
): Promise<void> {
  const rows = new Map(
    bodies.map(({ content, ...body }) => [
      body.hash,
      { ...body, received_at, last_received_at: received_at, content },
    ]),
  );
  // One at a time: PostgreSQL gets the rows of an insert as one text.
  for (const row of rows.values())
    await tx.insert(
      'feed_bodies',
      [row],
      `on conflict (feed, hash) do update set last_received_at = excluded.last_received_at
       where feed_bodies.last_received_at < excluded.last_received_at - ${RECEIPT_MS}`,
    );
}

export class ArchiveError extends Error {
  override name = 'ArchiveError';
}

/** The very bytes that a measurement was read from; undefined where they are no longer kept. */
export async function readBody(
  store: Reader,
  feed: string,
  hash: string,
): Promise<{ raw: Uint8Array; url: string; received_at: number } | undefined> {
  const row = await store.get<{ content: string; url: string; received_at: number; raw_size: number }>(
    'select content, url, received_at, raw_size from feed_bodies where feed = ? and hash = ?',
    feed,
    hash,
  );
  if (!row) return undefined;
  const damagedError = () => new ArchiveError(`the stored body ${hash} of ${feed} is damaged`);
  const raw = await decompress(Buffer.from(row.content, 'base64'), {
    // Room for one byte at least: zlib refuses a limit of 0.
    maxOutputLength: Math.max(row.raw_size, 1),
  }).catch(() => {
    throw damagedError();
  });
  if (bodyHash(raw) !== hash) throw damagedError();
  return { raw, url: row.url, received_at: row.received_at };
}

/** Removes what was last received before `before`, then the oldest until the rest is within `maxBytes`. */
export async function pruneBodies(tx: Transaction, before: number, maxBytes: number): Promise<void> {
  await tx.run('delete from feed_bodies where last_received_at < ?', before);
  const rows = await tx.all<{ last_received_at: number; stored_size: number }>(
    'select last_received_at, stored_size from feed_bodies order by last_received_at desc',
  );
  let size = 0;
  for (const { last_received_at, stored_size } of rows) {
    size += stored_size;
    if (size <= maxBytes) continue;
    return tx.run('delete from feed_bodies where last_received_at <= ?', last_received_at);
  }
}
