// Paths of the transparency log (src/http/routes/ledger.ts): tiles and proofs for verifiers.
import Type, { type TSchema } from 'typebox';
import {
  count,
  countField,
  nullable,
  olderRows,
  primaryState,
  unit,
} from '../../operations/core/answer-fields.ts';
import { getLedgerEntry } from '../../operations/prediction/get-ledger-entry.ts';
import {
  archived,
  badRequest,
  get,
  internalError,
  json,
  media,
  notFound,
  notModified,
  tooManyRequests,
  unavailable,
} from './replies.ts';
import { fieldSchema, ref } from './schemas.ts';

const hash = Type.String({ pattern: '^[0-9a-f]{64}$', description: 'SHA-256, in hexadecimal' });
const treeSize = countField('number of leaves');
const proof = Type.Array(hash, { description: 'hashes from the leaf upwards (RFC 6962, section 2.1)' });

const entry = getLedgerEntry.output();
/** A field with the same schema as in get_ledger_entry. */
const entryField = (name: string) => fieldSchema(entry, name);

const inclusion = Type.Object({
  id: entryField('id'),
  type: entryField('type'),
  leaf_index: entryField('leaf_index'),
  leaf_hash: hash,
  payload_hash: entryField('payload_hash'),
  payload: entryField('payload'),
  written_at: entryField('written_at'),
  backfilled: entryField('backfilled'),
  sealed_before_outcome: entryField('sealed_before_outcome'),
  page_url: entryField('page_url'),
  tree_size: treeSize,
  proof,
  checkpoint: Type.String({ description: 'signed note (C2SP tlog-checkpoint)' }),
  _meta: ref('Meta'),
});

const leafInclusion = Type.Object({
  leaf_index: entryField('leaf_index'),
  leaf_hash: hash,
  tree_size: treeSize,
  proof,
  checkpoint: inclusion.properties.checkpoint,
  _meta: ref('Meta'),
});

const consistency = Type.Object({ from: treeSize, to: treeSize, proof, _meta: ref('Meta') });

/** The items of a benchmark submission; the log itself contains only their hash. */
const detached = Type.Object({
  nonce: Type.String(),
  predictions: Type.Array(
    Type.Object({
      pocket_id: Type.String(),
      horizon_minutes: count,
      predicted_state: primaryState,
      predicted_calm_probability: unit,
      confidence: unit,
    }),
  ),
});

const leaf = nullable(countField('position in the ledger; null without a row'));
const ends = Type.Object({ first: leaf, last: leaf });
const periodEnd = nullable(countField('end of a half hour, in epoch milliseconds; null without one'));
const periodEnds = { first: periodEnd, last: periodEnd };
const rollups = Type.Object(periodEnds, {
  description: 'the half hours that are rolled up and that every table has',
});
const totals = Type.Object(periodEnds, {
  description: 'all that are rolled up: of older ones some tables have the ends of days alone',
});
const tableRows = Type.Object({
  columns: Type.Array(Type.String(), {
    description: 'the first is the leaf of the entry, or the end of the half hour',
  }),
  rows: Type.Array(Type.Array(nullable(Type.Union([Type.String(), Type.Number()]))), {
    description: 'values, in the order of the columns',
  }),
});

const signalsFrom = Type.Union([countField('epoch milliseconds'), Type.Null()], {
  description:
    'from which time on there are rows of env_snapshots: earlier ones may have been let go; null while all are kept',
});

/** By the name of a table; `reveals_of_predictions` are the rows of reveals by the forecast that they are of. */
const byTable = (rows: TSchema) =>
  Type.Record(Type.String(), rows, {
    description: 'by table, or by table and what its rows are about (…_of_…); empty ones are left out',
  });

const inPath = (name: string, description: string) => ({
  name,
  in: 'path',
  required: true,
  schema: Type.String({ description }),
});

const inQuery = (name: string, required: boolean, description: string) => ({
  name,
  in: 'query',
  required,
  schema: Type.Integer({ minimum: 0, description }),
});

const failures = { ...notFound, ...tooManyRequests, ...internalError, ...unavailable };

export const ledgerPaths = {
  '/api/ledger/key': get('ledger_key', 'Public key of the ledger, as a verifier takes it', {
    200: media('the key', 'text/plain'),
    ...tooManyRequests,
    ...internalError,
    ...unavailable,
  }),
  '/api/ledger/checkpoint': get('ledger_checkpoint', 'Latest checkpoint: a signed note', {
    200: media('the note (C2SP tlog-checkpoint)', 'text/plain'),
    ...failures,
  }),
  '/api/ledger/tile/{path}': get(
    'ledger_tile',
    'Tile of hashes, or bundle of entries',
    {
      200: media('the bytes (C2SP tlog-tiles)', 'application/octet-stream'),
      ...notModified,
      ...archived,
      ...failures,
    },
    [inPath('path', 'level or `entries`, then the index, as C2SP tlog-tiles has it; it may hold slashes')],
  ),
  '/api/ledger/rows': get('ledger_row_ends', 'First and last entry that each table has a row of', {
    200: json(
      'by table',
      Type.Object({
        tables: byTable(ends),
        rollups,
        totals,
        ...olderRows,
      }),
    ),
    ...internalError,
    ...unavailable,
  }),
  '/api/ledger/rows/{path}': get(
    'ledger_rows',
    'What the tables beside the ledger say about up to 256 entries',
    {
      200: json('by table', Type.Object({ tables: byTable(tableRows), signals_from: signalsFrom })),
      ...archived,
      ...failures,
    },
    [inPath('path', 'the index of a bundle of entries, as in `tile/entries/`; it may hold slashes')],
  ),
  '/api/ledger/totals/{date}': get(
    'ledger_totals',
    'Running totals at the end of every half hour of a day that has them, over all pockets',
    { 200: json('by table of rollups', Type.Object({ tables: byTable(tableRows) })), ...failures },
    [inPath('date', 'a UTC day, as YYYY-MM-DD')],
  ),
  '/api/ledger/detached/{hash}': get(
    'ledger_detached',
    'Items of a submission, once its window has closed',
    { 200: json('the exact text that was hashed', detached), ...failures },
    [inPath('hash', 'SHA-256 of the items, in hexadecimal')],
  ),
  '/api/ledger/proof/{id}': get(
    'ledger_proof',
    'Proof that an entry is in the ledger',
    { 200: json('the entry and its inclusion proof', inclusion), ...archived, ...failures },
    [inPath('id', 'id of a forecast, reveal, silence, submission or change of the key')],
  ),
  '/api/ledger/proof/leaf/{leaf}': get(
    'ledger_leaf_proof',
    'Proof of a leaf, archived or not',
    { 200: json('its inclusion proof', leafInclusion), ...failures },
    [inPath('leaf', 'position in the ledger, from 0')],
  ),
  '/api/ledger/consistency': get(
    'ledger_consistency',
    'Proof that a tree of one size is the beginning of another',
    { 200: json('the consistency proof', consistency), ...badRequest, ...failures },
    [
      inQuery('from', true, 'size of the earlier tree'),
      inQuery('to', false, 'size of the later tree; the latest when omitted'),
    ],
  ),
};
