import Type from 'typebox';
import { printable, quote } from '../../domain/text/printable.ts';
import { iso } from '../../domain/time/slot.ts';
import { submissionById } from '../../store/prediction/benchmark-scores.ts';
import { count, nullable, timestamp } from '../core/answer-fields.ts';
import { defineOperation, NotFound } from '../core/define.ts';
import { acceptance, scoredCount, scoreFields } from './benchmark-fields.ts';
import { sealHash } from './prediction-fields.ts';

export const getBenchmarkScores = defineOperation({
  name: 'get_benchmark_scores',
  title: 'Scores of one benchmark submission',
  description:
    'Tells what became of one submission. Use it with a submission_id. Returns the submission as it was sealed, with its payload_hash and the hash of its items, status queued_for_scoring or scored, and once it is scored its figures, scored_count and scored_at; a figure that had nothing to average is null.',
  input: {
    id: Type.String({ minLength: 1, maxLength: 120, description: 'submission_id' }),
  },
  output: Type.Object({
    submission_id: Type.String(),
    status: Type.Enum(['queued_for_scoring', 'scored']),
    submitter_name: Type.String({ description: 'as the submitter wrote it' }),
    ...acceptance,
    prediction_window_start: timestamp,
    prediction_window_end: timestamp,
    prediction_count: count,
    ...scoreFields,
    scored_count: nullable(scoredCount),
    scored_at: nullable(timestamp),
    items_hash: sealHash,
    proof_url: Type.String({ format: 'uri' }),
  }),
  load: async ({ id }, { store, baseUrl }) => {
    const row = await submissionById(store, id);
    if (!row) throw new NotFound(`unknown submission: ${printable(id)}`);
    return { row, baseUrl };
  },
  shape: ({ row, baseUrl }) => ({
    submission_id: row.submission_id,
    status: row.scored_at === null ? ('queued_for_scoring' as const) : ('scored' as const),
    submitter_name: row.submitter_name,
    sealed_at: iso(row.sealed_at),
    written_at: row.entry?.written_at ?? null,
    payload_hash: row.entry?.payload_hash ?? null,
    prediction_window_start: iso(row.window_start),
    prediction_window_end: iso(row.window_end),
    prediction_count: row.prediction_count,
    accuracy: row.accuracy,
    silence_correctness: row.silence_correctness,
    calibration_error: row.calibration_error,
    gap_vs_service: row.gap_vs_service,
    gap_vs_naive: row.gap_vs_naive,
    scored_count: row.scored_count,
    scored_at: row.scored_at === null ? null : iso(row.scored_at),
    items_hash: row.items_hash,
    proof_url: `${baseUrl}/api/ledger/proof/${row.submission_id}`,
  }),
  speak: ({ submitter_name, status, accuracy, silence_correctness, prediction_window_end }) => {
    if (status === 'queued_for_scoring')
      return `${quote(submitter_name)} is scored once the window has closed at ${prediction_window_end}.`;
    return `${quote(submitter_name)}: silence correctness ${silence_correctness ?? 'not known'}, accuracy ${accuracy ?? 'not known'}.`;
  },
  readsLog: true,
  rest: { path: '/api/benchmark/scores/:id' },
});
