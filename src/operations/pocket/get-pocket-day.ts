import Type, { type Static } from 'typebox';
import type { Reading } from '../../domain/atmosphere/reading.ts';
import { type ProjectionPayload, projectionGenerator } from '../../domain/prediction/prediction.ts';
import { predictionInterval } from '../../domain/stats/prediction-interval.ts';
import { countText } from '../../domain/text/count-text.ts';
import { DAY, iso, MINUTE, SLOT } from '../../domain/time/slot.ts';
import { newestReading, readingsBetween } from '../../store/observation/readings.ts';
import { calmForecastErrors } from '../../store/prediction/calm-forecast-errors.ts';
import { currentProjections } from '../../store/prediction/projections.ts';
import {
  count,
  countField,
  nullable,
  primaryState,
  timestamp,
  unit,
  unitField,
} from '../core/answer-fields.ts';
import { defineOperation } from '../core/define.ts';
import { pocketId } from '../core/fields.ts';
import { atmosphere, minutes } from './pocket-fields.ts';

/** The window of past forecasts whose errors give the prediction interval. */
const LOOK_BACK = DAY;

const ahead = Type.Object({
  at: timestamp,
  minutes_ahead: minutes,
  prediction_id: Type.String({ description: 'of the forecast in the ledger' }),
  expected_state: primaryState,
  expected_calm: unit,
  calm_probability: unitField('of a calm state at that time'),
  confidence: unit,
  likely: Type.Union(
    [
      Type.Object({
        low: unit,
        high: unit,
        n: countField('past forecasts that it is computed from'),
      }),
      Type.Null(),
    ],
    {
      description: 'prediction interval of calm: eight in ten recent forecasts of this horizon were as near',
    },
  ),
});

export const getPocketDay = defineOperation({
  name: 'get_pocket_day',
  title: 'The last 24 hours of a pocket, and the next three',
  description:
    'Lists every reading of the last 24 hours, oldest first, and what is forecast of the three hours ahead. Use it to draw a pocket over time. Returns {pocket_id, as_of, newest_reading_at (null if it was never observed), reading_count, readings [{captured_at, calm, stress, social_energy, productive, primary_state}], ahead [{at, minutes_ahead, prediction_id, expected_state, expected_calm, calm_probability, confidence, likely {low, high, n}}]}. likely is the span of calm around what is expected that eight in ten forecasts of the same horizon kept to over the last day, n of them; null under twenty. A quarter hour without a reading is left out.',
  input: { pocket_id: pocketId },
  output: Type.Object({
    pocket_id: Type.String(),
    as_of: timestamp,
    newest_reading_at: nullable(timestamp),
    reading_count: count,
    readings: Type.Array(Type.Object({ captured_at: timestamp, ...atmosphere.properties })),
    ahead: Type.Array(ahead),
  }),
  rows: () => DAY / SLOT,
  load: async ({ pocket_id }, { store, now }) => {
    const [readings, newest, sealed, misses] = await Promise.all([
      readingsBetween(store, pocket_id, now - DAY, now),
      newestReading(store, pocket_id, now),
      currentProjections(store, pocket_id, now),
      calmForecastErrors(store, pocket_id, { after: now - LOOK_BACK, until: now }),
    ]);
    return { now, readings, newest, sealed, misses };
  },
  shape: ({ now, readings, newest, sealed, misses }, { pocket_id }) => {
    const byGenerator = Map.groupBy(misses, ({ generator }) => generator);
    const past = (horizon: number) =>
      (byGenerator.get(projectionGenerator(horizon)) ?? []).map(({ error }) => error);
    return {
      pocket_id,
      as_of: iso(now),
      newest_reading_at: newest === null ? null : iso(newest),
      reading_count: readings.length,
      readings: readings.map(readingFields),
      ahead: sealed.map((projection) => forecastPoint(projection, past(projection.horizon_minutes))),
    };
  },
  speak: ({ readings, reading_count, ahead }, { pocket_id }, zone) => {
    const last = readings.at(-1);
    if (!last) return `${pocket_id} was not observed in the last 24h.`;
    const next = ahead[0];
    return [
      `${pocket_id}: ${countText(reading_count, 'reading')} over 24h, the last at ${zone.clockWithZone(Date.parse(last.captured_at))} with calm level ${last.calm}.`,
      next
        ? `around ${zone.clockWithZone(Date.parse(next.at))} the calm level may be near ${next.expected_calm}${next.likely ? `, likely between ${next.likely.low} and ${next.likely.high} (n ${next.likely.n})` : ''}.`
        : 'no forecast is current.',
    ].join(' ');
  },
  rest: { path: '/api/pocket-day', names: { pocket_id: 'pocket' } },
});

const readingFields = ({ slot, calm, stress, social_energy, productive, primary_state }: Reading) => ({
  captured_at: iso(slot),
  calm,
  stress,
  social_energy,
  productive,
  primary_state,
});

function forecastPoint(sealed: ProjectionPayload, misses: readonly number[]): Static<typeof ahead> {
  const { id, sealed_at, horizon_minutes, confidence, forecast } = sealed;
  const { expected_state, expected_calm, calm_probability } = forecast;
  return {
    at: iso(Date.parse(sealed_at) + horizon_minutes * MINUTE),
    minutes_ahead: horizon_minutes,
    prediction_id: id,
    expected_state,
    expected_calm,
    calm_probability,
    confidence,
    likely: predictionInterval(expected_calm, misses),
  };
}
