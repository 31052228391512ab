import Type from 'typebox';
import { readArchive, tellArchive } from '../../store/ledger/archived.ts';
import { latestCheckpoint, newestEntries } from '../../store/ledger/ledger-reads.ts';
import { nullable, olderRows } from '../core/answer-fields.ts';
import { defineOperation } from '../core/define.ts';
import { cutPage, leafPosition } from '../core/list-options.ts';
import { ledgerEntry, ledgerEntryFields, treeSize } from './ledger-fields.ts';

export const listLedgerEntries = defineOperation({
  name: 'list_ledger_entries',
  title: 'The newest entries of the ledger',
  description:
    'Lists what was sealed last, of one kind. Use it to find an entry to check. Returns tree_size, checkpoint (the signed note) and entries, newest first: {id, type, leaf_index, payload, payload_hash, written_at, backfilled, sealed_before_outcome, proof_url, page_url}. An empty log gives null and an empty list.',
  input: {
    type: Type.Enum(['prediction', 'line', 'silence', 'verdict', 'submission', 'key'], {
      default: 'prediction',
      description: "which kind of entry; key: changes of the log's key",
    }),
    limit: Type.Integer({ minimum: 1, maximum: 200, default: 20, description: 'maximum entries to list' }),
  },
  output: Type.Object({
    tree_size: treeSize,
    checkpoint: nullable(Type.String({ description: 'the signed note, as C2SP checkpoints are written' })),
    entries: Type.Array(Type.Object(ledgerEntry)),
    ...olderRows,
  }),
  readsLog: true,
  list: 'entries',
  position: { leaf: leafPosition },
  load: async ({ type, limit }, { store, baseUrl }, from) => {
    const [checkpoint, found] = await Promise.all([
      latestCheckpoint(store),
      newestEntries(store, type, limit + 1, from?.leaf),
    ]);
    const { rows: entries, last } = cutPage(found, limit);
    return { checkpoint, entries, last, baseUrl, archive: last ? undefined : await readArchive(store) };
  },
  next: ({ last }) => last && { leaf: last.leaf },
  shape: ({ checkpoint, entries, baseUrl, archive }) => ({
    tree_size: checkpoint?.size ?? null,
    checkpoint: checkpoint?.note ?? null,
    entries: entries.map((entry) => ledgerEntryFields(entry, baseUrl)),
    ...(archive && { archived: tellArchive(archive) }),
  }),
  speak: ({ tree_size, entries }, { type }) =>
    `the log holds ${tree_size ?? 'no'} entries; ${entries.length} of type ${type} are listed.`,
  rest: { path: '/api/ledger/entries' },
});
