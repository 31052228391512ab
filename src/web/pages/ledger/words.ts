// Names of what the ledger holds, in the words of the pages.

import { sentenceCase } from '../../../domain/text/sentence-case.ts';
import type { AnswerOf } from '../../../operations/core/define.ts';
import type { getLedgerEntry } from '../../../operations/prediction/get-ledger-entry.ts';
import { spacedName } from '../../parts/format.ts';

export type Entry = AnswerOf<typeof getLedgerEntry>;
type Forecast = Extract<Entry['payload'], { type: 'prediction' }>;

export const typeNames: Record<Entry['type'], string> = {
  prediction: 'Forecast',
  reveal: 'Outcome of a forecast',
  line: 'Line',
  silence: 'Silence',
  verdict: 'Verdict on a decision',
  submission: 'Submission',
  key: 'Change of the key',
};

/** What a forecast is about: 'State in 60 min', 'Quiet window 60m'. */
export const forecastSubject = ({ generator, prediction_type, horizon_minutes }: Forecast): string =>
  prediction_type === 'other' ? `State in ${horizon_minutes} min` : sentenceCase(spacedName(generator));
