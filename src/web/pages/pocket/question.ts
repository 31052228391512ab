// The questions that the pages of a pocket, of its evidence and of one of its days answer.
import { projectionGenerator } from '../../../domain/prediction/prediction.ts';
import { bindArguments, composeOperations } from '../../../operations/core/compose-operations.ts';
import type { AnswerOf } from '../../../operations/core/define.ts';
import { pocketId } from '../../../operations/core/fields.ts';
import { getLiveMomentStory } from '../../../operations/decision/get-live-moment-story.ts';
import { getPocketPackages } from '../../../operations/decision/get-pocket-packages.ts';
import { getPocketSilence } from '../../../operations/decision/get-pocket-silence.ts';
import { getResonance } from '../../../operations/decision/get-resonance.ts';
import { getPocketCalendar } from '../../../operations/history/get-pocket-calendar.ts';
import { getPocketDate } from '../../../operations/history/get-pocket-date.ts';
import { getPocketSignals } from '../../../operations/history/get-pocket-signals.ts';
import { localDate } from '../../../operations/history/history-fields.ts';
import { getMerchantReadiness } from '../../../operations/merchant/get-merchant-readiness.ts';
import { getProvenance } from '../../../operations/observation/get-provenance.ts';
import { getPocketDay } from '../../../operations/pocket/get-pocket-day.ts';
import { getPocketEquilibrium } from '../../../operations/pocket/get-pocket-equilibrium.ts';
import { getPocketMoment } from '../../../operations/pocket/get-pocket-moment.ts';
import { getPocketWeek } from '../../../operations/pocket/get-pocket-week.ts';
import { listPredictions } from '../../../operations/prediction/list-predictions.ts';
import { listCalmWindows } from '../../../operations/visit/list-calm-windows.ts';

/** The generator whose forecasts the page compares with what came. */
export const HOUR_AHEAD = projectionGenerator(60);

export const pocketQuestion = composeOperations('page_pocket', { pocket_id: pocketId }, ({ pocket_id }) => ({
  windows: bindArguments(listCalmWindows, { pockets: [pocket_id] }),
  moment: bindArguments(getPocketMoment, { pocket_id }),
  readiness: bindArguments(getMerchantReadiness, { pocket_id }),
  story: bindArguments(getLiveMomentStory, { pocket_id }),
  day: bindArguments(getPocketDay, { pocket_id }),
  week: bindArguments(getPocketWeek, { pocket_id }),
  silence: bindArguments(getPocketSilence, { pocket_id }),
  packages: bindArguments(getPocketPackages, { pocket_id, limit: 3 }),
  today: bindArguments(getPocketDate, { pocket_id }),
  calendar: bindArguments(getPocketCalendar, { pocket_id }),
  signals: bindArguments(getPocketSignals, { pocket_id }),
}));

export type PocketAnswers = AnswerOf<typeof pocketQuestion>;

export const evidenceQuestion = composeOperations(
  'page_pocket_evidence',
  { pocket_id: pocketId },
  ({ pocket_id }) => ({
    provenance: bindArguments(getProvenance, { pocket_id }),
    reveals: bindArguments(listPredictions, {
      pocket_id,
      generator: HOUR_AHEAD,
      since: '1d',
      revealed: 'only',
      limit: 6,
    }),
    resonance: bindArguments(getResonance, { pocket_id }),
    equilibrium: bindArguments(getPocketEquilibrium, { pocket_id }),
  }),
);

export type EvidenceAnswers = AnswerOf<typeof evidenceQuestion>;
export type Prediction = EvidenceAnswers['reveals']['entries'][number];

export const pocketDayQuestion = composeOperations(
  'page_pocket_day',
  { pocket_id: pocketId, date: localDate },
  ({ pocket_id, date }) => ({
    day: bindArguments(getPocketDate, { pocket_id, date }),
    signals: bindArguments(getPocketSignals, { pocket_id, date }),
  }),
);

export type PocketDayAnswers = AnswerOf<typeof pocketDayQuestion>;
export type DayAnswer = PocketDayAnswers['day'];
export type SignalsAnswer = PocketDayAnswers['signals'];
