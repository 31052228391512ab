import Type from 'typebox';
import { primaryStates } from '../../domain/atmosphere/primary-state.ts';
import { findPocket } from '../../domain/city/lists/find-entries.ts';
import { parseSubmission } from '../../domain/prediction/submission.ts';
import { countText } from '../../domain/text/count-text.ts';
import { quote } from '../../domain/text/printable.ts';
import { iso } from '../../domain/time/slot.ts';
import { StoreError } from '../../store/engine/store.ts';
import {
  acceptSubmissionOnce,
  findAccepted,
  KeyConflict,
  recordSender,
  submissionKey,
  submissionText,
} from '../../store/prediction/submission-keys.ts';
import { defineOperation, NotFound, Refused } from '../core/define.ts';
import { pocketId, shortText } from '../core/fields.ts';
import { acceptance } from './benchmark-fields.ts';

const share = (description: string) => Type.Number({ minimum: 0, maximum: 1, description });

const item = Type.Object(
  {
    pocket_id: pocketId,
    horizon_minutes: Type.Number({ description: '60, 120 or 180' }),
    predicted_state: Type.String({
      description: `one of ${primaryStates.join(', ')}; an underscore may stand for the hyphen`,
    }),
    predicted_calm_probability: share('the calm expected of the pocket, 0 to 1'),
    confidence: share('the chance that this item is a hit, 0 to 1'),
  },
  { additionalProperties: false },
);

/** Every answering process looks for what was accepted more often than that. */
const WRITTEN_SECONDS = 15;

const time = (description: string) => Type.String({ format: 'date-time', description });

export const submitBenchmarkPredictions = defineOperation({
  name: 'submit_benchmark_predictions',
  title: 'Submit forecasts to the benchmark',
  description:
    'Seals forecasts of another system, to be scored once their window has closed. Use it to measure a forecaster of yours. It is append-only: nothing can be edited. Not for reading forecasts (get_pocket_predictions) or scores (get_benchmark_leaderboard). Returns submission_id, status, leaderboard_url, scores_url and payload_hash (null until written). The name is public at once, the items when the window has closed.',
  toolsets: ['benchmark'],
  input: {
    submitter_name: shortText(
      120,
      'public name of the system; no control, bidirectional or zero-width characters',
    ),
    prediction_window_start: time('ISO 8601 with its zone'),
    prediction_window_end: time('ISO 8601 with its zone; after the start, at most 7 days in the future'),
    predictions: Type.Array(item, { minItems: 1, maxItems: 1000, description: 'what is forecast' }),
    contact_email: Type.Optional(Type.String({ maxLength: 200, description: 'never exposed, and not kept' })),
    system_description: Type.Optional(
      Type.String({ maxLength: 2000, description: 'never exposed, and not kept' }),
    ),
  },
  output: Type.Object({
    submission_id: Type.String(),
    status: Type.Literal('queued_for_scoring'),
    leaderboard_url: Type.String({ format: 'uri' }),
    scores_url: Type.String({ format: 'uri' }),
    ...acceptance,
  }),
  effect: 'append',
  // Its text tells nothing that was read.
  seen: () => null,
  load: async (given, { registry, store, now, baseUrl, writer }) => {
    const read = parseSubmission(given, now, (id) => findPocket(registry, id) !== undefined);
    if ('fault' in read) throw new Refused(read.fault);
    if ('unknownPocket' in read)
      throw new NotFound(`predictions[${read.at}].pocket_id: unknown pocket: ${quote(read.unknownPocket)}`);
    if (!writer) throw new StoreError('not_configured');
    const { submission } = read;
    const { sender } = writer;
    const text = submissionText(submission);
    const key = submissionKey(writer.keyedHash, text, sender);
    // Only what is accepted is charged: neither a failure nor a request that another one of the same key came before.
    const accept = async () => {
      const giveBack = sender.charge({ rows: submission.items.length, bytes: Buffer.byteLength(text) });
      const [id, nonce] = [writer.randomId(), writer.randomId()];
      const accepted = await writer
        .accept((tx, at) => acceptSubmissionOnce(tx, submission, key, { id, nonce, at }))
        .catch((error) => {
          giveBack();
          throw error;
        });
      if (accepted !== id) giveBack();
      return accepted;
    };
    try {
      const known = await findAccepted(store, key, now);
      if (known?.isNewSender) await writer.accept((tx) => recordSender(tx, key, now));
      const receipt = known?.entry ? known : await writer.seal(known?.id ?? (await accept()));
      if (!receipt) throw new Error('what was accepted is not there');
      return { receipt, baseUrl };
    } catch (error) {
      if (!(error instanceof KeyConflict)) throw error;
      throw new Refused('idempotency-key was sent with another submission: send a new one');
    }
  },
  shape: ({ receipt: { id, sealed_at, entry }, baseUrl }) => ({
    submission_id: id,
    status: 'queued_for_scoring' as const,
    leaderboard_url: `${baseUrl}/api/benchmark/scores`,
    scores_url: `${baseUrl}/api/benchmark/scores/${id}`,
    sealed_at: iso(sealed_at),
    written_at: entry?.written_at ?? null,
    payload_hash: entry?.payload_hash ?? null,
  }),
  speak: ({ submission_id, payload_hash, scores_url, leaderboard_url }, { predictions, submitter_name }) =>
    [
      payload_hash === null
        ? `accepted ${countText(predictions.length, 'forecast')} of ${quote(submitter_name)} as ${submission_id}. the ledger has them within ${WRITTEN_SECONDS} seconds; their hash is then at the address of the scores.`
        : `sealed ${countText(predictions.length, 'forecast')} of ${quote(submitter_name)} as ${submission_id} (${payload_hash}).`,
      'queued_for_scoring: scored once, when the window has closed.',
      `scores: ${scores_url}`,
      `leaderboard: ${leaderboard_url}`,
    ].join('\n'),
  rest: {
    path: '/api/benchmark/submit',
    method: 'POST',
    limit: 'submit',
    fields: ['submission_id', 'status'],
  },
});
