import Type from 'typebox';
import { printable } from '../../domain/text/printable.ts';
import { count, olderRows } from '../core/answer-fields.ts';
import { defineOperation } from '../core/define.ts';
import { pocketId, rowLimit, since, sinceNames } from '../core/fields.ts';
import { restAddress } from '../core/text-list.ts';
import { ledgerAnswer, ledgerPosition, loadLedger, speakLedger } from './prediction-answers.ts';
import { generatorAccuracy, generatorArgument, predictionEntry } from './prediction-fields.ts';

export const getPocketPredictions = defineOperation({
  name: 'get_pocket_predictions',
  title: 'Sealed forecasts and what became of them',
  description:
    'Lists single sealed forecasts and their outcomes, of a pocket or all. Use it to check what was forecast, or to recompute payload_hash (sha256 of prediction_payload as canonical JSON). Not for how good forecasts are (get_accuracy_report) or the outlook from now (get_pocket_futures). Returns count, window, accuracy_by_generator and entries, newest first; backfilled in a payload: written after its outcome.',
  toolsets: ['record', 'benchmark'],
  input: {
    pocket_id: Type.Optional(pocketId),
    generator: Type.Optional(generatorArgument),
    since: since('7d'),
    revealed_only: Type.Boolean({ default: false, description: 'leave out those still pending' }),
    limit: rowLimit,
  },
  output: Type.Object({
    count,
    window: Type.Enum([...sinceNames]),
    inconclusive_count: count,
    pending_count: count,
    accuracy_by_generator: Type.Array(generatorAccuracy),
    entries: Type.Array(predictionEntry),
    ...olderRows,
  }),
  list: 'entries',
  position: ledgerPosition,
  load: ({ revealed_only, ...question }, context, from) =>
    loadLedger({ ...question, revealed: revealed_only ? 'only' : 'both' }, context, from),
  next: ({ last }) => last,
  shape: (data, { since }) => ledgerAnswer(data, since),
  speak: (answer, { pocket_id, generator, since, revealed_only }, zone) => {
    const subject = [pocket_id ?? 'all pockets', ...(generator === undefined ? [] : [generator])];
    const about = `${subject.map((part) => printable(part)).join(', ')}, sealed ${since === 'all' ? 'at any time' : `over the last ${since}`}:`;
    if (!answer.count) return `${about} no forecasts.`;
    const address = restAddress('/api/predictions', {
      pocket: pocket_id,
      generator,
      since,
      revealed: revealed_only ? 'only' : undefined,
      format: 'csv',
    });
    return [about, ...speakLedger(answer, zone), `all are rows of ${address}`].join(' ');
  },
  rest: { path: '/api/pocket-predictions', names: { pocket_id: 'pocket' } },
});
