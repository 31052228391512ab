import { LedgerError } from './error.ts';
import { type Hash, leafHash } from './merkle.ts';
import type { Seal } from './seal.ts';

export type EntryType = 'prediction' | 'line' | 'silence' | 'verdict' | 'reveal' | 'submission' | 'key';

/** A bundle stores the length of an entry in two bytes. */
export const MAX_ENTRY_BYTES = 0xffff;

/** Characters that need no escaping, in JSON or in a URL. */
const ID = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/;
export const isEntryId = (id: string): boolean => ID.test(id);

/**
 * The log entry of a row: canonical JSON of `{id, payload, payload_hash, type}`. The payload is canonical already, and
 * stays so inside canonical JSON, so nothing is parsed or sorted again.
 */
export function entryText(type: EntryType, id: string, { canonical, payload_hash }: Seal): string {
  if (!isEntryId(id)) throw new LedgerError('bad_entry', 'an id is up to 128 letters, digits or . _ : -');
  return `{"id":"${id}","payload":${canonical},"payload_hash":"${payload_hash}","type":"${type}"}`;
}

/** Refuses what could not be served later: a leaf whose entry fits no bundle would break the log permanently. */
export function entryLeaf(entry: string): Hash {
  // A UTF-16 code unit takes at most three bytes of UTF-8, so most entries need no exact count.
  if (entry.length * 3 > MAX_ENTRY_BYTES && Buffer.byteLength(entry) > MAX_ENTRY_BYTES) {
    throw new LedgerError(
      'entry_too_large',
      `an entry is at most ${MAX_ENTRY_BYTES} bytes; seal its hash instead`,
    );
  }
  return leafHash(entry);
}

/** C2SP tlog-tiles: each entry is preceded by its length, two bytes, big-endian. */
export function entryBundle(entries: readonly string[]): Buffer {
  const parts: Buffer[] = [];
  for (const entry of entries) {
    const bytes = Buffer.from(entry);
    if (bytes.length > MAX_ENTRY_BYTES) {
      throw new LedgerError('entry_too_large', `an entry is at most ${MAX_ENTRY_BYTES} bytes`);
    }
    parts.push(Buffer.from([bytes.length >> 8, bytes.length & 0xff]), bytes);
  }
  return Buffer.concat(parts);
}
