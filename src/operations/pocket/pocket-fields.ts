// Schemas that several answers about one pocket share.
import Type from 'typebox';
import type { Moment } from '../../domain/decision/moment.ts';
import { iso } from '../../domain/time/slot.ts';
import {
  countField,
  nullable,
  primaryState,
  timestamp,
  unavailable,
  unit,
  unitField,
} from '../core/answer-fields.ts';
import { missing } from './missing-crowd.ts';

/** The four qualities of an atmosphere, and the primary state that follows from them. */
export const atmosphere = Type.Object({
  stress: unit,
  calm: unit,
  social_energy: unit,
  productive: unit,
  primary_state: primaryState,
});

/** The atmosphere of a pocket at one slot. */
export const reading = Type.Object({
  ...atmosphere.properties,
  anomaly_flag: Type.Boolean({
    description: 'far from what is usual for this pocket at this hour of the week',
  }),
});

export const minutes = Type.Integer({ minimum: 0 });

export const moment = Type.Object({
  pocket_id: Type.String(),
  primary_state: primaryState,
  calm_probability: unitField(
    'probability of a calm state at the next two readings, that is through the next half hour',
  ),
  calm_level: unitField('calm of the reading itself: how calm it is now, not a probability'),
  calm_change: Type.Number({
    minimum: -1,
    maximum: 1,
    description: 'change of the calm level over the last half hour',
  }),
  signal_saturation: unitField('the share of the attention budget that recent messages and offers use'),
  movement_friction: nullable(unitField('how hard it is to get about')),
  fragility: unitField('how easily the state tips'),
  half_life_minutes: countField('how long the state is likely to last, from the reading to expires_at'),
  expires_at: timestamp,
  should_stay_silent: Type.Boolean(),
  silence_reasons: Type.Array(Type.String()),
  window_ends_at: Type.Union([timestamp, Type.Null()], {
    description:
      'the latest half hour to which calm windows with such forecasts held on other days; null where none is open',
  }),
});

/** A moment as answers show it. */
export const momentFields = ({
  expires_at,
  should_stay_silent,
  silence_reasons,
  window_ends_at,
  window_held_share: _sealed,
  window_expected_calm: _with,
  ...measured
}: Moment) => ({
  ...measured,
  expires_at: iso(expires_at),
  should_stay_silent,
  silence_reasons,
  window_ends_at: window_ends_at === null ? null : iso(window_ends_at),
});

/** The answer where too little was observed in the last half hour. */
export const noMoment = Type.Object({
  pocket_id: Type.String(),
  available: unavailable,
  missing: Type.Optional(missing),
});

/** Degrees. */
export const coordinates = {
  lat: Type.Number({ minimum: -90, maximum: 90 }),
  lng: Type.Number({ minimum: -180, maximum: 180 }),
};
