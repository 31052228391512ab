// Schemas of the answer that tells where and when to go.
import Type, { type Static } from 'typebox';
import { againstUsual } from '../../domain/atmosphere/usual-calm.ts';
import { categories } from '../../domain/city/city.ts';
import { placeKinds } from '../../domain/city/place.ts';
import { visitAdvices } from '../../domain/window/visit.ts';
import {
  count,
  countField,
  nullable,
  primaryState,
  timeField,
  timestamp,
  unit,
  unitField,
} from '../core/answer-fields.ts';
import { learning } from '../pocket/learning.ts';
import { networkRow } from '../pocket/network-rows.ts';
import { coordinates, minutes } from '../pocket/pocket-fields.ts';

const forecast = Type.Object({
  at: timestamp,
  minutes_ahead: minutes,
  prediction_id: Type.String({ description: 'of the sealed forecast in the ledger' }),
  expected_state: primaryState,
  expected_calm: unitField('calm level expected then'),
  calm_probability: unitField('chance of a calm state then'),
});

/** A calm window that is expected. */
export const expectedWindow = Type.Object({
  basis: Type.Enum(['forecast', 'usual'], {
    description:
      'forecast: from sealed forecasts; usual: from how often its hours of the week were calm, not a forecast',
  }),
  starts_at: timestamp,
  ends_at: timeField('the latest time to which windows with such chances held on other days'),
  at_least: Type.Boolean({ description: 'the forecasts end there: it may last for longer' }),
  calm_probability: unitField('chance of calm at its start'),
  held_share: unitField('share of such windows that held on other days'),
});

const usual = (description: string) =>
  Type.Union([Type.Number({ minimum: 0, maximum: 1 }), Type.Null()], { description });

const { index_score: _score, index_band: _band, signal_status_code: _code, ...now } = networkRow.properties;

/** A pocket now, against its usual, and ahead. */
export const visitRow = Type.Object({
  ...now,
  usual_calm: usual(
    'mean calm level of this pocket at this hour of the week; null with less than two weeks of readings',
  ),
  against_usual: nullable(
    Type.Enum([...againstUsual], { description: 'as_usual within 0.05 of the usual calm level' }),
  ),
  ahead: Type.Array(forecast, { description: 'the newest sealed forecasts, nearest first' }),
  expected: Type.Union(
    [
      Type.Object({
        at: timestamp,
        basis: expectedWindow.properties.basis,
        calm_probability: unit,
        calm_level: unit,
        n: nullable(
          Type.Integer({
            minimum: 1,
            description: 'readings that the usual is the share of; null: a forecast',
          }),
        ),
        holiday: nullable(
          Type.String({ description: 'the public holiday of that day, whose hours are taken as a Sunday’s' }),
        ),
      }),
      Type.Null(),
    ],
    { description: 'the time that was asked for, or now; null where nothing is known of it' },
  ),
  window: Type.Union([expectedWindow, Type.Null()], {
    description: 'the calm window at that time; null where none is open then',
  }),
  next_window: Type.Union([expectedWindow, Type.Null()], {
    description: 'the first calm window that begins after that time, within seven days from now',
  }),
  distance_m: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
    description: 'metres from `place`, as the crow flies; null without one',
  }),
  advice: Type.Enum([...visitAdvices], {
    description:
      'at that time. calm: a window is open; may_be_calm: a chance of 0.5 or more, but no window; later: at next_window; not_soon: none of these; unknown: nothing is known',
  }),
  open_kinds: Type.Union([Type.Array(Type.Enum([...categories])), Type.Null()], {
    description:
      'kinds of outlets that are open then by their published hours; null where fewer than five outlets are listed',
  }),
  open_count: Type.Union([Type.Integer({ minimum: 5 }), Type.Null()], {
    description: 'outlets that are open then; null under five',
  }),
  intent_alignment: Type.Union([unit, Type.Null()], {
    description: 'how far the pocket suits the intent at that time; null where no intent was asked for',
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
  at: Type.Union([timestamp, Type.Null()], { description: 'the time that was asked for; null for now' }),
  night: Type.Boolean({ description: 'that time is between 23:00 and 07:00' }),
  pocket_count: countField('pockets of the city, or those asked for by id; as the counts below'),
  speaking_count: count,
  silent_count: count,
  unread_count: count,
  learning: nullable(learning),
  place: Type.Union(
    [
      Type.Object({
        name: Type.String({ description: 'its name' }),
        kind: Type.Enum([...placeKinds, 'pocket'], { description: 'what it is' }),
        ...coordinates,
      }),
      Type.Null(),
    ],
    {
      description:
        'the listed place that near names, or that q names where it is not watched: the nearest pockets come first',
    },
  ),
  total: countField('pockets that match, of which `pockets` is a part'),
  offset: count,
  pockets: Type.Array(visitRow),
  suggestions: Type.Array(Type.String(), { description: 'names to offer where no pocket matches the query' }),
});
