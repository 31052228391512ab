import { isUtf8 } from 'node:buffer';
import { hash } from 'node:crypto';
import { isCanonical } from './canonical.ts';
import { LedgerFault } from './fault.ts';

export interface Entry {
  id: string;
  type: string;
  payload: Readonly<Record<string, unknown>>;
  payload_hash: string;
}

const TYPES = new Set(['prediction', 'line', 'silence', 'verdict', 'reveal', 'submission', 'key']);
const ID = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/;

/** Splits a bundle into exactly the number of entries that the checkpoint implies. */
export function* splitEntries(
  { bytes, more }: { bytes: Buffer; more: boolean },
  index: number,
  width: number,
): Generator<Buffer> {
  let at = 0;
  for (let i = 0; i < width; i++) {
    const start = at + 2;
    const end = start <= bytes.length ? start + bytes.readUInt16BE(at) : Number.POSITIVE_INFINITY;
    if (end > bytes.length) {
      throw new LedgerFault('bad_bundle', `bundle ${index} ends within its entry ${i}`, {
        leaf: index * 256 + i,
      });
    }
    yield bytes.subarray(start, end);
    at = end;
  }
  if (at < bytes.length && !more) {
    throw new LedgerFault('bad_bundle', `bundle ${index} holds more than ${width} entries`);
  }
}

/** Parses an entry and hashes its payload again. The log controls every byte. */
export function readEntry(bytes: Buffer, leaf: number): Entry {
  const bad = (message: string): LedgerFault => new LedgerFault('bad_entry', message, { leaf });
  if (!isUtf8(bytes)) throw bad('not text');
  const text = bytes.toString();
  const entry = parseJson(text);
  if (!isEntry(entry)) throw bad('not an entry with an id, a type, a payload and its hash');
  // Otherwise a duplicate key or another spelling of a number would give a hash that nobody can reproduce.
  if (!isCanonical(entry, text)) throw bad('not canonical JSON');

  // The text is canonical with four known keys, so the payload is the bytes between them. A payload_hash of another
  // form or length only selects other bytes, which do not hash to it.
  const { id, type, payload_hash } = entry;
  const start = `{"id":"${id}","payload":`.length;
  const end = bytes.length - `,"payload_hash":"${payload_hash}","type":"${type}"}`.length;
  if (`sha256:${hash('sha256', bytes.subarray(start, end), 'hex')}` !== payload_hash) {
    throw new LedgerFault('bad_payload_hash', 'the payload does not hash to its payload_hash', { leaf, id });
  }
  return entry;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isEntry(value: unknown): value is Entry {
  if (typeof value !== 'object' || value === null || Object.keys(value).length !== 4) return false;
  const { id, type, payload, payload_hash } = value as Record<string, unknown>;
  return (
    typeof id === 'string' &&
    ID.test(id) &&
    typeof type === 'string' &&
    TYPES.has(type) &&
    typeof payload_hash === 'string' &&
    typeof payload === 'object' &&
    payload !== null &&
    !Array.isArray(payload)
  );
}

export function entryId(bytes: Buffer): string | undefined {
  return /^\{"id":"([A-Za-z0-9._:-]{1,128})"/.exec(bytes.toString('latin1', 0, 150))?.[1];
}
