import Type from 'typebox';
import {
  checkReceipt,
  LEAST_HASH_DIGITS,
  type LedgerQuery,
  type QueryProblem,
  queryProblems,
  type Receipt,
  type ReceiptCheck,
  readLedgerQuery,
  receiptFields,
} from '../../domain/prediction/ledger-query.ts';
import { countText } from '../../domain/text/count-text.ts';
import type { Reader } from '../../store/engine/store.ts';
import { refuseArchivedId } from '../../store/ledger/archived.ts';
import { entryLeafHash } from '../../store/ledger/bundles.ts';
import type { LedgerEntry } from '../../store/ledger/entries.ts';
import { entryById, latestCheckpoint } from '../../store/ledger/ledger-reads.ts';
import { entriesByHash, payloadHash } from '../../store/ledger/ledger-search.ts';
import { nullable } from '../core/answer-fields.ts';
import { defineOperation } from '../core/define.ts';
import { shortText } from '../core/fields.ts';
import { ledgerEntry, ledgerEntryFields, treeSize } from '../prediction/ledger-fields.ts';

const verdicts = ['in_log', 'differs', 'not_in_log', 'unreadable'] as const;
const matchedBy = ['id', 'payload_hash', 'leaf_hash'] as const;

interface Found {
  matched: (typeof matchedBy)[number];
  entry: LedgerEntry;
}

/** Schema of what is looked up. */
export const checkedText = shortText(
  8000,
  'an id, an address, a hash or the beginning of one, or a receipt as JSON',
);

export const checkLedger = defineOperation({
  name: 'check_ledger',
  title: 'Whether something is in the ledger',
  description: `Finds the entry that an id, a hash or a receipt names, and compares a receipt with it. Use it to check what somebody was given: the id of an entry, its address, its payload hash or leaf hash (or the first ${LEAST_HASH_DIGITS} digits or more), or the JSON of a receipt, proof or entry. Returns kind, verdict (in_log, differs, not_in_log, unreadable), problem where it cannot be read, entries (each with leaf_hash and matched) and, for a receipt, checks [{field, holds}].`,
  input: { query: checkedText },
  output: Type.Object({
    kind: Type.Enum(['id', 'hash', 'receipt', 'unreadable'], { description: 'what was asked with' }),
    verdict: Type.Enum([...verdicts], {
      description: 'differs: the entry that a receipt names is in the log and says something else',
    }),
    problem: nullable(Type.Enum([...queryProblems], { description: 'why it cannot be read' })),
    tree_size: treeSize,
    entries: Type.Array(
      Type.Object({
        ...ledgerEntry,
        leaf_hash: Type.String({ description: 'hash of the entry as a leaf of the tree, 64 hex digits' }),
        matched: Type.Enum([...matchedBy], { description: 'by what it was found' }),
      }),
    ),
    checks: Type.Array(
      Type.Object({
        field: Type.Enum([...receiptFields]),
        holds: Type.Boolean({ description: 'whether the log says the same' }),
      }),
      { description: 'each field of a receipt that can be compared' },
    ),
  }),
  readsLog: true,
  load: async ({ query: text }, { store, baseUrl }) => {
    const query = readLedgerQuery(text);
    const [found, checkpoint] = await Promise.all([find(store, query), latestCheckpoint(store)]);
    return { query, found, checkpoint, baseUrl };
  },
  shape: ({ query, found, checkpoint, baseUrl }) => {
    const checks = receiptChecks(query, found);
    return {
      kind: query.kind,
      verdict: ledgerVerdict(query, found, checks),
      problem: query.kind === 'unreadable' ? query.problem : null,
      tree_size: checkpoint?.size ?? null,
      entries: found.map(({ entry, matched }) => ({
        ...ledgerEntryFields(entry, baseUrl),
        leaf_hash: entryLeafHash(entry),
        matched,
      })),
      checks,
    };
  },
  speak: ({ verdict, problem, entries }) => {
    const [first] = entries;
    if (problem !== null) return problemText[problem];
    if (!first) return 'nothing in the log has this id or hash.';
    if (verdict === 'differs') return `the log holds it as leaf ${first.leaf_index}, with other content.`;
    if (entries.length === 1) return `it is in the log as leaf ${first.leaf_index}.`;
    return `${countText(entries.length, 'entry of the log has', 'entries of the log have')} a hash that begins like this.`;
  },
  rest: { path: '/api/ledger/check' },
});

const problemText: Record<QueryProblem, string> = {
  hash_too_short: `a hash is found by its first ${LEAST_HASH_DIGITS} digits or more.`,
  hash_too_long: 'a hash of the ledger has 64 hex digits.',
  not_json: 'it begins like a receipt but cannot be parsed.',
  names_no_entry: 'it has no id, submission_id, payload_hash, leaf_hash or payload.',
  other_text: 'it is not an id, a hash or a receipt of the ledger.',
};

async function find(store: Reader, query: LedgerQuery): Promise<Found[]> {
  switch (query.kind) {
    case 'id':
      return byKnownId(store, query.id);
    case 'hash':
      return entriesByHash(store, query.hex);
    case 'receipt':
      return byReceipt(store, query.receipt);
    case 'unreadable':
      return [];
  }
}

const byId = async (store: Reader, id: string): Promise<Found[]> => {
  const entry = await entryById(store, id);
  return entry ? [{ matched: 'id', entry }] : [];
};

/** An id that is not found may be archived. */
const byKnownId = async (store: Reader, id: string): Promise<Found[]> => {
  const found = await byId(store, id);
  if (!found.length) await refuseArchivedId(store, id);
  return found;
};

/** By the first of its names that the log knows: its id, its hashes, the hash of its payload. */
async function byReceipt(store: Reader, { id, payload_hash, leaf_hash, payload }: Receipt): Promise<Found[]> {
  const found = id === undefined ? [] : await byId(store, id);
  if (found.length) return found;
  const hashes = [payload_hash, leaf_hash, payload && payloadHash(payload)];
  for (const hash of hashes.filter((name) => typeof name === 'string')) {
    const matches = await entriesByHash(store, hash.replace(/^sha256:/, ''));
    if (matches.length) return matches;
  }
  if (id !== undefined) await refuseArchivedId(store, id);
  return [];
}

function receiptChecks(query: LedgerQuery, [first]: readonly Found[]): ReceiptCheck[] {
  if (query.kind !== 'receipt' || !first) return [];
  const { entry } = first;
  const { receipt } = query;
  const known = { ...entry, leaf_hash: entryLeafHash(entry), leaf_index: entry.leaf };
  return checkReceipt(receipt, known, receipt.payload ? payloadHash(receipt.payload) : null);
}

function ledgerVerdict(
  query: LedgerQuery,
  found: readonly Found[],
  checks: readonly ReceiptCheck[],
): (typeof verdicts)[number] {
  if (query.kind === 'unreadable') return 'unreadable';
  if (!found.length) return 'not_in_log';
  return checks.every(({ holds }) => holds) ? 'in_log' : 'differs';
}
