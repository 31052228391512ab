// Schemas of an entry of the public ledger: a sealed payload of any type, with its place in the tree.
import Type from 'typebox';
import type { SilencePayload } from '../../domain/decision/silence.ts';
import type { PredictionPayload, RevealPayload } from '../../domain/prediction/prediction.ts';
import type { SubmissionPayload } from '../../domain/prediction/submission.ts';
import { isSealedBeforeOutcome, type Sealed } from '../../domain/prediction/written.ts';
import type { LinePayload } from '../../domain/verdict/line-payload.ts';
import type { VerdictPayload } from '../../domain/verdict/verdict.ts';
import type { LedgerEntry } from '../../store/ledger/entries.ts';
import type { KeyChange } from '../../store/ledger/ledger-keys.ts';
import { count, countField, nullable, timestamp, written } from '../core/answer-fields.ts';
import { linePayload, silencePayload, verdictPayload } from '../decision/decision-fields.ts';
import { predictionPayload, revealPayload, sealHash } from './prediction-fields.ts';
import { proofAddresses, proofLinks } from './proof-links.ts';

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

/** The sealed payload of a change of the ledger's key. */
const keyChangePayload = Type.Object({
  type: Type.Literal('key'),
  id: Type.String(),
  origin: Type.String({ description: 'name of the log' }),
  old_key: Type.String({ description: 'public key before the change, as a verifier takes it' }),
  new_key: Type.String({ description: "public key that signs this entry's checkpoint and all later ones" }),
  endorsement: nullable(
    Type.String({ description: 'the change as a note signed by the old key; null if that key was lost' }),
  ),
  ...written,
});

export const ledgerEntry = {
  id: Type.String(),
  type: Type.Enum(['prediction', 'line', 'silence', 'verdict', 'reveal', 'submission', 'key']),
  leaf_index: countField('place in the tree'),
  payload: Type.Union([
    predictionPayload,
    revealPayload,
    linePayload,
    silencePayload,
    verdictPayload,
    submissionPayload,
    keyChangePayload,
  ]),
  payload_hash: sealHash,
  written_at: written.written_at,
  backfilled: Type.Boolean({
    description: 'written afterwards, by a virtual clock: simulated history, or a replay',
  }),
  sealed_before_outcome: nullable(
    Type.Boolean({
      description:
        'whether a live clock sealed it before its outcome was known; null for a reveal or a verdict, which are outcomes themselves, and for a change of the key',
    }),
  ),
  ...proofAddresses,
};

export const treeSize = nullable(countField('entries under the newest checkpoint'));

type SealedPayload = Sealed<
  | PredictionPayload
  | RevealPayload
  | LinePayload
  | SilencePayload
  | VerdictPayload
  | SubmissionPayload
  | KeyChange
>;

export function ledgerEntryFields({ id, type, leaf, payload, payload_hash }: LedgerEntry, baseUrl: string) {
  const sealed = JSON.parse(payload) as SealedPayload;
  const { written_at, backfilled = false } = sealed;
  return {
    id,
    type,
    leaf_index: leaf,
    payload: sealed,
    payload_hash,
    written_at,
    backfilled,
    sealed_before_outcome: isSealedBeforeOutcome(sealed),
    ...proofLinks(baseUrl, id),
  };
}
