// Schemas of the answer that tells where and when to go.
import Type, { type Static } from 'typebox';
import { againstUsual } from '../../domain/atmosphere/usual-calm.ts';
import { visitAdvices } from '../../domain/prediction/calm-window.ts';
import { count, nullable, primaryState, timestamp, unit } from '../core/answer-fields.ts';
import { networkRow } from '../pocket/get-network-now.ts';
import { learning } from '../pocket/learning.ts';
import { minutes } from '../pocket/pocket-fields.ts';

const forecast = Type.Object({
  at: timestamp,
  minutes_ahead: minutes,
  prediction_id: Type.String({ description: 'of the sealed forecast in the ledger' }),
  expected_state: primaryState,
  expected_calm: Type.Number({ minimum: 0, maximum: 1, description: 'calm level expected then' }),
  calm_probability: Type.Number({ minimum: 0, maximum: 1, description: 'chance of a calm state then' }),
});
export type Forecast = Static<typeof forecast>;

const usualHour = Type.Object({ at: timestamp, calm_level: unit });

const usual = (description: string) =>
  Type.Union([Type.Number({ minimum: 0, maximum: 1 }), Type.Null()], { description });

const { index_score: _score, index_band: _band, signal_status_code: _code, ...now } = networkRow.properties;

/** A pocket now, against its usual, and ahead. */
export const visitRow = Type.Object({
  ...now,
  usual_calm: usual(
    'mean calm level of this pocket at this hour of the week; null under two weeks of readings',
  ),
  against_usual: nullable(
    Type.Enum([...againstUsual], { description: 'as_usual within 0.05 of the usual calm level' }),
  ),
  ahead: Type.Array(forecast, { description: 'the newest sealed forecasts, nearest first' }),
  best_window: Type.Union([forecast, Type.Null()], {
    description: 'the one of them with the highest calm probability',
  }),
  usually_calm_at: Type.Union([usualHour, Type.Null()], {
    description:
      'no forecast: the first waking hour after them whose usual calm level is that of a calm state, 0.55 or more',
  }),
  advice: Type.Enum([...visitAdvices], {
    description:
      'now: calm is likely (0.5) through the next half hour; later: at best_window; not_soon: neither; unknown: no current moment',
  }),
  at_hour: Type.Union(
    [
      Type.Object({
        at: timestamp,
        calm_level: unit,
        calm_probability: nullable(unit),
        basis: Type.Enum(['forecast', 'usual'], {
          description:
            'a sealed forecast within half an hour of it, or what is usual at that hour of the week',
        }),
      }),
      Type.Null(),
    ],
    { description: 'the hour that was asked for; null where none was, or nothing is known of it' },
  ),
  intent_alignment: Type.Union([unit, Type.Null()], {
    description:
      'how far the present suits the intent, at the hour asked for; null where no intent was asked for',
  }),
  rain_mm: nullable(Type.Number({ minimum: 0 })),
  temperature_c: nullable(Type.Number()),
  footfall: Type.Union([Type.Number({ minimum: 0 }), Type.Null()], {
    description: 'people an hour; null where not counted, or fewer than five',
  }),
  crowd: Type.Union([Type.Number({ minimum: 0 }), Type.Null()], {
    description: 'share of the usual peak, by other sensors; null where people are counted',
  }),
});
export type VisitRow = Static<typeof visitRow>;

export const visitAnswer = Type.Object({
  captured_at: Type.Union([timestamp, Type.Null()], { description: 'the newest reading' }),
  at: Type.Union([timestamp, Type.Null()], { description: 'the hour asked for, the next time it comes' }),
  pocket_count: Type.Integer({
    minimum: 0,
    description: 'pockets of the city, or those asked for by id; as the counts below',
  }),
  speaking_count: count,
  silent_count: count,
  unread_count: count,
  learning: nullable(learning),
  total: Type.Integer({ minimum: 0, description: 'pockets that match, of which `pockets` is a part' }),
  offset: count,
  pockets: Type.Array(visitRow),
  suggestions: Type.Array(Type.String(), { description: 'names to offer where no pocket matches the query' }),
});
