// Schemas that the answers about benchmark submissions share.
import Type from 'typebox';
import { countField, nullable, timestamp, unit, unitField } from '../core/answer-fields.ts';
import { sealHash } from './prediction-fields.ts';

const gap = (description: string) => nullable(Type.Number({ minimum: -1, maximum: 1, description }));

/** Each is null where there was nothing to average. */
export const scoreFields = {
  accuracy: nullable(unit),
  silence_correctness: nullable(
    unitField('of items that call a calm state, the share where the pocket was calm'),
  ),
  calibration_error: nullable(
    unitField('mean squared difference between confidence and hit (1 or 0); lower is better'),
  ),
  gap_vs_service: gap('accuracy less that of the service on the same forecasts'),
  gap_vs_naive: gap('accuracy less that of the naive baseline on the same forecasts'),
};

export const scoredCount = countField('how many times an item met a forecast');

/** Of a submission: when it was accepted, and what the ledger has of it. */
export const acceptance = {
  sealed_at: timestamp,
  written_at: nullable(timestamp),
  payload_hash: Type.Union([sealHash, Type.Null()], {
    description: 'null: not in the ledger',
  }),
};
