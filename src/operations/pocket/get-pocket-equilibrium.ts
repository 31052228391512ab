import Type from 'typebox';
import {
  dimensions,
  directions,
  type Equilibrium,
  equilibriumReasons,
} from '../../domain/decision/equilibrium.ts';
import { countText } from '../../domain/text/count-text.ts';
import { printable } from '../../domain/text/printable.ts';
import { iso } from '../../domain/time/slot.ts';
import { lastHours } from '../../domain/time/window.ts';
import { equilibriaWithin } from '../../store/decision/equilibrium.ts';
import { newestComparison } from '../../store/decision/silence-comparisons.ts';
import { count, nullable, timestamp, unit } from '../core/answer-fields.ts';
import { defineOperation } from '../core/define.ts';
import { pocketId, wholeNumber } from '../core/fields.ts';
import { silenceComparison, silenceComparisonFields } from '../core/silence-comparison.ts';
import { restAddress } from '../core/text-list.ts';

const dimension = Type.Enum([...dimensions]);
const composite = Type.Union([unit, Type.Null()], {
  description: 'mean of the dimensions that are not null',
});
const direction = Type.Enum([...directions], { description: 'against the reading before' });

const unread: Equilibrium = {
  dimensions: {
    atmosphere_calm: null,
    restraint_quality: null,
    citizen_alignment: null,
    prediction_trust: null,
    emission_quality: null,
    waste_avoidance: null,
  },
  composite: null,
  direction: 'unknown',
};

export const getPocketEquilibrium = defineOperation({
  name: 'get_pocket_equilibrium',
  title: 'Equilibrium of a pocket',
  description:
    'Tells whether speaking and staying silent have done a pocket good. Use it to judge the service by its effect. Not for how the pocket is now (get_pocket_atmosphere) or how good forecasts are (get_accuracy_report). Returns six dimensions (0..1; null is unknown), composite, direction (forming, improving, stable, degrading or unknown), reasons, compared_with_silence (difference, pairs, standard_error) and trajectory, oldest first.',
  toolsets: ['record'],
  input: {
    pocket_id: pocketId,
    hours: wholeNumber(1, 720, 24, 'hours to look back'),
  },
  output: Type.Object({
    pocket_id: Type.String(),
    window_hours: Type.Integer({ minimum: 1, maximum: 720 }),
    computed_at: nullable(timestamp),
    dimensions: Type.Record(dimension, nullable(unit)),
    composite,
    direction,
    reasons: Type.Record(dimension, Type.String()),
    trajectory: Type.Array(Type.Object({ computed_at: timestamp, composite, direction }), {
      description: 'every reading of the window, oldest first',
    }),
    reading_count: count,
    compared_with_silence: silenceComparison,
  }),
  list: 'trajectory',
  load: async ({ pocket_id, hours }, { store, now }) => ({
    readings: await equilibriaWithin(store, pocket_id, lastHours(hours, now)),
    compared: await newestComparison(store, 'calm', pocket_id, now),
  }),
  shape: ({ readings, compared }, { pocket_id, hours }) => {
    const last = readings.at(-1);
    const { dimensions, composite, direction } = last ?? unread;
    return {
      pocket_id,
      window_hours: hours,
      computed_at: last ? iso(last.slot) : null,
      dimensions,
      composite,
      direction,
      reasons: equilibriumReasons(dimensions),
      trajectory: readings.map(({ slot, composite, direction }) => ({
        computed_at: iso(slot),
        composite,
        direction,
      })),
      reading_count: readings.length,
      compared_with_silence: silenceComparisonFields('calm', compared),
    };
  },
  speak: (
    { computed_at, composite, direction, reasons, trajectory, compared_with_silence },
    { pocket_id, hours },
    zone,
  ) => {
    if (computed_at === null)
      return `${printable(pocket_id)} has no equilibrium reading over the last ${hours}h: it is unknown.`;
    const at = zone.clockWithZone(Date.parse(computed_at));
    return [
      `${pocket_id} at ${at}: equilibrium ${composite ?? 'unknown'}, ${direction}.`,
      ...dimensions.map((dimension) => `${dimension.replaceAll('_', ' ')}: ${reasons[dimension]}`),
      compared_with_silence.text,
      over(trajectory, hours),
      ...(trajectory.length > 1
        ? [`each is listed at ${restAddress('/api/equilibrium', { pocket: pocket_id, hours })}`]
        : []),
    ].join(' ');
  },
  rest: { path: '/api/equilibrium', names: { pocket_id: 'pocket' } },
});

function over(trajectory: readonly { composite: number | null }[], hours: number): string {
  const known = trajectory.flatMap(({ composite }) => composite ?? []);
  const counted = `${countText(trajectory.length, 'reading')} over ${hours}h`;
  if (!known.length) return `${counted}, none with a composite.`;
  return `${counted}, between ${Math.min(...known)} and ${Math.max(...known)}.`;
}
