import Type from 'typebox';
import { printable } from '../../domain/text/printable.ts';
import { count } from '../core/answer-fields.ts';
import { defineOperation } from '../core/define.ts';
import { pocketId, rowLimit, since, sinceNames } from '../core/fields.ts';
import { ledgerAnswer, loadLedger, speakLedger } from './prediction-answers.ts';
import { generatorAccuracy, generators, predictionEntry } from './prediction-fields.ts';

export const getPocketPredictions = defineOperation({
  name: 'get_pocket_predictions',
  title: 'Sealed forecasts and what became of them',
  description:
    'Reads the ledger of forecasts and what became of them. A live forecast was sealed before its outcome could be known; one with backfilled: true in its payload was written afterwards, as simulated history (written_at says when). Use it to check what was forecast and how often that came true, or to recompute a seal: payload_hash is the sha256 of prediction_payload as RFC 8785 canonical JSON. Returns count and accuracy_by_generator [{generator, n, accuracy}] over all that the filter selects (accuracy is the share of scored forecasts with accuracy_score of at least 0.5; inconclusive ones are counted apart and never scored), and entries, newest first, with actual_observation once revealed, proof_url and page_url. since applies to sealed_at. Without pocket_id the whole network is read.',
  input: {
    pocket_id: Type.Optional(pocketId),
    generator: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description: `one of ${generators.join(', ')}; hyphens are accepted for underscores`,
      }),
    ),
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
  }),
  effect: 'read',
  load: ({ revealed_only, ...question }, context) =>
    loadLedger({ ...question, revealed: revealed_only ? 'only' : 'both' }, context),
  shape: (data, { since }) => ledgerAnswer(data, since),
  speak: (answer, { pocket_id, generator, since }) => {
    const subject = [pocket_id ?? 'all pockets', ...(generator === undefined ? [] : [generator])];
    const about = `${subject.map((part) => printable(part)).join(', ')}, sealed ${since === 'all' ? 'at any time' : `over the last ${since}`}:`;
    if (!answer.count) return `${about} no forecasts.`;
    return [about, ...speakLedger(answer)].join(' ');
  },
  rest: { path: '/api/pocket-predictions', names: { pocket_id: 'pocket' } },
});
