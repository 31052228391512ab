// The forecaster's learned state, stored so that a restart need not learn from all readings again: compressed bytes in
// base64, split into parts.
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { Reader, Transaction } from '../engine/store.ts';

const FAST = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/** Whose state, and after which slot. */
export interface ForecasterAt {
  district: string;
  slot: number;
}

/** Writes a state and deletes all but the one before it. In parts, since thousands of pockets exceed the longest string. */
export async function writeForecasterState(
  tx: Transaction,
  { district, slot }: ForecasterAt,
  parts: Iterable<Uint8Array>,
): Promise<void> {
  const before = await tx.get<{ slot: number | null }>(
    'select max(slot) as slot from forecaster_states where district = ? and slot < ?',
    district,
    slot,
  );
  await tx.run(
    'delete from forecaster_states where district = ? and (slot < ? or slot = ?)',
    district,
    before?.slot ?? 0,
    slot,
  );
  let part = 0;
  for (const bytes of parts)
    await tx.run(
      'insert into forecaster_states (district, slot, part, body) values (?, ?, ?, ?)',
      district,
      slot,
      part++,
      zstdCompressSync(bytes, FAST).toString('base64'),
    );
}

/** The slot of the newest state before a slot, and how many parts it has. */
export async function newestForecasterState(
  store: Reader,
  { district, slot }: ForecasterAt,
): Promise<{ slot: number; parts: number } | null> {
  const newest = await store.get<{ slot: number; parts: number }>(
    `select slot, count(*) as parts from forecaster_states
     where district = ? and slot = (select max(slot) from forecaster_states where district = ? and slot < ?)
     group by slot`,
    district,
    district,
    slot,
  );
  return newest ?? null;
}

/** Null when it cannot be decompressed, such as one of an earlier release: the forecaster then starts over. */
export async function readForecasterPart(
  store: Reader,
  { district, slot }: ForecasterAt,
  part: number,
): Promise<Uint8Array | null> {
  const row = await store.get<{ body: string }>(
    'select body from forecaster_states where district = ? and slot = ? and part = ?',
    district,
    slot,
    part,
  );
  try {
    return zstdDecompressSync(Buffer.from(row?.body ?? '', 'base64'));
  } catch {
    return null;
  }
}
