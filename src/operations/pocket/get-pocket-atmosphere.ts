import Type from 'typebox';
import { computeTrend, trendDirections } from '../../domain/atmosphere/trend.ts';
import { findPocket } from '../../domain/city/lists/find-entries.ts';
import { countText } from '../../domain/text/count-text.ts';
import { printable } from '../../domain/text/printable.ts';
import { iso } from '../../domain/time/slot.ts';
import { lastHours } from '../../domain/time/window.ts';
import { readingsBetween } from '../../store/observation/readings.ts';
import { timestamp, unitField } from '../core/answer-fields.ts';
import { defineOperation } from '../core/define.ts';
import { pocketId } from '../core/fields.ts';
import { loadMissingFields, missing, missingSentence } from './missing-crowd.ts';
import { reading } from './pocket-fields.ts';

const movement = {
  rising_calm: 'calm is rising',
  rising_stress: 'stress is rising',
  stable: 'little has changed',
  mixed: 'the signs are mixed',
};

const windowFields = { pocket_id: Type.String(), window_hours: Type.Number({ minimum: 1, maximum: 24 }) };

export const getPocketAtmosphere = defineOperation({
  name: 'get_pocket_atmosphere',
  title: 'Atmosphere of a pocket',
  description: `Reads how a pocket felt over the last hours and where it is heading. Use it for "how busy is it there?" or "is it getting calmer?". Not for the hours ahead (get_pocket_futures) or for people's own words (get_pocket_perception). Returns latest {stress, calm, social_energy, productive, primary_state, anomaly_flag, captured_at}, trend {direction, magnitude} and reading_count, 0 where nothing was read.`,
  toolsets: ['reader', 'benchmark'],
  input: {
    pocket_id: pocketId,
    hours: Type.Number({ minimum: 1, maximum: 24, default: 4, description: 'hours to look back' }),
  },
  output: Type.Union([
    Type.Object({
      ...windowFields,
      latest: Type.Object({ ...reading.properties, captured_at: timestamp }),
      trend: Type.Object({
        direction: Type.Enum([...trendDirections]),
        magnitude: unitField('the larger change of calm or stress over the window, by a fitted line'),
      }),
      reading_count: Type.Integer({ minimum: 1 }),
    }),
    Type.Object({
      ...windowFields,
      latest: Type.Null(),
      trend: Type.Null(),
      reading_count: Type.Literal(0),
      observed: Type.Boolean({ description: 'whether the pocket is one that the service observes' }),
      missing: Type.Optional(missing),
    }),
  ]),
  notFoundText: 'extended',
  load: async ({ pocket_id, hours }, context) => {
    const { store, registry, now } = context;
    const readings = await readingsBetween(store, pocket_id, lastHours(hours, now).after, now);
    return {
      observed: findPocket(registry, pocket_id) !== undefined,
      readings,
      lacks: readings.length ? {} : await loadMissingFields(context, pocket_id),
    };
  },
  shape: ({ observed, readings, lacks }, { pocket_id, hours }) => {
    const last = readings.at(-1);
    if (!last)
      return {
        pocket_id,
        window_hours: hours,
        latest: null,
        trend: null,
        reading_count: 0 as const,
        observed,
        ...lacks,
      };
    const { stress, calm, social_energy, productive, primary_state, anomaly_flag } = last;
    const captured_at = iso(last.slot);
    return {
      pocket_id,
      window_hours: hours,
      latest: { stress, calm, social_energy, productive, primary_state, anomaly_flag, captured_at },
      trend: computeTrend(readings),
      reading_count: readings.length,
    };
  },
  speak: (answer, { pocket_id, hours }, zone) => {
    if ('observed' in answer)
      return `${printable(pocket_id)} has no recent readings over the last ${hours}h.${missingSentence(answer)}`;
    const { latest, trend, reading_count } = answer;
    const { stress, calm, social_energy, productive, primary_state, captured_at } = latest;
    const unusual = latest.anomaly_flag ? ' this is unusual for the hour.' : '';
    return [
      `${pocket_id} at ${zone.clockWithZone(Date.parse(captured_at))}: ${primary_state}.${unusual}`,
      `calm level ${calm}, stress ${stress}, social energy ${social_energy}, productive ${productive}.`,
      `over ${hours}h ${movement[trend.direction]} (${trend.magnitude}, ${countText(reading_count, 'reading')}).`,
    ].join(' ');
  },
  rest: { path: '/api/atmosphere', names: { pocket_id: 'pocket' } },
});
