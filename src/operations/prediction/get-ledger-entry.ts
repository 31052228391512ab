import Type from 'typebox';
import { type RevealPayload, revealId } from '../../domain/prediction/prediction.ts';
import { type Sealed, whenWritten } from '../../domain/prediction/written.ts';
import { printable } from '../../domain/text/printable.ts';
import { refuseArchivedId } from '../../store/ledger/archived.ts';
import { entryById, latestCheckpoint } from '../../store/ledger/ledger-reads.ts';
import { nullable } from '../core/answer-fields.ts';
import { defineOperation, NotFound } from '../core/define.ts';
import { shortText } from '../core/fields.ts';
import { ledgerEntry, ledgerEntryFields, treeSize } from './ledger-fields.ts';
import { revealPayload } from './prediction-fields.ts';

/** Schema of the argument that identifies a sealed entry. */
export const entryId = shortText(
  128,
  'id of a forecast, line, silence, verdict, submission or change of the key',
);

export const getLedgerEntry = defineOperation({
  name: 'get_ledger_entry',
  title: 'One entry of the ledger',
  description:
    'Shows what was sealed under an id: a forecast, its reveal, a line, a silence, the verdict on either, a submission or a change of the key. Use it to read an entry as it stands in the log, and whether it was there before its outcome. Returns {id, type, leaf_index, payload, canonical (the exact text that was hashed), payload_hash, written_at, backfilled, sealed_before_outcome, proof_url, page_url, tree_size, outcome}: outcome is {id, payload} of the reveal of a forecast, null while there is none.',
  input: { id: entryId },
  output: Type.Object({
    ...ledgerEntry,
    canonical: Type.String({ description: 'the payload as canonical JSON: the text that was hashed' }),
    tree_size: treeSize,
    outcome: nullable(
      Type.Object(
        { id: Type.String(), payload: revealPayload },
        { description: 'the reveal of a forecast; null while there is none' },
      ),
    ),
  }),
  readsLog: true,
  load: async ({ id }, { store, baseUrl }) => {
    const [entry, outcome, checkpoint] = await Promise.all([
      entryById(store, id),
      entryById(store, revealId(id)),
      latestCheckpoint(store),
    ]);
    if (!entry) await refuseArchivedId(store, id);
    if (!entry) throw new NotFound(`no such entry: ${printable(id)}`);
    return { entry, outcome, checkpoint, baseUrl };
  },
  shape: ({ entry, outcome, checkpoint, baseUrl }) => ({
    ...ledgerEntryFields(entry, baseUrl),
    canonical: entry.payload,
    tree_size: checkpoint?.size ?? null,
    outcome: outcome
      ? { id: outcome.id, payload: JSON.parse(outcome.payload) as Sealed<RevealPayload> }
      : null,
  }),
  speak: ({ type, leaf_index, payload, payload_hash, tree_size, written_at }) =>
    `a ${type === 'key' ? 'key change' : type}, leaf ${leaf_index} of ${tree_size ?? 'none yet'}, written at ${written_at}, ${whenWritten(payload)}; sealed as ${payload_hash}.`,
  rest: { path: '/api/ledger/entry/:id' },
});
