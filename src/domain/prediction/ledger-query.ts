// Reads what somebody pastes to find an entry of the ledger: an id, an address, a hash or a receipt. Any text may come.

/** Hex digits of a hash from which on it is looked up: fewer would match by chance. */
export const LEAST_HASH_DIGITS = 8;

/** A receipt, a proof or an entry as the service gives it: what it states of an entry. */
export interface Receipt {
  id?: string;
  type?: string;
  payload_hash?: string;
  leaf_hash?: string;
  leaf_index?: number;
  payload?: object;
}

/** Why a text cannot be looked up. */
export const queryProblems = [
  'hash_too_short',
  'hash_too_long',
  'not_json',
  'names_no_entry',
  'other_text',
] as const;
export type QueryProblem = (typeof queryProblems)[number];

export type LedgerQuery =
  | { kind: 'id'; id: string }
  /** Lowercase hex digits, 8 to 64. */
  | { kind: 'hash'; hex: string }
  | { kind: 'receipt'; receipt: Receipt }
  | { kind: 'unreadable'; problem: QueryProblem };

/** As src/ledger/entry.ts allows them. */
const ID = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/;
const HEX = /^[0-9a-f]+$/;
const FULL_HASH = /^[0-9a-f]{64}$/;
/** A page or an address of the ledger ends with the id of its entry. */
const ADDRESS = /\/(?:ledger|ledger\/proof|ledger\/entry|benchmark\/scores|explanations)\/([^/?#\s]+)$/;

export function readLedgerQuery(text: string): LedgerQuery {
  const given = text.trim();
  if (given.startsWith('{')) return readReceipt(given);
  const address = ADDRESS.exec(given.replace(/[?#].*$/, ''))?.[1];
  if (address !== undefined) return readId(address.replaceAll(/%3a/gi, ':'));
  const hex = parseHex(given);
  if (hex === null) return readId(given);
  if (hex.length < LEAST_HASH_DIGITS) return unreadable('hash_too_short');
  return hex.length > 64 ? unreadable('hash_too_long') : { kind: 'hash', hex };
}

const unreadable = (problem: QueryProblem): LedgerQuery => ({ kind: 'unreadable', problem });

/** The id of an explanation names the entry of its silence. */
function readId(text: string): LedgerQuery {
  const id = text.replace(/^silence:/, '');
  return ID.test(id) ? { kind: 'id', id } : unreadable('other_text');
}

/** Hex digits without `sha256:` and the line breaks of a copy; null for other text. */
function parseHex(text: string): string | null {
  const hex = text
    .toLowerCase()
    .replace(/^sha256:/, '')
    .replaceAll(/\s+/g, '');
  return HEX.test(hex) ? hex : null;
}

function readReceipt(text: string): LedgerQuery {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return unreadable('not_json');
  }
  const given = value as Record<string, unknown>;
  const id = asString(given.id ?? given.submission_id);
  const payload_hash = parseFullHash(given.payload_hash);
  const leaf_hash = parseFullHash(given.leaf_hash);
  const { payload, leaf_index } = given;
  const receipt: Receipt = {
    ...(id !== undefined && ID.test(id) && { id }),
    ...(typeof given.type === 'string' && { type: given.type }),
    ...(payload_hash !== undefined && { payload_hash: `sha256:${payload_hash}` }),
    ...(leaf_hash !== undefined && { leaf_hash }),
    ...(Number.isSafeInteger(leaf_index) && { leaf_index: leaf_index as number }),
    ...(isPlainObject(payload) && { payload }),
  };
  const names = [receipt.id, receipt.payload_hash, receipt.leaf_hash, receipt.payload];
  return names.some((name) => name !== undefined)
    ? { kind: 'receipt', receipt }
    : unreadable('names_no_entry');
}

const asString = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

function parseFullHash(value: unknown): string | undefined {
  const hex = parseHex(asString(value) ?? '');
  return hex !== null && FULL_HASH.test(hex) ? hex : undefined;
}

const isPlainObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** An entry of the log, with what a receipt can state of it. */
export interface KnownEntry {
  id: string;
  type: string;
  payload_hash: string;
  leaf_hash: string;
  leaf_index: number;
}

export const receiptFields = ['id', 'type', 'payload_hash', 'leaf_hash', 'leaf_index', 'payload'] as const;
export interface ReceiptCheck {
  field: (typeof receiptFields)[number];
  /** Whether the log says the same. */
  holds: boolean;
}

/** Compares what a receipt states with the log. `payloadHash` is that of its payload; null where it cannot be hashed. */
export function checkReceipt(
  receipt: Receipt,
  entry: KnownEntry,
  payloadHash: string | null,
): ReceiptCheck[] {
  return receiptFields
    .filter((field) => receipt[field] !== undefined)
    .map((field) => ({
      field,
      holds: field === 'payload' ? payloadHash === entry.payload_hash : receipt[field] === entry[field],
    }));
}
