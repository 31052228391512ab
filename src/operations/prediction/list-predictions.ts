import Type from 'typebox';
import { count, nullable, olderRows, unit } from '../core/answer-fields.ts';
import { defineOperation } from '../core/define.ts';
import { pocketId, rowLimit, since, sinceNames } from '../core/fields.ts';
import { rowsAndColumnsOfAll } from '../core/rows-of-all.ts';
import {
  ledgerAnswer,
  ledgerPosition,
  ledgerTable,
  loadLedger,
  predictionSummary,
  speakLedger,
} from './prediction-answers.ts';
import { generatorAccuracy, generatorArgument, predictionEntry } from './prediction-fields.ts';

const revealedNames = ['only', 'pending', 'both'] as const;

export const listPredictions = defineOperation({
  name: 'list_predictions',
  title: 'The ledger of forecasts',
  description:
    'Lists sealed forecasts with what became of them. Use it to follow the ledger over HTTP; payload_hash is the sha256 of prediction_payload as RFC 8785 canonical JSON. Returns count, window, revealed, entries (newest first) and, over all that the filter selects, accuracy_by_generator [{generator, n, accuracy}] and stats {by_generator: the same, mean_accuracy}. accuracy_by_generator gives the share with an accuracy_score of at least 0.5, mean_accuracy the mean score; both count only scored forecasts and are null when there are none. since applies to sealed_at.',
  input: {
    pocket_id: Type.Optional(pocketId),
    generator: Type.Optional(generatorArgument),
    since: since('7d'),
    revealed: Type.Enum([...revealedNames], {
      default: 'both',
      description: 'those revealed, those pending, or both',
    }),
    limit: rowLimit,
  },
  output: Type.Object({
    count,
    inconclusive_count: count,
    pending_count: count,
    window: Type.Enum([...sinceNames]),
    revealed: Type.Enum([...revealedNames]),
    accuracy_by_generator: Type.Array(generatorAccuracy),
    entries: Type.Array(predictionEntry),
    ...olderRows,
    stats: Type.Object({
      by_generator: Type.Array(generatorAccuracy),
      mean_accuracy: nullable(unit),
    }),
  }),
  list: 'entries',
  position: ledgerPosition,
  rows: ({ limit }, registry) => rowsAndColumnsOfAll(limit, registry),
  load: loadLedger,
  next: ({ last }) => last,
  table: ledgerTable,
  shape: (data, { since, revealed }) => {
    const { mean_accuracy, accuracy_by_generator: by_generator } = predictionSummary(data);
    return { ...ledgerAnswer(data, since), revealed, stats: { by_generator, mean_accuracy } };
  },
  speak: (answer, _input, zone) => (answer.count ? speakLedger(answer, zone).join(' ') : 'no forecasts.'),
  rest: { path: '/api/predictions', names: { pocket_id: 'pocket' } },
});
