import Type from 'typebox';
import { type WrittenCounts, writtenSentence } from '../../domain/prediction/written.ts';
import { iso } from '../../domain/time/slot.ts';
import type { Zone } from '../../domain/time/zone.ts';
import { ledgerHistory } from '../../store/ledger/ledger-history.ts';
import { count, countField, nullable, timeField, timestamp } from '../core/answer-fields.ts';
import { defineOperation } from '../core/define.ts';

export const getLedgerHistory = defineOperation({
  name: 'get_ledger_history',
  title: 'What was sealed before its outcome, and what afterwards',
  description:
    'Tells how many entries of the ledger were sealed before their outcome was known, and how many were written afterwards as history of the simulated city. Use it before trusting a figure from the ledger. Returns tree_size, sealed_before_outcome, written_afterwards, reveals (reveals and verdicts: outcomes, which are neither), key_changes (by which the log changed its key), history {complete, first_slot, last_slot, last_leaf, written_from, written_until} (null without one) and checkpoint {tree_size, written_at}. The same is in each payload: written_at, and backfilled: true where a virtual clock wrote it.',
  input: {},
  output: Type.Object({
    tree_size: count,
    sealed_before_outcome: countField(
      'forecasts, lines, silences and submissions that a live clock sealed before their outcome was known',
    ),
    written_afterwards: countField(
      'forecasts, lines, silences and submissions that a virtual clock wrote as history, or that came too late',
    ),
    reveals: countField(
      'reveals of forecasts and verdicts on lines and silences, which are outcomes and neither',
    ),
    key_changes: countField('entries by which the log changed its key'),
    history: nullable(
      Type.Object(
        {
          complete: Type.Boolean(),
          first_slot: timestamp,
          last_slot: timestamp,
          last_leaf: countField('entries up to this leaf are history, none after it is'),
          written_from: timeField('real time of its first entry'),
          written_until: timeField('real time of its last entry'),
        },
        { description: 'what a virtual clock wrote: all of it has backfilled: true' },
      ),
    ),
    checkpoint: nullable(
      Type.Object(
        { tree_size: count, written_at: timestamp },
        { description: 'the newest one, with the real time that is signed in it; null for an empty log' },
      ),
    ),
  }),
  readsLog: true,
  load: (_input, { store }) => ledgerHistory(store),
  shape: ({ size, key_changes, written_at, sealed_before_outcome, written_afterwards, history }) => ({
    tree_size: size,
    sealed_before_outcome,
    written_afterwards,
    reveals: size - sealed_before_outcome - written_afterwards - key_changes,
    key_changes,
    history: history && {
      complete: history.finished,
      first_slot: iso(history.from_slot),
      last_slot: iso(history.until_slot),
      last_leaf: history.leaves - 1,
      written_from: history.written_from,
      written_until: history.written_until,
    },
    checkpoint: written_at === null ? null : { tree_size: size, written_at: iso(written_at) },
  }),
  speak: (answer, _input, zone) => {
    const { history, reveals } = answer;
    return [
      ledgerSentence(answer, zone),
      ...(reveals ? [`${reveals.toLocaleString('en')} more are reveals and verdicts.`] : []),
      ...(history ? [`history is of ${history.first_slot} to ${history.last_slot}.`] : []),
    ].join(' ');
  },
  rest: { path: '/api/ledger/history' },
});

/** The answer in one sentence, as pages and llms.txt give it too. */
export const ledgerSentence = (
  answer: WrittenCounts & { history: { written_until: string } | null },
  zone: Zone,
): string =>
  writtenSentence(answer, answer.history && zone.localDate(Date.parse(answer.history.written_until)));
