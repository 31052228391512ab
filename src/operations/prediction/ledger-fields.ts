// Schemas of an entry of the public ledger: a sealed payload of any type, with its place in the tree.
import Type from 'typebox';
import type { SilencePayload } from '../../domain/decision/silence.ts';
import type { PredictionPayload, RevealPayload } from '../../domain/prediction/prediction.ts';
import type { SubmissionPayload } from '../../domain/prediction/submission.ts';
import type { Sealed } from '../../domain/prediction/written.ts';
import type { LedgerEntry } from '../../store/ledger/ledger-reads.ts';
import { count, nullable, timestamp, written } from '../core/answer-fields.ts';
import { silencePayload } from '../decision/decision-fields.ts';
import { predictionPayload, revealPayload, sealHash } from './prediction-fields.ts';

/** The sealed payload of a submission. Its items are not part of it: they are published once the window has closed. */
const submissionPayload = Type.Object({
  type: Type.Literal('submission'),
  id: Type.String(),
  submitter_name: Type.String({ description: 'as the submitter wrote it' }),
  sealed_at: timestamp,
  prediction_window_start: timestamp,
  prediction_window_end: timestamp,
  prediction_count: count,
  ...written,
  detached: Type.Object(
    {
      hash: Type.String({ pattern: '^sha256:[0-9a-f]{64}$', description: 'SHA-256 of the items' }),
      bytes: count,
    },
    { description: 'the items, served at /api/ledger/detached/{hash} once the window has closed' },
  ),
});

export const ledgerEntry = {
  id: Type.String(),
  type: Type.Enum(['prediction', 'silence', 'reveal', 'submission']),
  leaf_index: Type.Integer({ minimum: 0, description: 'place in the tree' }),
  payload: Type.Union([predictionPayload, revealPayload, silencePayload, submissionPayload]),
  payload_hash: sealHash,
};

export const treeSize = nullable(
  Type.Integer({ minimum: 0, description: 'entries under the newest checkpoint' }),
);

type SealedPayload = Sealed<PredictionPayload | RevealPayload | SilencePayload | SubmissionPayload>;

export const ledgerEntryOf = ({ id, type, leaf, payload, payload_hash }: LedgerEntry) => ({
  id,
  type,
  leaf_index: leaf,
  payload: JSON.parse(payload) as SealedPayload,
  payload_hash,
});
